/**
 * The handle: what a program holds of an agent. Reading is always allowed, also after disposal.
 *
 * H1 A verb answers with a receipt at once and never with a turn number: which turn a message joins is decided by a
 *    claim, later.
 * H2 A verb called inside a callback is queued; it never throws because of timing. Faulty arguments and disposal
 *    throw at the call, in every position.
 *
 * @module
 */
import type { Observable } from 'rxjs'
import type { Chunk } from '../events/chunk.ts'
import type { ActorName, InboxList, SeqRange, StepAt, StoredEvent } from '../events/event.ts'
import type { HistoryEntry } from '../events/history-entry.ts'
import type { Cause, Message, MessageId, MessageInput } from '../events/message.ts'
import type { EventLog } from '../log/event-log.ts'
import type { InboxEntry, Parked, Placement } from '../projections/inbox.ts'
import type { Projection } from '../projections/projection.ts'
import type { TraceOptions } from '../projections/trace/trace.ts'
import type { AgentOptions, Diagnostic } from './agent-options.ts'
import type { AgentApprovals, AnswerOptions } from './approval.port.ts'
import type {
  AgentRun,
  InferOutput,
  OutputOptions,
  RunOptions,
  RunOutput,
  RunResult,
} from './run.port.ts'
import type { StandardSchema } from './tool.port.ts'

export type AgentStatus = 'idle' | 'running' | 'disposed'
export type Activity = 'idle' | 'turn' | 'maintenance'

export interface SendOptions {
  /** Default `next-turn`. */
  readonly target?: InboxList
  /** Default true. */
  readonly wake?: boolean
  /** Default: `caller`, or the agent in whose gate or tool this is called. */
  readonly actor?: ActorName
}
export interface InjectOptions {
  /** On an idle agent: a turn of its own, without a model call. Default false. */
  readonly turn?: boolean
  readonly actor?: ActorName
}
export interface CancelOptions {
  /** Pending input survives, parked. Default false. */
  readonly keepInbox?: boolean
  /** With `keepInbox`: it goes on by itself after convergence. Default false. */
  readonly resume?: boolean
  /** Claimed messages of a turn that never entered a step go back; implies `keepInbox`. Default false. */
  readonly restoreClaimed?: boolean
  /** Only if this turn is the open one. */
  readonly turn?: number
  readonly actor?: ActorName
}
export interface CancelReceipt {
  /** `queued`: called inside a callback, applied after the current move. */
  readonly effect: 'aborted' | 'discarded' | 'none' | 'queued'
  /** The turn that was hit. */
  readonly turn?: number
  readonly discarded: readonly MessageId[]
  /** Why a cancel that named its turn had no effect. */
  readonly code?: 'TURN_FINISHED'
}
/** A cause, or its kind. */
export type CauseInput = 'user' | 'parent' | 'hook' | Cause
/** Answer of an edit; `queued` when called inside a callback. */
export type EditAnswer = boolean | 'queued'

/** The pending messages and their edits. Insertions by edit do not wake. Coordinates are those of array splice. */
export interface Inbox {
  readonly nextTurn: readonly InboxEntry[]
  readonly nextStep: readonly InboxEntry[]
  append(list: InboxList, message: MessageInput, options?: { actor?: ActorName }): EditAnswer
  prepend(list: InboxList, message: MessageInput, options?: { actor?: ActorName }): EditAnswer
  replace(id: MessageId, message: MessageInput, options?: { actor?: ActorName }): EditAnswer
  remove(id: MessageId, options?: { actor?: ActorName }): EditAnswer
  /** Default index: the end of the list. */
  move(id: MessageId, to: InboxList, index?: number, options?: { actor?: ActorName }): EditAnswer
  clear(options?: { actor?: ActorName }): EditAnswer
  splice(
    list: InboxList,
    start: number,
    deleteCount: number,
    messages?: readonly MessageInput[],
    options?: { actor?: ActorName },
  ): EditAnswer
}

/** Told as it happens, never stored. */
export type LiveNotice =
  | { readonly type: 'status'; readonly status: AgentStatus }
  | {
      readonly type: 'inserted'
      readonly message: Message
      readonly target: InboxList
      readonly wake: boolean
      readonly placement: Placement
    }
  | { readonly type: 'claimed'; readonly message: Message; readonly turn: number }
  | { readonly type: 'discarded'; readonly message: Message; readonly reason: string }
  | {
      readonly type: 'error'
      readonly turn: number
      readonly step: number
      readonly error: { readonly code: string; readonly message: string }
    }
  /** A chunk of the policy `live`, which is recorded nowhere. */
  | ({ readonly type: 'chunk'; readonly attempt: number; readonly chunk: Chunk } & StepAt)
  | { readonly type: 'agent/disposed' }
  | { readonly type: 'diagnostic'; readonly diagnostic: Diagnostic }

