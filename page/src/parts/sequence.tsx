/**
 * The sequence: who said what to whom, an arrow for each exchange, down the time.
 *
 * @module
 */
import { exchangeOf, LANES, type Exchange } from '../log/exchanges.ts'
import { lastUpTo } from '../log/search.ts'
import { numberText } from '../log/texts.ts'
import { useStore } from '../view/use-store.ts'
import { VirtualList } from './virtual-list.tsx'

const ROW = 36
const SHARE = 100 / LANES.length

export function Sequence() {
  const store = useStore()
  const { recording, seen, view } = store
  const { exchanges, events } = recording
  return (
    <section class="panel sequence" aria-labelledby="sequence-title">
      <header class="panel-head">
        <h2 id="sequence-title">Sequence</h2>
        <span class="count">{numberText(exchanges.length)} exchanges</span>
      </header>
      <div class="lanes" aria-hidden="true">
        {LANES.map((lane) => (
          <span key={lane}>{lane}</span>
        ))}
      </div>
      <VirtualList
        id="exchanges"
        label="Who said what to whom"
        count={exchanges.length}
        rowHeight={ROW}
        activeRow={() => lastUpTo(exchanges, store.seen - 1)}
        follows={view.cursor === null}
        row={(index) => {
          const seq = exchanges[index] ?? -1
          const event = events[seq]
          const exchange = event === undefined ? undefined : exchangeOf(event)
          return exchange === undefined ? null : <Arrow {...exchange} ahead={seq >= seen} />
        }}
        onMove={(index) => store.travel((exchanges[index] ?? 0) + 1)}
      />
    </section>
  )
}

/** An arrow from lane to lane with its words above it, or a line across. */
function Arrow({ from, to, text, tone, ahead }: Exchange & { readonly ahead: boolean }) {
  const place = ahead ? 'ahead' : 'past'
  if (from === to) {
    return (
      <div class="exchange rule" data-tone={tone} data-place={place}>
        <span class="said">{text}</span>
      </div>
    )
  }
  const start = LANES.indexOf(from)
  const end = LANES.indexOf(to)
  const left = (Math.min(start, end) + 0.5) * SHARE
  const width = Math.abs(end - start) * SHARE
  return (
    <div class="exchange" data-tone={tone} data-place={place}>
      <span class="unseen">
        {from} to {to}:
      </span>
      <span class="said" style={{ left: `${left}%` }}>
        {text}
      </span>
      <span
        class="arrow"
        data-way={end > start ? 'forth' : 'back'}
        style={{ left: `${left}%`, width: `${width}%` }}
      />
    </div>
  )
}
