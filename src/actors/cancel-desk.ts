/**
 * Cancel: contract section 11, in its order. It has no failing path: first the signal is aborted, then facts are recorded.
 *
 * @module
 */
import type { ActorName, NewEvent } from '../events/event.ts'
import type { Cause, MessageId } from '../events/message.ts'
import { type InboxEntry, pendingEntries, unparked } from '../projections/inbox.ts'
import type { CancelOptions, CancelReceipt } from './agent-handle.ts'
import type { ActivityRecord } from './activity.ts'
import type { Core } from './core.ts'
import { discardOf, notifyDiscarded } from './inbox-desk.ts'

/** Options as they are recorded. */
export interface CancelRequest {
  readonly cause: Cause
  /** The very object the caller gave, if it gave one: the reason of the signal. */
  readonly reason: object
  readonly actor: ActorName
  readonly keepInbox: boolean
  readonly resume: boolean
  readonly restoreClaimed: boolean
  readonly turn: number | undefined
}

/** The receipt of a cancel that did nothing. */
export const noEffect = (code?: 'TURN_FINISHED'): CancelReceipt =>
  code === undefined ? { effect: 'none', discarded: [] } : { effect: 'none', discarded: [], code }

/** Fills in the defaults; `restoreClaimed` implies `keepInbox`. */
export const requestOf = (
  cause: Cause,
  options: CancelOptions,
  actor: ActorName,
  reason: object = cause,
): CancelRequest => ({
  cause,
  reason,
  actor,
  keepInbox: options.keepInbox === true || options.restoreClaimed === true,
  resume: options.resume === true,
  restoreClaimed: options.restoreClaimed === true,
  turn: options.turn,
})

/** Is `turn` over? Then a cancel that names it does nothing. */
const isFinished = (core: Core, turn: number | undefined): boolean =>
  turn !== undefined && turn !== core.activity?.turn

/** Is `turn` one of the past? A number still to come may be that of a turn which opens before the cancel is applied. */
export const isPast = (core: Core, turn = Infinity): boolean =>
  turn <= core.state.turn && isFinished(core, turn)

/** Applies a cancel. @param aborted - told when the activity of a turn was hit. */
export function applyCancel(
  core: Core,
  request: CancelRequest,
  aborted: () => void,
): CancelReceipt {
  if (isFinished(core, request.turn)) return noEffect('TURN_FINISHED')
  const hit = abortActivity(core, request)
  if (hit !== undefined || !request.keepInbox) core.services.cancelled(request.cause)
  const entries = request.keepInbox ? [] : pendingEntries(core.state.inbox)
  const discarded = record(core, request, hit, entries)
  if (typeof hit?.turn === 'number') aborted()
  return receiptOf(hit, discarded)
}

/** @param discarded - undefined if nothing was recorded. */
function receiptOf(
  hit: ActivityRecord | undefined,
  discarded: readonly MessageId[] | undefined,
): CancelReceipt {
  if (discarded === undefined) return noEffect()
  if (hit === undefined) return { effect: 'discarded', discarded }
  const turn = hit.turn === null ? {} : { turn: hit.turn }
  return { effect: 'aborted', discarded, ...turn }
}

/** Fixes the cause and aborts the signal of an activity that is neither aborted nor sealed. */
function abortActivity(core: Core, request: CancelRequest): ActivityRecord | undefined {
  const { activity } = core
  if (activity === undefined) return undefined
  if (!request.resume) activity.holdsRestored = true
  if (activity.cause !== undefined || activity.sealed) return undefined
  activity.cause = request.cause
  activity.restoreClaimed = request.restoreClaimed
  activity.cancel.abort(request.reason)
  return activity
}

/** Does keeping the inbox hold back waking work that was free? */
const parksAnew = (core: Core, { keepInbox, resume }: CancelRequest): boolean =>
  keepInbox &&
  !resume &&
  unparked(core.state.inbox, pendingEntries(core.state.inbox)).some((entry) => entry.wake)

/** An earlier cancel of the open turn puts its messages back and lets them go on; this one does not. */
const holdsRestored = ({ state }: Core, { resume }: CancelRequest): boolean =>
  !resume &&
  state.openTurn &&
  state.step === 0 &&
  state.inbox.restores &&
  state.inbox.parksRestored === null

/** Does it discard or park something, now or when it is put back? */
const touchesInbox = (
  core: Core,
  request: CancelRequest,
  entries: readonly InboxEntry[],
): boolean => entries.length > 0 || parksAnew(core, request) || holdsRestored(core, request)

/** The turn that was hit. One that the log refused to open is nothing the log could name. */
const openTurnOf = (core: Core, hit: ActivityRecord | undefined): number | null =>
  hit !== undefined && hit.turn === core.log.ledger.openTurn ? hit.turn : null

/** @returns the discarded ids; undefined if the cancel had no effect. */
function record(
  core: Core,
  request: CancelRequest,
  hit: ActivityRecord | undefined,
  entries: readonly InboxEntry[],
): MessageId[] | undefined {
  if (hit === undefined && !touchesInbox(core, request, entries)) return undefined
  const discarded = entries.map((entry) => entry.message.id)
  const requested = requestedOf(request, openTurnOf(core, hit), discarded)
  const reason = request.cause.kind === 'disposed' ? 'disposed' : 'cleared'
  const discard = entries.length === 0 ? [] : [discardOf(entries, reason, request.actor)]
  if (core.record([...discard, requested]) === undefined) {
    if (!request.keepInbox || !request.resume) core.parkLive('cancel')
    return []
  }
  notifyDiscarded(core, entries, reason)
  return discarded
}

function requestedOf(
  request: CancelRequest,
  turn: number | null,
  discarded: MessageId[],
): NewEvent {
  const { cause, actor, keepInbox, resume, restoreClaimed } = request
  const restore = restoreClaimed ? { restoreClaimed } : {}
  const data = { cause, actor, keepInbox, resume, ...restore, turn, discarded }
  return { type: 'cancel/requested', data }
}
