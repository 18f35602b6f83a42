/**
 * Every durable event, by its type: the whole vocabulary of a log.
 *
 * Names are `noun/fact`. An event states what happened and never what should happen next; times are ms since the epoch.
 * The schema of each stands in `schemas.ts`; where each may stand is said by `enclosure.ts`.
 *
 * @module
 */
import type { ApprovalAnswer, ApprovalQuestion } from './approval.ts'
import type { Chunk, FinishReason } from './chunk.ts'
import type { Json } from './json.ts'
import type {
  AssistantMessage,
  CallRef,
  Cause,
  Failure,
  Message,
  MessageId,
  Outcome,
  TurnReason,
  Usage,
} from './message.ts'

export type { ApprovalAnswer, ApprovalQuestion } from './approval.ts'
export type { LogHeader } from './log-header.ts'

/** The two lists of pending messages. */
export type InboxList = 'next-turn' | 'next-step'
/** Who issued a command: a name that means something to the service, such as `user:42`. */
export type ActorName = string
/** Why a pending message was dropped. */
export type DiscardReason = 'removed' | 'cleared' | 'replaced' | 'disposed' | 'rejected'
/** What put an insertion there, if it was no command. */
export type InsertionMark = 'restored' | 'recovered'

/** Where an event of a step stands. */
export interface StepAt {
  readonly turn: number
  readonly step: number
}

/** A tool as it was shown to the model. */
export interface ToolHeader {
  readonly name: string
  readonly description?: string
  /** JSON Schema of the arguments. */
  readonly parameters: Json
}

/** What a request is made with, apart from its messages. */
export interface RequestConfig {
  readonly provider: string
  readonly model: string
  readonly maxTokens?: number
  /** Further settings of the adapter, such as `temperature`. */
  readonly settings?: { readonly [name: string]: Json }
}

