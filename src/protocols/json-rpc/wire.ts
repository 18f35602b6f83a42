/**
 * What is said on the wire: every method with its parameters and its answer.
 *
 * Server and client share it, so that neither knows a word that the other does not. Lines are JSON-RPC 2.0.
 *
 * @module
 */
import type { ForkOptions } from '../../sessions/fork.ts'
import type {
  AgentStatus,
  CancelOptions,
  CancelReceipt,
  CauseInput,
  EditAnswer,
} from '../../actors/agent-handle.ts'
import type { InboxList, InsertionMark, LogHeader, StoredEvent } from '../../events/event.ts'
import type { Json } from '../../events/json.ts'
import type { ContentBlock, Message, MessageId } from '../../events/message.ts'
import type { OpenQuestion } from '../../projections/approvals.ts'
import type { Parked, Placement } from '../../projections/inbox-state.ts'

/** Versions that this library speaks. */
export const PROTOCOL_VERSIONS = { min: 1, max: 1 } as const

/** Longest line in bytes, without its line break; longer ones are refused by the server and cut off by the client. */
export const MAX_LINE_BYTES = 16 * 1024 * 1024

/** With what agents of this connection are made. */
export interface InitializeParams {
  readonly protocolVersion: number
  /** Folder of the sessions; made absolute, and recorded in each header. */
  readonly cwd: string
  readonly provider: string
  readonly model: string
  /** Positive integer. */
  readonly maxTokens?: number
  /** Which sessions are told about: `all`, or only those that were subscribed to. Default `all`. */
  readonly notifications?: 'all' | 'subscribed'
  /** Needed where the server listens on TCP. */
  readonly token?: string
  /** For people who read traces; the server does not look at it. */
  readonly clientInfo?: Json
}

export interface InitializeResult {
  readonly protocolVersion: number
  readonly serverInfo: { readonly name: string; readonly version: string }
}

interface OfSession {
  readonly sessionId: string
}

/** What every sent message may say beside its content. */
interface Sending extends OfSession {
  readonly contentBlocks: readonly ContentBlock[]
  /** Default: a new one. Sending the same id twice is refused with DUPLICATE_ID. */
  readonly messageId?: MessageId
  /** Who is named in the log as the sender. Default `caller`. */
  readonly actor?: string
}

/** The admission receipt: the message is in the log, and nothing more is said. */
export interface Receipt {
  readonly messageId: MessageId
}

/** One pending message as readers show it. */
export interface QueueEntry {
  readonly messageId: MessageId
  readonly placement: Placement
  readonly list: InboxList
  readonly wake: boolean
  readonly message: Message
  readonly mark?: InsertionMark
}

/** What waits in a session, next-step first. */
export interface Queue {
  readonly pending: readonly QueueEntry[]
  /** What a recorded policy holds back, or null. */
  readonly parked: Parked | null
}

interface Editing extends OfSession {
  readonly actor?: string
}

interface Inserting extends Editing {
  readonly list: InboxList
  readonly contentBlocks: readonly ContentBlock[]
  readonly messageId?: MessageId
}

/** What an edit did: false where it named nothing that is pending. */
export interface Edited {
  readonly applied: EditAnswer
}

/** A session, live or stored. */
export interface ListedSession extends OfSession {
  /** Null: it is stored, and nobody has opened it here. */
  readonly status: AgentStatus | null
  readonly parent: string | null
}

/** Parameters and answer of every method. */
export interface Methods {
  initialize: { params: InitializeParams; result: InitializeResult }
  shutdown: { params: { readonly keepInbox?: boolean }; result: Record<string, never> }

  'session/prompt': { params: Sending; result: Receipt }
  'session/steer': { params: Sending; result: Receipt }
  'session/inject': {
    params: Sending & {
      /** Name of the plugin that is recorded as its source. Default: an empty one. */
      readonly plugin?: string
      /** On an idle agent: a turn of its own, without a model call. */
      readonly turn?: boolean
    }
    result: Receipt
  }
  'session/cancel': {
    params: OfSession & { readonly cause?: CauseInput } & CancelOptions
    result: CancelReceipt
  }
  'session/close': {
    params: OfSession & {
      /** Cuts what runs and keeps what waits for the next time. Default false: what waits is worked off first. */
      readonly keepInbox?: boolean
      /** Ms that running work gets before it is cut. Default 10 000. */
      readonly graceMs?: number
    }
    result: Record<string, never>
  }
  'session/resume': { params: OfSession & { readonly wake?: boolean }; result: Queue }
  'session/fork': {
    params: OfSession & Omit<ForkOptions, 'id'> & { readonly newSessionId?: string }
    result: { readonly sessionId: string; readonly header: LogHeader }
  }
  'session/list': {
    params: Record<string, never>
    result: { readonly sessions: readonly ListedSession[] }
  }
  'session/inbox': { params: OfSession; result: Queue }
  'session/approvals': { params: OfSession; result: { readonly open: readonly OpenQuestion[] } }
  'session/approve': {
    params: OfSession & {
      /** Key of the call. */
      readonly call: string
      readonly answer: 'allow' | 'deny'
      readonly by?: string
      readonly reason?: string
    }
    result: Record<string, never>
  }
  'session/events': {
    params: OfSession & {
      /** Seq of the first event. Default 0. */
      readonly from?: number
      /** How many at most, 1–1000. Default 200. */
      readonly limit?: number
    }
    /** `next` is the seq behind the last one that was answered, `length` the length of the log. */
    result: {
      readonly events: readonly StoredEvent[]
      readonly next: number
      readonly length: number
    }
  }
  'session/projection': {
    params: OfSession & {
      readonly name: string
      /** For `lineage`. */
      readonly messageId?: MessageId
    }
    /** The state after `length` events. */
    result: { readonly state: Json; readonly length: number }
  }
  'session/subscribe': {
    params: OfSession & { readonly from?: number }
    /** Everything before `next` was told. */
    result: { readonly next: number }
  }
  'session/unsubscribe': { params: OfSession; result: Record<string, never> }
  'session/whenIdle': { params: OfSession; result: Record<string, never> }

  'inbox/append': { params: Inserting; result: Edited & Receipt }
  'inbox/prepend': { params: Inserting; result: Edited & Receipt }
  'inbox/replace': {
    params: Editing & {
      /** The message that goes. */
      readonly id: MessageId
      readonly contentBlocks: readonly ContentBlock[]
      /** Default: that of the message that goes. */
      readonly messageId?: MessageId
    }
    result: Edited & Receipt
  }
  'inbox/remove': { params: Editing & { readonly id: MessageId }; result: Edited }
  'inbox/move': {
    params: Editing & {
      readonly id: MessageId
      readonly to: InboxList
      /** Default: the end of the list. */
      readonly index?: number
    }
    result: Edited
  }
  'inbox/clear': { params: Editing; result: Edited }
}

export type MethodName = keyof Methods
export type ParamsOf<M extends MethodName> = Methods[M]['params']
export type ResultOf<M extends MethodName> = Methods[M]['result']
