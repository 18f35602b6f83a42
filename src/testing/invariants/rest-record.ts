/**
 * What holds when nothing moves any more, and what a handle may say at any quiet moment.
 *
 * - `dispose-converges`: at rest a disposal that was asked for has settled, and `disposed` was announced.
 * - `rest-status`: at rest the last status is idle or disposed.
 * - `rest-work`: at rest no waking work is left that is not parked.
 * - `timer-left`: at rest no timer of the agent waits.
 * - `abort-converges`: a turn that was cancelled does not wait for what does not listen, unless a timer limits it.
 * - `inbox-view`: what the handle says is pending is what the log says.
 *
 * @module
 */
import { isDeepStrictEqual } from 'node:util'
import type { StoredEvent } from '../../events/event.ts'
import { hasWakingWork, inbox, type InboxEntry, type InboxState } from '../../projections/inbox.ts'
import { fold } from '../../projections/projection.ts'
import type { RunRecord } from './run-record.ts'
import type { Invariant, Report } from './violation.ts'

const idsOf = (entries: readonly InboxEntry[]): string[] => entries.map(({ message }) => message.id)

/** Looks at how a run stands. */
export function checkRestRecord(
  events: readonly StoredEvent[],
  record: RunRecord,
  report: Report,
): void {
  checkConverges(events, record, report)
  const rests = record.atRest === true
  if (record.inbox === undefined && !rests) return
  const state = fold(inbox, events)
  if (record.inbox !== undefined) checkView(state, record.inbox, report)
  if (!rests) return
  const wrong = (invariant: Invariant, rule: string, message: string): void => {
    report({ invariant, rule, seq: events.length === 0 ? null : events.length - 1, message })
  }
  checkEnd(record, wrong)
  if (isJudged(record) && hasWakingWork(state))
    wrong('I-IDLE', 'rest-work', 'the run has come to rest with waking work that is not parked')
}

/** Where the log was refused something it may not say what is parked; after a disposal nothing needs to go on. */
const isJudged = ({ statuses, refusals = [] }: RunRecord): boolean =>
  statuses !== undefined && statuses.at(-1)?.status !== 'disposed' && refusals.length === 0

/** Every wait of an aborted turn ends by itself or has a limit. */
function checkConverges(
  events: readonly StoredEvent[],
  { waits = [], timers = 0 }: RunRecord,
  report: Report,
): void {
  if (waits.length === 0 || timers > 0 || waits.some(({ aborted }) => !aborted)) return
  const cancel = cancelOfOpenTurn(events)
  if (cancel === undefined) return
  const message = `turn ${cancel.data.turn} was cancelled and waits, without a limit, for what does not listen`
  report({ invariant: 'I-AUTH', rule: 'abort-converges', seq: cancel.seq, message })
}

function cancelOfOpenTurn(
  events: readonly StoredEvent[],
): StoredEvent<'cancel/requested'> | undefined {
  let hit: StoredEvent<'cancel/requested'> | undefined
  for (const event of events) {
    if (event.type === 'turn/start' || event.type === 'turn/end') hit = undefined
    else if (event.type === 'cancel/requested' && event.data.turn !== null) hit = event
  }
  return hit
}

function checkView(
  state: InboxState,
  { nextTurn, nextStep }: NonNullable<RunRecord['inbox']>,
  report: Report,
): void {
  const folded = { nextTurn: idsOf(state.nextTurn), nextStep: idsOf(state.nextStep) }
  if (isDeepStrictEqual(folded, { nextTurn, nextStep })) return
  const message = `the handle says that ${[...nextTurn, ...nextStep].join(', ') || 'nothing'} pends, the log ${[...folded.nextTurn, ...folded.nextStep].join(', ') || 'nothing'}`
  report({ invariant: 'I-DERIVE', rule: 'inbox-view', seq: null, message })
}

/** Every agent begins like that. */
const NOTHING_SAID = { status: 'idle' } as const

type Wrong = (invariant: Invariant, rule: string, message: string) => void

function checkEnd(record: RunRecord, wrong: Wrong): void {
  const { statuses = [], timers = 0 } = record
  const { status } = statuses.at(-1) ?? NOTHING_SAID
  checkDisposals(record, status, wrong)
  if (status === 'running') {
    wrong('I-IDLE', 'rest-status', 'the run has come to rest, but its last status is running')
  }
  if (timers > 0) wrong('I-TERMINAL', 'timer-left', `${timers} timers wait at rest`)
}

function checkDisposals({ disposals = [] }: RunRecord, status: string, wrong: Wrong): void {
  const ended = status === 'disposed' && disposals.every(({ settled }) => settled)
  if (disposals.length === 0 || ended) return
  wrong('I-IDLE', 'dispose-converges', `a disposal did not end: the last status is ${status}`)
}
