/**
 * The public API of `turnwise`. What is not named here is not public.
 *
 * @module
 */
export { createAgent } from './actors/agent.ts'
export type * from './actors/agent-handle.ts'
export type * from './actors/agent-options.ts'
export type * from './actors/approval.port.ts'
export type * from './actors/run.port.ts'
export { type Clock, systemClock } from './actors/clock.ts'
export type * from './actors/gates.port.ts'
export { currentInitiator, type Initiator } from './actors/initiator.ts'
export { ModelError } from './actors/model.port.ts'
export type { HistoryEntry, Model, ModelContext, ModelRequest } from './actors/model.port.ts'
export { unloadRetry } from './actors/retry-policy.ts'
export type * from './actors/tool-dispatch.port.ts'
export type * from './actors/tool.port.ts'
export { defineTool } from './adapters/define-tool.ts'
export { routeModels } from './adapters/route-models.ts'
export {
  AgentDisposedError,
  EnclosureError,
  type ErrorCode,
  LogCorruptError,
  TurnwiseError,
} from './errors.ts'
export type * from './events/chunk.ts'
export type * from './events/event.ts'
export type * from './events/message.ts'
export type { Json } from './events/json.ts'
export { type Catalogue, createCatalogue } from './events/catalogue.ts'
export { defineEvent, type EventKind } from './events/define-event.ts'
export { checkLog } from './events/enclosure.ts'
export type { Upcaster } from './events/upcast.ts'
export type * from './log/event-log.ts'
export { createMemoryLog, type MemoryLogOptions } from './log/memory-log.ts'
export { BackedStore } from './log/store/backed-store.ts'
export type { QueuedAppend } from './log/store/append-queue.ts'
export type * from './log/store/backend.ts'
export type * from './log/store/event-store.ts'
export { judge } from './log/store/judge.ts'
export { LogStore } from './log/store/log-store.ts'
export {
  approveInSession,
  type DeliveredAnswer,
  type DeliveryOptions,
  type InboxReceiver,
  sendToSession,
  serveInbox,
} from './log/store/serve-inbox.ts'
export {
  createStoreLog,
  openStoreLog,
  type StoreLog,
  type StoreLogOptions,
} from './log/store/store-log.ts'
export {
  createFileLog,
  type CreateFileLogOptions,
  type FileLog,
  type FileLogOptions,
  openFileLog,
  openOrCreateFileLog,
} from './log/file-log.ts'
export { traceOf, type TraceOptions } from './projections/trace/trace.ts'
export {
  compactionPolicy,
  type CompactionOptions,
  type CompactionPolicy,
} from './sessions/compaction.ts'
export { fileStore } from './sessions/file-store.ts'
export type { ForkOptions } from './sessions/fork.ts'
export { agentAsTool, type AgentToolOptions } from './sessions/children/agent-as-tool.ts'
export {
  type BackgroundMessage,
  type BackgroundOptions,
  deliverBackground,
  type Delivery,
} from './sessions/children/background.ts'
export type * from './sessions/children/child-port.ts'
export { createChildren } from './sessions/children/children.ts'
export { createGoals } from './sessions/goals/goals.ts'
export type * from './sessions/goals/goal-port.ts'
export { createAgentHost } from './sessions/host/agent-host.ts'
export type * from './sessions/host/closing-port.ts'
export type * from './sessions/host/host-port.ts'
export type * from './sessions/host/metrics-port.ts'
export { metricsText, type MetricsTextOptions } from './sessions/host/metrics-text.ts'
export { memoryStore } from './sessions/memory-store.ts'
export type * from './sessions/registry-port.ts'
export { createRegistry } from './sessions/registry.ts'
export { repairEvents, repairLog } from './sessions/repair.ts'
export type { SessionStore, StoredSession } from './sessions/session-store.ts'
export { checkSnapshot, foldFrom, type Snapshot, takeSnapshot } from './sessions/snapshot.ts'
