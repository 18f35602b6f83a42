/**
 * What a log cannot show: announcements, rejections, requests, signals, and which bodies ran.
 *
 * - `idle-work`: idle is announced only without waking work that is not parked. A log that has refused something may not
 *   say what is parked: from then on this is not judged.
 * - `status-change`: announcements alternate.
 * - `waiter`: a wait for quiescence settles.
 * - `rejection`: nothing was rejected or thrown unheard.
 * - `body-once`, `body-called`: a body runs once, and for a recorded call.
 * - `outcome-true`: no outcome says of a body that ran that it never did.
 * - `at-rest`: a run that has come to rest leaves nothing open.
 *
 * More of them stand in cancel-record.ts and rest-record.ts.
 *
 * @module
 */
import { causeChain } from '../../errors.ts'
import type { StoredEvent } from '../../events/event.ts'
import type { Outcome } from '../../events/message.ts'
import { hasWakingWork, inbox } from '../../projections/inbox.ts'
import { fold } from '../../projections/projection.ts'
import { checkAfterCancel } from './cancel-record.ts'
import { checkRestRecord } from './rest-record.ts'
import type { Report } from './violation.ts'

/** A body that ran, with the number of events in the log when it started, and when it returned, if it has. */
export interface SeenBody {
  readonly key: string
  readonly length: number
  readonly returned?: number
}

/** What was seen of a run beside its log. */
export interface RunRecord {
  /** Status announcements in order, each with the number of events in the log then. */
  readonly statuses?: readonly { readonly status: string; readonly length: number }[]
  /** Waits for quiescence, each with whether it has settled. */
  readonly waiters?: readonly { readonly settled: boolean }[]
  /** Unhandled rejections and uncaught exceptions. */
  readonly rejections?: readonly unknown[]
  /** Keys of the calls whose bodies ran, once for each run, perhaps as `SeenBody`. */
  readonly bodies?: readonly (string | SeenBody)[]
  /** Requests that were made, each with its turn and the number of events in the log then. */
  readonly requests?: readonly { readonly turn: number; readonly length: number }[]
  /** Signals that were handed out in a turn, each with the number of events when it aborted; null: it did not. */
  readonly signals?: readonly { readonly turn: number | null; readonly abortedAt: number | null }[]
  /** Errors that were announced, each with its turn and the number of events in the log then. */
  readonly errors?: readonly { readonly turn: number; readonly length: number }[]
  /** Appends that the log refused, and writes that failed, each with the number of events in the log then. */
  readonly refusals?: readonly { readonly type: string; readonly length: number }[]
  /** Disposals that were asked for, each with whether it has settled. */
  readonly disposals?: readonly { readonly settled: boolean }[]
  /** Timers of the agent that wait. */
  readonly timers?: number
  /** What waits for an answer from outside, each with whether it was told to stop; a grace may be endless by choice. */
  readonly waits?: readonly { readonly aborted: boolean }[]
  /** Ids of what pends according to the handle. */
  readonly inbox?: { readonly nextTurn: readonly string[]; readonly nextStep: readonly string[] }
  /** The run has come to rest: nothing may be open. Default false. */
  readonly atRest?: boolean
}

/** Looks at what was seen. */
export function checkRecord(
  events: readonly StoredEvent[],
  record: RunRecord,
  report: Report,
): void {
  checkStatuses(events, record.statuses ?? [], record.refusals?.[0]?.length ?? Infinity, report)
  checkAfterCancel(events, record, report)
  checkRestRecord(events, record, report)
  checkBodies(events, record.bodies ?? [], report)
  checkOutcomes(events, record.bodies ?? [], report)
  checkSettled(record, report)
}

function checkSettled({ rejections = [], waiters = [] }: RunRecord, report: Report): void {
  for (const error of rejections) {
    report({ invariant: 'I-NOREJECT', rule: 'rejection', seq: null, message: causeChain(error) })
  }
  const waiting = waiters.filter(({ settled }) => !settled).length
  if (waiting > 0) {
    const message = `${waiting} waits for quiescence never settled`
    report({ invariant: 'I-IDLE', rule: 'waiter', seq: null, message })
  }
}

function checkStatuses(
  events: readonly StoredEvent[],
  statuses: NonNullable<RunRecord['statuses']>,
  judgedUpTo: number,
  report: Report,
): void {
  let state = inbox.initial
  let folded = 0
  for (const [i, { status, length }] of statuses.entries()) {
    const seq = length === 0 ? null : length - 1
    if (status === statuses[i - 1]?.status) {
      const message = `status ${status} was announced twice in a row`
      report({ invariant: 'I-IDLE', rule: 'status-change', seq, message })
    }
    state = fold(inbox, events.slice(folded, length), state)
    folded = length
    if (status !== 'idle' || length >= judgedUpTo || !hasWakingWork(state)) continue
    const message = 'idle was announced while waking work was pending and not parked'
    report({ invariant: 'I-IDLE', rule: 'idle-work', seq, message })
  }
}

function checkOutcomes(
  events: readonly StoredEvent[],
  bodies: NonNullable<RunRecord['bodies']>,
  report: Report,
): void {
  if (bodies.length === 0) return
  const ran = new Set(bodies.map((body) => (typeof body === 'string' ? body : body.key)))
  for (const event of events) {
    if (event.type !== 'tool/result' || !ran.has(event.data.call.key)) continue
    if (!saysNeverRan(event.data.outcome)) continue
    const message = `the outcome of call ${event.data.call.key} says that its body never ran, but it did`
    report({ invariant: 'I-EFFECT', rule: 'outcome-true', seq: event.seq, message })
  }
}

const NEVER_RAN: ReadonlySet<string> = new Set([
  'ABORTED_BEFORE_DISPATCH',
  'ARGUMENTS_CUT',
  'INVALID_ARGS',
  'NOT_STARTED',
  'UNKNOWN_TOOL',
])

const saysNeverRan = (outcome: Outcome): boolean =>
  outcome.kind === 'denied' || (outcome.kind === 'error' && NEVER_RAN.has(outcome.code ?? ''))

function checkBodies(
  events: readonly StoredEvent[],
  bodies: NonNullable<RunRecord['bodies']>,
  report: Report,
): void {
  const called = new Map<string, number>()
  for (const event of events)
    if (event.type === 'tool/call') called.set(event.data.call.key, event.seq)
  const seen = new Set<string>()
  for (const body of bodies) {
    const key = typeof body === 'string' ? body : body.key
    const seq = called.get(key) ?? null
    const again = seen.has(key)
    seen.add(key)
    if (again) {
      const message = `the body of call ${key} ran more than once`
      report({ invariant: 'I-EFFECT', rule: 'body-once', seq, message })
    } else if (seq === null) {
      const message = `the body of call ${key} ran, and no tool/call says so`
      report({ invariant: 'I-EFFECT', rule: 'body-called', seq, message })
    }
  }
}
