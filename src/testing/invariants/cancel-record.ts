/**
 * What no log shows of a cancel: that nothing new is asked and run for its turn, and that its signals abort in time.
 *
 * - `request-after-cancel`, `body-after-cancel`: no request is made and no body starts for a turn that was cancelled.
 * - `late-success`: a body that returns when its turn was cancelled is no success.
 * - `asked-anew`: after a cancel that does not resume, a turn claims only if somebody has asked since.
 * - `sealed`: no cancel names a turn whose error was announced.
 * - `signal-follows`: a signal of a turn that was cancelled has aborted.
 * - `signal-ends`: a signal does not abort any more once its turn has ended.
 *
 * @module
 */
import type { StoredEvent } from '../../events/event.ts'
import type { RunRecord, SeenBody } from './run-record.ts'
import type { Report } from './violation.ts'

/** Where turns were cancelled and ended, and to which turn a call belongs. */
interface Ends {
  readonly cancelled: ReadonlyMap<number, number>
  readonly ended: ReadonlyMap<number, number>
  readonly turnOf: ReadonlyMap<string, number>
}

function endsOf(events: readonly StoredEvent[]): Ends {
  const cancelled = new Map<number, number>()
  const ended = new Map<number, number>()
  const turnOf = new Map<string, number>()
  for (const event of events) {
    if (event.type === 'cancel/requested') {
      const { turn } = event.data
      if (turn !== null && !cancelled.has(turn)) cancelled.set(turn, event.seq)
    } else if (event.type === 'turn/end') ended.set(event.data.turn, event.seq)
    else if (event.type === 'tool/call') turnOf.set(event.data.call.key, event.data.turn)
  }
  return { cancelled, ended, turnOf }
}

/** Looks at what happened to turns that were cancelled. */
export function checkAfterCancel(
  events: readonly StoredEvent[],
  record: RunRecord,
  report: Report,
): void {
  const { statuses, requests, bodies, signals } = record
  checkSealed(events, record, report)
  if (statuses !== undefined) checkAskedAnew(events, report)
  if ((requests ?? bodies ?? signals) === undefined) return
  const ends = endsOf(events)
  checkStarts(record, ends, report)
  checkSuccess(events, record, ends, report)
  checkSignals(record, ends, report)
}

function checkSignals({ signals = [] }: RunRecord, ends: Ends, report: Report): void {
  for (const { turn, abortedAt } of signals)
    if (turn !== null) checkSignal(turn, abortedAt, ends, report)
}

function checkSealed(
  events: readonly StoredEvent[],
  { errors = [] }: RunRecord,
  report: Report,
): void {
  for (const { turn, length } of errors) {
    const late = events
      .slice(length)
      .find((event) => event.type === 'cancel/requested' && event.data.turn === turn)
    if (late === undefined) continue
    const message = `turn ${turn} was cancelled after its error was announced`
    report({ invariant: 'I-AUTH', rule: 'sealed', seq: late.seq, message })
  }
}

function checkStarts(
  { requests = [], bodies = [] }: RunRecord,
  { cancelled, turnOf }: Ends,
  report: Report,
): void {
  const after = (rule: string, what: string, turn: number | undefined, length: number): void => {
    const seq = turn === undefined ? undefined : cancelled.get(turn)
    if (seq === undefined || length <= seq) return
    const message = `${what} of turn ${turn} after the turn was cancelled`
    report({ invariant: 'I-AUTH', rule, seq, message })
  }
  for (const { turn, length } of requests)
    after('request-after-cancel', 'a request was made', turn, length)
  for (const body of bodies)
    if (typeof body !== 'string')
      after('body-after-cancel', 'a body started', turnOf.get(body.key), body.length)
}

function checkSuccess(
  events: readonly StoredEvent[],
  { bodies = [] }: RunRecord,
  { cancelled }: Ends,
  report: Report,
): void {
  const returned = new Map(
    bodies
      .filter((body): body is SeenBody => typeof body !== 'string')
      .map((body) => [body.key, body.returned ?? 0]),
  )
  for (const event of events) {
    if (event.type !== 'tool/result' || event.data.outcome.kind !== 'ok') continue
    const { turn, call } = event.data
    const cancel = cancelled.get(turn) ?? Infinity
    if ((returned.get(call.key) ?? 0) <= cancel) continue
    const message = `call ${call.key} is ok, but its body returned after the cancel of turn ${turn}`
    report({ invariant: 'I-AUTH', rule: 'late-success', seq: event.seq, message })
  }
}

function checkSignal(
  turn: number,
  abortedAt: number | null,
  { cancelled, ended }: Ends,
  report: Report,
): void {
  const cancel = cancelled.get(turn)
  const end = ended.get(turn)
  if (abortedAt === null && cancel !== undefined) {
    const message = `turn ${turn} was cancelled, but a signal of it has not aborted`
    report({ invariant: 'I-AUTH', rule: 'signal-follows', seq: cancel, message })
  } else if (abortedAt !== null && end !== undefined && abortedAt > end) {
    const message = `a signal of turn ${turn} aborted after the turn had ended`
    report({ invariant: 'I-AUTH', rule: 'signal-ends', seq: end, message })
  }
}

/** Of a log alone this cannot be said: whoever wrote it may have claimed for reasons of its own. */
function checkAskedAnew(events: readonly StoredEvent[], report: Report): void {
  let stopped = false
  for (const event of events) {
    stopped = isStopped(stopped, event)
    if (event.type !== 'inbox/claimed' || !stopped) continue
    const message = `turn ${event.data.turn} claims after a cancel, and nobody has asked since`
    report({ invariant: 'I-AUTH', rule: 'asked-anew', seq: event.seq, message })
  }
}

/** Has nobody asked for anything since the last cancel? What comes back by itself is no question. */
export function isStopped(stopped: boolean, event: StoredEvent): boolean {
  if (event.type === 'cancel/requested') return !event.data.resume
  if (event.type === 'inbox/inserted') return stopped && event.data.mark !== undefined
  return stopped && event.type !== 'inbox/replaced' && event.type !== 'session/opened'
}
