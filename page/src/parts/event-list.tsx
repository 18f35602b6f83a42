/**
 * The log itself: every event, with filter and search. Choosing a row moves the whole page to that event.
 *
 * @module
 */
import { useRef } from 'preact/hooks'
import { GROUP_TITLES, GROUPS, type Group } from '../log/groups.ts'
import { lastUpTo } from '../log/search.ts'
import { lineOf } from '../log/summary.ts'
import { clockText, numberText } from '../log/texts.ts'
import type { Store } from '../view/store.ts'
import { useStore } from '../view/use-store.ts'
import { VirtualList } from './virtual-list.tsx'

const ROW = 26

export function EventList() {
  const store = useStore()
  const { recording, search, view } = store
  const { found } = search
  const count = found?.length ?? recording.length
  const seqAt = (index: number): number => found?.[index] ?? index
  const live = view.cursor === null
  const activeRow = (): number => {
    const at = store.seen - 1
    return found === undefined ? at : lastUpTo(found, at)
  }
  return (
    <section class="panel log" aria-labelledby="log-title">
      <header class="panel-head">
        <h2 id="log-title">Events</h2>
        <Found />
        <SearchBox store={store} />
      </header>
      <Filter store={store} />
      <VirtualList
        id="log"
        label="Events of the log"
        count={count}
        rowHeight={ROW}
        activeRow={activeRow}
        follows={live}
        row={(index) => <Row store={store} seq={seqAt(index)} />}
        onMove={(index) => store.travel(seqAt(index) + 1)}
      />
    </section>
  )
}

/** How many there are, told politely once a search is over. */
function Found() {
  const { recording, search } = useStore()
  const all = numberText(recording.length)
  const { found, done, share } = search
  const text = found === undefined ? all : `${numberText(found.length)} of ${all}`
  return (
    <span class="count" role="status">
      {done ? text : `${text}, ${Math.floor(share * 100)} % searched`}
    </span>
  )
}

function SearchBox({ store }: { readonly store: Store }) {
  const typed = useRef<ReturnType<typeof setTimeout>>()
  return (
    <input
      id="search"
      type="search"
      placeholder="Search  /"
      aria-label="Search the events"
      aria-keyshortcuts="/"
      autocomplete="off"
      spellcheck={false}
      onInput={({ currentTarget }) => {
        clearTimeout(typed.current)
        typed.current = setTimeout(() => store.look(currentTarget.value), 80)
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.currentTarget.value = ''
        store.look('')
        document.querySelector<HTMLElement>('#log')?.focus()
      }}
    />
  )
}

function Filter({ store }: { readonly store: Store }) {
  const { hidden } = store.view
  const there = GROUPS.filter((group) => (store.recording.counts.get(group) ?? 0) > 0)
  const toggle = (group: Group): void => {
    const next = new Set(hidden)
    if (!next.delete(group)) next.add(group)
    store.hide(next)
  }
  return (
    <div class="filter" role="group" aria-label="Show">
      {there.map((group) => (
        <button
          key={group}
          type="button"
          class="chip"
          data-group={group}
          aria-pressed={!hidden.has(group)}
          title={GROUP_TITLES[group]}
          onClick={() => toggle(group)}
        >
          {group} <small>{numberText(store.recording.counts.get(group) ?? 0)}</small>
        </button>
      ))}
    </div>
  )
}

function Row({ store, seq }: { readonly store: Store; readonly seq: number }) {
  const { recording, seen, view } = store
  const event = recording.events[seq]
  if (event === undefined) return null
  const place = seq >= seen ? 'ahead' : seq === seen - 1 ? 'here' : 'past'
  return (
    <div
      class="event"
      data-group={GROUPS[recording.groups[seq] ?? 0]}
      data-place={place}
      data-marked={view.mark === seq + 1}
    >
      <span class="seq">{seq}</span>
      <span class="time">{clockText(event.time)}</span>
      <span class="type">{event.type}</span>
      <span class="line">{lineOf(event)}</span>
    </div>
  )
}