export type { AgentRun, OutputOptions, RunOptions, RunResult } from './run.port.ts'

/** An event of a service's own. Types of this library are refused. */
export interface CustomEvent {
  /** Namespaced, such as `acme/note`. */
  readonly type: string
  readonly data: unknown
  /** A reader that does not know the type may skip it. */
  readonly optional?: true
  readonly cites?: readonly number[]
}

/** Says what stands in the history instead of `entries`; its default source is a plugin. */
export type Summarize = (
  entries: readonly HistoryEntry[],
  signal: AbortSignal,
) => MessageInput | Promise<MessageInput>

/** An agent. */
export interface Agent {
  readonly id: string
  readonly options: Readonly<AgentOptions>
  readonly log: EventLog
  readonly inbox: Inbox
  /** The open questions about calls. */
  readonly approvals: AgentApprovals
  readonly status: AgentStatus
  readonly activity: Activity
  /** What a recorded policy holds back, or null. */
  readonly parked: Parked | null

  send(message: MessageInput, options?: SendOptions): MessageId
  /** Next-turn, waking. */
  followup(message: MessageInput, options?: { actor?: ActorName }): MessageId
  /** Next-step, waking. */
  steer(message: MessageInput, options?: { actor?: ActorName }): MessageId
  /** Next-step, not waking; the default source is a plugin. */
  inject(message: MessageInput, options?: InjectOptions): MessageId
  cancel(cause?: CauseInput, options?: CancelOptions): CancelReceipt
  /** `cancel` with `keepInbox` and `resume`. */
  abort(
    reason?: CauseInput,
    options?: Pick<CancelOptions, 'restoreClaimed' | 'turn' | 'actor'>,
  ): CancelReceipt
  /** Answers one open question. @throws TurnwiseError APPROVAL_CLOSED when it is closed or unknown. */
  approve(call: string, answer: 'allow' | 'deny', options?: AnswerOptions): void
  /** Appends an event of your own; its type must be namespaced and none of this library. */
  record(event: CustomEvent): void

  /** Resolves at quiescence, at once if it is there. Rejects only with SELF_WAIT. */
  whenIdle(): Promise<void>
  /**
   * Owns the interval from the insertion of its message to quiescence. With `output` the final response must hold data: the
   * model is told so in the message, and once more, inside the interval, where its answer does not fit.
   *
   * @throws TurnwiseError (the promise rejects) RUN_IN_PROGRESS, RUN_TIMEOUT, INVALID_OPTION, SELF_WAIT; what the message was
   *   refused with; what the observer threw.
   */
  run<Schema extends StandardSchema>(
    message: MessageInput,
    options: OutputOptions<Schema>,
  ): AgentRun<RunResult & RunOutput<InferOutput<Schema>>>
  run(message: MessageInput, options?: RunOptions): AgentRun
  /** Runs `task` while the agent is idle. @throws TurnwiseError AGENT_BUSY */
  runMaintenance<T>(task: (signal: AbortSignal) => T | Promise<T>): Promise<T>
  /**
   * Replaces a range of the history by what `summarize` says: inside a gate of its own, or inside maintenance, as a part
   * of that; anywhere else as maintenance. What was replaced stays in the log.
   *
   * @returns whether the history changed.
   * @throws TurnwiseError AGENT_BUSY; what `summarize` throws. The history is as it was then.
   */
  compact(range: SeqRange, summarize: Summarize): Promise<boolean>
  dispose(options?: { keepInbox?: boolean }): Promise<void>
  [Symbol.asyncDispose](): Promise<void>

  /** Every event from `from` (default 0), once and in order, then live ones. @returns unsubscribe */
  subscribe(options: { from?: number }, observer: (event: StoredEvent) => void): () => void
  /** Live notifications, from now on. @returns unsubscribe */
  listen(listener: (notice: LiveNotice) => void): () => void
  /** Calls `undo` when the agent is disposed, last registered first. */
  onDispose(undo: () => void): void
  /** Durable events from now on. */
  readonly events$: Observable<StoredEvent>
  /** The current status, then every change. */
  readonly status$: Observable<AgentStatus>
  /** The current state of a projection. */
  read<S>(projection: Projection<S>): S
  /** The current state of a projection, then every change. */
  select<S>(projection: Projection<S>): Observable<S>
  /**
   * What happened, from the log alone: a timeline, or a Mermaid sequence diagram. Nothing that anybody said is in it,
   * unless `reveal` is set. Costs one walk over the log. @throws TurnwiseError INVALID_OPTION
   */
  trace(options?: TraceOptions): string
}
