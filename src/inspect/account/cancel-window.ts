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

/** Where `cancel` hit its turn. */
export function windowOf(
  cancel: StoredEvent<'cancel/requested'>,
  events: readonly StoredEvent[],
): HitWindow {
  const before = events.slice(0, cancel.seq)
  const { step, turn, open } = standingOf(before)
  const states = open.step === null ? turn.states : step.states
  const possible = [...new Set(states.flatMap((state) => WINDOWS[state] ?? []))].toSorted()
  const end = events.findIndex(({ seq, type }) => seq > cancel.seq && type === 'turn/end')
  const after = events.slice(cancel.seq + 1, end === -1 ? events.length : end)
  const windows = followedBy(after).reduce(narrowed, possible)
  return { windows, text: textOf(windows) }
}

/** Only `wanted`, where that leaves something. */
function narrowed(windows: readonly string[], wanted: readonly string[]): readonly string[] {
  const left = windows.filter((window) => wanted.includes(window))
  return left.length === 0 ? windows : left
}

/** What the turn recorded after the cancel, as windows that fit. */
function followedBy(after: readonly StoredEvent[]): string[][] {
  return after.flatMap((event) => {
    if (event.type === 'request/failed') return [['W13']]
    if (event.type === 'assistant/message') return [['W12', 'W15']]
    if (event.type === 'step/end') return [EARLIER]
    return event.type === 'tool/result' ? [ofResult(event)] : []
  })
}

/** A step that still had to end. */
const EARLIER = Object.keys(MOMENTS).filter((window) => window >= 'W10' && window <= 'W19')

/** A body that had not started is not started; one that ran is waited for. */
function ofResult({ data: { outcome } }: StoredEvent<'tool/result'>): string[] {
  const code = outcome.kind === 'error' ? outcome.code : undefined
  if (code === 'ABORTED_BEFORE_DISPATCH') return ['W16', 'W17', 'W18', 'W19']
  return ['W18', 'W19']
}

function textOf(windows: readonly string[]): string {
  const [first] = windows
  if (first === undefined) return 'at a moment that the log does not tell'
  const [moment] = windows.length === 1 ? [MOMENTS[first]] : []
  const names =
    windows.length === 1 ? first : `${windows.slice(0, -1).join(', ')} or ${windows.at(-1)}`
  return `in window ${names}${moment === undefined ? '' : ` (${moment})`}`
}
