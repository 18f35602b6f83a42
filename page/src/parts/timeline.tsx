/**
 * The time: a slider over all events, the turns behind it, and the two positions that are compared.
 *
 * @module
 */
import { useMemo } from 'preact/hooks'
import { turnsView, type TurnRecord } from '../../../src/projections/turns.ts'
import { clockText, dayText, numberText } from '../log/texts.ts'
import { nextTurn, previousTurn } from '../view/travel.ts'
import { useStore } from '../view/use-store.ts'

export function Timeline() {
  const { recording, moment, seen } = useStore()
  const { time } = moment
  return (
    <section class="timeline" aria-label="Time">
      <Moves />
      <Track />
      <output class="where" for="slider">
        <b>
          {numberText(seen)} / {numberText(recording.length)}
        </b>
        <span>{time === null ? 'nothing yet' : `${dayText(time)} ${clockText(time)}`}</span>
      </output>
      <Anchors />
    </section>
  )
}

function Moves() {
  const store = useStore()
  const move = (label: string, keys: string, sign: keyof typeof SIGNS, to: () => number) => (
    <button
      type="button"
      class="button icon"
      aria-label={label}
      aria-keyshortcuts={keys}
      title={`${label} (${keys})`}
      onClick={() => store.travel(to())}
    >
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d={SIGNS[sign]} />
      </svg>
    </button>
  )
  return (
    <div class="moves">
      {move('First event', 'Home', 'first', () => 0)}
      {move('Turn before', 'Shift+ArrowLeft', 'turn-back', () => previousTurn(store))}
      {move('Event before', 'ArrowLeft', 'back', () => store.seen - 1)}
      {move('Event after', 'ArrowRight', 'on', () => store.seen + 1)}
      {move('Turn after', 'Shift+ArrowRight', 'turn-on', () => nextTurn(store))}
    </div>
  )
}

function Track() {
  const store = useStore()
  const { recording, seen } = store
  const event = recording.events[seen - 1]
  const at = event === undefined ? 'before the first event' : `event ${event.seq}, ${event.type}`
  return (
    <div class="track">
      <Strip />
      <input
        id="slider"
        type="range"
        min={0}
        max={recording.length}
        step={1}
        value={seen}
        aria-label="Position in the log"
        aria-valuetext={`${at}, ${seen} of ${recording.length}`}
        onInput={({ currentTarget: { valueAsNumber: to } }) =>
          store.travel(to < recording.length ? to : null)
        }
      />
    </div>
  )
}

/** The two positions that stay: the end, and the mark. */
function Anchors() {
  const store = useStore()
  const { cursor, mark } = store.view
  return (
    <div class="moves">
      <button
        type="button"
        class="button"
        aria-pressed={cursor === null}
        aria-keyshortcuts="l"
        title="Follow the end (l)"
        onClick={() => store.travel(null)}
      >
        Live
      </button>
      <button
        type="button"
        class="button"
        aria-pressed={mark !== null}
        aria-keyshortcuts="m"
        title="Compare with this position (m)"
        onClick={() => store.mark(mark === null ? store.seen : null)}
      >
        {mark === null ? 'Mark' : `Marked ${numberText(mark)}`}
      </button>
    </div>
  )
}

/** Lines of the signs on the buttons. */
const SIGNS = {
  first: 'M4 3v10M12 3 7 8l5 5',
  'turn-back': 'M8 3 3 8l5 5M13 3 8 8l5 5',
  back: 'M10 3 5 8l5 5',
  on: 'M6 3l5 5-5 5',
  'turn-on': 'M3 3l5 5-5 5M8 3l5 5-5 5',
} as const

/** One stretch of the strip, in thousandths of the log. */
interface Stretch {
  readonly x: number
  readonly width: number
  readonly tone: string
}

/** Narrower turns than this are drawn as one. */
const NARROWEST = 2

const stretchOf = (turn: TurnRecord, length: number): Stretch => ({
  x: (turn.from / length) * 1000,
  width: (((turn.to ?? length - 1) + 1 - turn.from) / length) * 1000,
  tone: turn.reason?.kind ?? 'open',
})

/** Both as one; what did not go well stays in sight. */
const joined = (left: Stretch, right: Stretch): Stretch => ({
  x: left.x,
  width: right.x + right.width - left.x,
  tone: left.tone === 'completed' ? right.tone : left.tone,
})

function stretchesOf(turns: readonly TurnRecord[], length: number): Stretch[] {
  const stretches: Stretch[] = []
  for (const turn of turns) {
    const next = stretchOf(turn, length)
    const last = stretches.at(-1)
    const isSmall = next.width < NARROWEST && next.x - (last?.x ?? -NARROWEST) < NARROWEST
    if (last !== undefined && isSmall) stretches[stretches.length - 1] = joined(last, next)
    else stretches.push(next)
  }
  return stretches
}

/** The turns, coloured by how they ended; the mark and the position. */
function Strip() {
  const { recording, view, seen } = useStore()
  const { length, tip } = recording
  const turns = turnsView(tip.turns)
  const stretches = useMemo(() => stretchesOf(turns, Math.max(1, length)), [turns, length])
  const at = (seq: number): number => (seq / Math.max(1, length)) * 1000
  return (
    <svg class="strip" viewBox="0 0 1000 14" preserveAspectRatio="none" aria-hidden="true">
      <rect class="ground" x="0" y="4" width="1000" height="6" />
      {stretches.map(({ x, width, tone }) => (
        <rect
          key={x}
          class="stretch"
          data-tone={tone}
          x={x}
          y="4"
          width={Math.max(width - 0.6, 0.8)}
          height="6"
        />
      ))}
      {view.mark === null ? null : (
        <rect
          class="between"
          x={Math.min(at(view.mark), at(seen))}
          y="0"
          width={Math.max(1, Math.abs(at(view.mark) - at(seen)))}
          height="14"
        />
      )}
    </svg>
  )
}
