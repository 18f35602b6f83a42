/**
 * The projections: everything a reader can know of a session, as pure folds of its log.
 *
 * Give one to `agent.read` for its present state, to `agent.select` for its changes, or to `fold` for a stored log.
 *
 * @module
 */
export type { AppendList } from './append-list.ts'
export { approvals, type ApprovalsState, openQuestion } from './approvals.ts'
export { backgroundWakes, type BackgroundWakes } from './background-wakes.ts'
export { cancels, type CancelRecord } from './cancels.ts'
export { childWork, type ChildWork } from './child-work.ts'
export { consumed, type ConsumedWork, consumedWork } from './consumed-work.ts'
export { goal, type GoalChange, type GoalPhase, type GoalState } from './goal.ts'
export { history, type History, historyView } from './history.ts'
export {
  inbox,
  type InboxEntry,
  type InboxState,
  type Parked,
  pendingEntries,
  type Placement,
  placementOf,
} from './inbox.ts'
export { lineage, type Lineage } from './lineage.ts'
export { openWork, type OpenWork } from './open-work.ts'
export { byType, fold, type Projection } from './projection.ts'
export { requestHeader, type RequestHeader } from './request-header.ts'
export { type RunInterval, runInterval } from './run-interval.ts'
export { status, statusOf, type StatusState } from './status.ts'
export { traceOf, type TraceOptions } from './trace/trace.ts'
export { traceEntries, type TraceEntriesOptions } from './trace/trace-entries.ts'
export type { TraceEntry, TraceParty } from './trace/trace-entry.ts'
export { type Transcript, transcript, transcriptPage } from './transcript.ts'
export { turns, type TurnsState, turnsView } from './turns.ts'
export { usage, usageByTurn, usageOfTurn, type UsageState } from './usage.ts'
