/**
 * In which window a cancel hit a turn: from where the charts stood then, and from what the turn recorded afterwards.
 *
 * W1 What cannot be told apart is named together; nothing is guessed.
 *
 * It runs in a browser too.
 *
 * @module
 */
import type { StoredEvent } from '../../events/event.ts'
import { WINDOWS } from './places.ts'
import { standingOf } from './standing.ts'

/** What was going on, by window. */
const MOMENTS: Readonly<Record<string, string>> = {
  W05: 'before anything was claimed',
  W06: 'after the claim',
  W07: 'after the claim',
  W08: 'while the system prompt was assembled',
  W09: 'while preStep decided',
  W10: 'as the step opened',
  W11: 'while the request was composed',
  W12: 'while the model streamed',
  W13: 'while requestError decided about a failed attempt',
  W14: 'between two attempts',
  W15: 'while stepResult looked at the answer',
  W16: 'as the answer was recorded',
  W17: 'before the body of a call',
  W18: 'while tool bodies ran',
  W19: 'while a result was recorded',
  W20: 'as the step had ended',
  W21: 'while the continuation was decided',
  W22: 'while turnStopping was asked',
  W23: 'after the outcome was sealed',
}

/** The windows that are possible, in the order of an ordinary run; and what went on in them. */
export interface HitWindow {
  readonly windows: readonly string[]
  /** `in window W12 (while the model streamed)`. */
  readonly text: string
}

/** Where `cancel` hit its turn, which ended as aborted. */
export function windowOf(
  cancel: StoredEvent<'cancel/requested'>,
  events: readonly StoredEvent[],
): HitWindow {
  const end = events.findIndex(({ seq, type }) => seq > cancel.seq && type === 'turn/end')
  const after = events.slice(cancel.seq + 1, end === -1 ? events.length : end)
  const fits = [...followedBy(after), ofCalls(events.slice(0, cancel.seq), after)]
  const windows = fits.reduce(narrowed, possible(cancel, events))
  return { windows, text: textOf(windows) }
}

/** The windows of all states that the charts may have been in. A turn whose outcome was sealed does not end as aborted. */
function possible({ seq }: StoredEvent, events: readonly StoredEvent[]): readonly string[] {
  const { step, turn, open } = standingOf(events.slice(0, seq))
  const states = open.step === null ? turn.states : step.states
  return [...new Set(states.flatMap((state) => WINDOWS[state] ?? []))]
    .filter((window) => window !== 'W23')
    .toSorted()
}

/** Only `wanted`, where that leaves something. */
function narrowed(windows: readonly string[], wanted: readonly string[]): readonly string[] {
  const left = windows.filter((window) => wanted.includes(window))
  return left.length === 0 ? windows : left
}

/** What the turn recorded after the cancel, as windows that fit. */
function followedBy(after: readonly StoredEvent[]): string[][] {
  const conceded = after.some(({ type }) => type === 'request/failed')
  const fits = after.flatMap((event) => {
    if (event.type === 'assistant/message') return [['W12', 'W15']]
    return event.type === 'step/end' ? [EARLIER] : []
  })
  // Only where a failed attempt was being decided about, it is recorded after the cancel.
  return [...fits, Object.keys(MOMENTS).filter((window) => (window === 'W13') === conceded)]
}

/** A step that still had to end. */
const EARLIER = Object.keys(MOMENTS).filter((window) => window >= 'W10' && window <= 'W19')

/** What became of the calls that were announced before: one of them may have been on its way to its body. */
function ofCalls(before: readonly StoredEvent[], after: readonly StoredEvent[]): string[] {
  const announced = new Set(
    before.flatMap((event) => (event.type === 'tool/call' ? [event.data.call.key] : [])),
  )
  const codes = after.flatMap((event) =>
    event.type === 'tool/result' && announced.has(event.data.call.key)
      ? [event.data.outcome.kind === 'error' ? (event.data.outcome.code ?? '') : '']
      : [],
  )
  if (codes.length === 0) return []
  return codes.includes('ABORTED_BEFORE_DISPATCH') ? ['W17'] : ['W18', 'W19']
}

function textOf(windows: readonly string[]): string {
  const [first] = windows
  if (first === undefined) return 'at a moment that the log does not tell'
  const [moment] = windows.length === 1 ? [MOMENTS[first]] : []
  const names =
    windows.length === 1 ? first : `${windows.slice(0, -1).join(', ')} or ${windows.at(-1)}`
  return `in window ${names}${moment === undefined ? '' : ` (${moment})`}`
}