/** Payload of every durable event of this library. */
export interface CoreEvents {
  'session/opened': {
    readonly how: 'resume' | 'fork'
    /** Number of inherited events, for a fork. */
    readonly inherited?: number
    readonly wake: boolean
    readonly inheritInbox?: boolean
  }
  'inbox/inserted': {
    readonly target: InboxList
    readonly index: number
    readonly message: Message
    readonly wake: boolean
    readonly actor: ActorName
    readonly mark?: InsertionMark
  }
  'inbox/claimed': {
    readonly turn: number
    readonly nextStep: readonly MessageId[]
    readonly nextTurn: readonly MessageId[]
  }
  'inbox/discarded': {
    readonly ids: readonly MessageId[]
    readonly reason: DiscardReason
    readonly actor: ActorName
  }
  'inbox/replaced': {
    readonly ids: readonly MessageId[]
    readonly target: InboxList
    readonly index: number
    readonly messages: readonly Message[]
    readonly wake: boolean
    readonly actor: ActorName
  }
  'inbox/moved': {
    readonly id: MessageId
    readonly from: InboxList
    readonly to: InboxList
    /** Index in the list it is moved to, after it was taken out of the old place. */
    readonly index: number
    readonly actor: ActorName
  }
  'turn/start': { readonly turn: number }
  'turn/end': {
    readonly turn: number
    readonly reason: TurnReason
    /** Claimed ids that never became a `user/message`, in claim order. */
    readonly uncommitted: readonly MessageId[]
    /** A policy holds back everything pending. (An error turn that claimed nothing parks too, as `log`, without this.) */
    readonly parks?: 'blocked' | 'error' | 'loop'
  }
  'step/start': StepAt
  'step/end': StepAt
  'user/message': StepAt & { readonly message: Message }
  'context/message': { readonly turn: number; readonly message: Message }
  'request/header': StepAt &
    RequestConfig & {
      readonly reason: 'initial' | 'resume' | 'change'
      readonly system?: string
      readonly tools?: readonly ToolHeader[]
      /** Names of settings that came from the adapter's defaults. */
      readonly adapterDefaults?: readonly string[]
    }
  'request/context': StepAt & {
    readonly provider: string
    readonly model: string
    /** Tokens that fit into one request. */
    readonly contextWindow?: number
  }
  'assistant/chunk': StepAt & { readonly attempt: number; readonly chunk: Chunk }
  'request/failed': StepAt & {
    readonly attempt: number
    readonly provider: string
    readonly failure: Failure
    readonly action: 'retry' | 'fail'
    readonly delayMs: number
    readonly usage?: Usage
  }
  'assistant/message': StepAt & {
    readonly message: AssistantMessage
    readonly usage?: Usage
    readonly finish?: FinishReason
    readonly interrupted?: true
    /** Name of the gate that changed the message before it was committed. */
    readonly transformedBy?: string
  }
  'tool/call': StepAt & {
    readonly call: CallRef
    readonly name: string
    /** The raw text the model wrote. */
    readonly arguments: string
    /** Its tool says that calling it again is safe: a repair after a crash repeats that. */
    readonly repeatable?: true
  }
  'tool/settled': StepAt & { readonly call: CallRef; readonly outcome: Outcome }
  'tool/result': StepAt & {
    readonly call: CallRef
    readonly outcome: Outcome
    readonly meta?: Json
  }
  'gate/decided': StepAt & {
    readonly gate: 'continuation'
    readonly decision: 'continue' | 'stop'
    readonly by: string
  }
  'cancel/requested': {
    readonly cause: Cause
    readonly actor: ActorName
    readonly keepInbox: boolean
    readonly resume: boolean
    readonly restoreClaimed?: true
    /** The turn it hit, or null. */
    readonly turn: number | null
    readonly discarded: readonly MessageId[]
  }
  'approval/asked': StepAt & { readonly call: CallRef; readonly question: ApprovalQuestion }
  'approval/decided': StepAt & {
    readonly call: CallRef
    readonly answer: ApprovalAnswer
    readonly by: string
    readonly reason?: string
  }
  'compaction/start': { readonly turn: number | null; readonly range: SeqRange }
  'compaction/summary': {
    readonly turn: number | null
    /** Events it replaces in the history; they stay in the transcript. */
    readonly range: SeqRange
    readonly message: Message
  }
  'compaction/end': {
    readonly turn: number | null
    readonly range: SeqRange
    readonly outcome: 'completed' | 'failed' | 'aborted'
    readonly failure?: Failure
  }
  'goal/change': { readonly goal: string; readonly revision: number; readonly change: Json }
  'child/descriptor': { readonly child: string; readonly descriptor: Json }
}

/** Positions in the log, both inclusive. */
export interface SeqRange {
  readonly from: number
  readonly to: number
}

/**
 * Payloads of your own events, by type. Extend it by declaration merging:
 * `declare module 'turnwise' { interface CustomEvents { 'acme/note': { text: string } } }`.
 */
// eslint-disable-next-line typescript/no-empty-object-type -- merged by users
export interface CustomEvents {}

/** Payload of every event type that may stand in a log. */
export type EventMap = CoreEvents & CustomEvents
export type EventType = Extract<keyof EventMap, string>
/** Types that this library itself defines. */
export type CoreType = keyof CoreEvents

interface Envelope {
  /** A reader that does not know the type may skip it. */
  readonly optional?: true
  /** Seqs of the events this one was made from. */
  readonly cites?: readonly number[]
  /** Version of the payload; absent means 1. */
  readonly v?: number
}

/** An event before it has its place in a log; a union that narrows by `type`. */
export type NewEvent<T extends EventType = EventType> = {
  [K in T]: Envelope & { readonly type: K; readonly data: EventMap[K] }
}[T]

/** An event in a log. `seq` counts from 0 without gaps; `time` is an integer, ms since the epoch. */
export type StoredEvent<T extends EventType = EventType> = {
  [K in T]: Envelope & {
    readonly seq: number
    readonly time: number
    readonly type: K
    readonly data: EventMap[K]
  }
}[T]
