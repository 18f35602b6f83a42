/**
 * The events of one log as far as they are known, and the projections at any position of it.
 *
 * R1 `at` folds at most {@link EVERY} events: every so many a moment is kept.
 * R2 The index of an event is its seq. Events already known are passed over; a gap is refused.
 *
 * @module
 */
import type { WireEvent } from '../../../src/inspect/viewer/wire.ts'
import { isExchange } from './exchanges.ts'
import { groupOf, GROUPS, type Group } from './groups.ts'
import { after, BEGINNING, type Moment } from './moment.ts'

/** Events between two kept moments. */
export const EVERY = 1000

export class Recording {
  readonly events: WireEvent[] = []
  /** Seqs of the events that are exchanges. */
  readonly exchanges: number[] = []
  /** Index into `GROUPS`, by seq. */
  readonly groups: number[] = []
  readonly counts = new Map<Group, number>()
  /** Seqs of all events but those inside a run of chunks of one attempt: what the answers are made from. */
  readonly telling: number[] = []
  /** Numbers of events behind which no turn was open and nothing was pending. */
  readonly quiet: number[] = [0]
  /** Events that could not be folded: the moment behind them is that in front of them. */
  readonly unread: number[] = []
  readonly #kept: Moment[] = [BEGINNING]
  #tip: Moment = BEGINNING
  #recent: Moment = BEGINNING

  get length(): number {
    return this.events.length
  }

  /** After all events. */
  get tip(): Moment {
    return this.#tip
  }

  /** Takes events in order. @returns how many were new, or undefined at a gap, behind which nothing was taken */
  take(batch: readonly WireEvent[]): number | undefined {
    let taken = 0
    for (const event of batch) {
      if (event.seq < this.length) continue
      if (event.seq > this.length) return undefined
      this.#add(event)
      taken += 1
    }
    return taken
  }

  /** Another recording, of the first events of this one: whoever holds this one holds what is no more. */
  upTo(length: number): Recording {
    const other = new Recording()
    other.take(this.events.slice(0, length))
    return other
  }

  /** The log after `seen` events; R1. */
  at(seen: number): Moment {
    const target = Math.max(0, Math.min(seen, this.length))
    if (target === this.length) return this.#tip
    let moment = this.#kept[Math.floor(target / EVERY)] ?? BEGINNING
    const recent = this.#recent
    if (recent.seen <= target && recent.seen >= moment.seen) moment = recent
    while (moment.seen < target) moment = this.#step(moment)
    this.#recent = moment
    return moment
  }

  #step(moment: Moment): Moment {
    const event = this.events[moment.seen]
    if (event === undefined) return moment
    try {
      return after(moment, event)
    } catch {
      return { ...moment, seen: moment.seen + 1, time: event.time }
    }
  }

  #add(event: WireEvent): void {
    const group = groupOf(event.type)
    this.events.push(event)
    this.groups.push(GROUPS.indexOf(group))
    this.counts.set(group, (this.counts.get(group) ?? 0) + 1)
    if (isExchange(event.type)) this.exchanges.push(event.seq)
    try {
      this.#tip = after(this.#tip, event)
    } catch {
      this.unread.push(event.seq)
      this.#tip = { ...this.#tip, seen: event.seq + 1, time: event.time }
    }
    this.#index(event)
    if (this.#tip.seen % EVERY === 0) this.#kept[this.#tip.seen / EVERY] = this.#tip
  }

  #index(event: WireEvent): void {
    const [first = -1, last = -1] = this.telling.slice(-2)
    const run = [this.events[first], this.events[last]]
    if (run.every((one) => isSameRun(one, event))) this.telling.pop()
    this.telling.push(event.seq)
    if (isQuiet(this.#tip)) this.quiet.push(this.#tip.seen)
  }
}

/** Is no turn open and nothing pending, and will no policy of a turn that is over park what is put back? */
const isQuiet = ({ status, inbox }: Moment): boolean =>
  status.status === 'idle' &&
  inbox.nextStep.length === 0 &&
  inbox.nextTurn.length === 0 &&
  !inbox.restores &&
  inbox.parksRestored === null

/** Are both chunks of one attempt? */
function isSameRun(one: WireEvent | undefined, other: WireEvent): boolean {
  if (one?.type !== 'assistant/chunk' || other.type !== 'assistant/chunk') return false
  const { turn, step, attempt } = one.data
  return turn === other.data.turn && step === other.data.step && attempt === other.data.attempt
}
