/**
 * What people, tools and models say: messages and their content blocks.
 *
 * Messages are lossless JSON, copied and deep-frozen where they enter (`parse-message.ts`); from there on every reader
 * may share them.
 *
 * @module
 */
import type { Json } from './json.ts'

/** Names one message; unique among pending messages and never used again once committed. */
export type MessageId = string

/** Who a message comes from. Stored verbatim; fields beside `kind` belong to the sender. */
export interface Source {
  readonly kind: 'user' | 'plugin' | 'tool' | 'model' | 'goal' | 'child'
  /** Name of the plugin, for kind `plugin`; may be empty. */
  readonly plugin?: string
  readonly [extra: string]: Json | undefined
}

/** Plain text. */
export interface TextBlock {
  readonly type: 'text'
  readonly text: string
}

/** A file or an image: exactly one of `data` (base64) and `url`. */
export interface FileBlock {
  readonly type: 'file' | 'image'
  readonly mediaType: string
  readonly data?: string
  readonly url?: string
  readonly name?: string
}

/** What a message to the model, or an outcome of a tool, may hold. */
export type ContentBlock = TextBlock | FileBlock

/** A message to the agent. `role` is always `user` for the model; `source` tells who really wrote it. */
export interface Message {
  readonly id: MessageId
  readonly role: 'user'
  readonly content: readonly ContentBlock[]
  readonly source: Source
  /** The sender's own facts; kept and never shown to the model. */
  readonly metadata?: Json
}

/** What a caller may pass for a message: a text, blocks, or a message of which all but `content` may be left out. */
export type MessageInput =
  | string
  | readonly ContentBlock[]
  | {
      readonly id?: MessageId
      readonly role?: 'user'
      readonly content: string | readonly ContentBlock[]
      readonly source?: Source
      readonly metadata?: Json
    }

/** The identity of a tool call. `key` is unique in the session; `providerId` may repeat. */
export interface CallRef {
  readonly key: string
  /** Position among the calls of its step, from 0. */
  readonly index: number
  readonly providerId: string
}

/** A tool call inside an assistant message. `arguments` is the raw text the model wrote. */
export interface ToolCallBlock {
  readonly type: 'tool-call'
  readonly call: CallRef
  readonly name: string
  readonly arguments: string
  /** Private data of the provider that must be sent back unchanged. */
  readonly replay?: Json
}

/** What the model thought, where the provider shows it. */
export interface ReasoningBlock {
  readonly type: 'reasoning'
  readonly text: string
  readonly replay?: Json
}

/** Visible text of the model. */
export interface AssistantTextBlock extends TextBlock {
  readonly replay?: Json
}

/** Something else the provider produced: a source, a file, a call it executed itself. Kept as it came. */
export interface ProviderBlock {
  readonly type: 'provider'
  readonly kind: string
  readonly value: Json
}

/** What an assistant message may hold, in the order the model produced it. */
export type AssistantBlock =
  | AssistantTextBlock
  | ReasoningBlock
  | ToolCallBlock
  | FileBlock
  | ProviderBlock

/** One finished (or interrupted) attempt of the model. */
export interface AssistantMessage {
  readonly role: 'assistant'
  readonly content: readonly AssistantBlock[]
}

/** Tokens of one attempt. Missing numbers are unknown, not zero. */
export interface Usage {
  readonly inputTokens?: number
  readonly outputTokens?: number
  readonly totalTokens?: number
  readonly reasoningTokens?: number
  readonly cacheReadTokens?: number
  readonly cacheWriteTokens?: number
}

/** How a tool call ended. Exactly one per call. */
export type Outcome =
  | {
      readonly kind: 'ok'
      readonly content: readonly ContentBlock[]
      /** The tool asked to end the turn after this step. */
      readonly concludes?: true
      /** The tool's structured value, if it was lossless JSON. */
      readonly value?: Json
    }
  | {
      readonly kind: 'error'
      /** A code of this library or of a classified failure; a plain throw has none. */
      readonly code?: string
      readonly content: readonly ContentBlock[]
      /** Of an unknown outcome: the tool declared that calling it again is safe. */
      readonly repeatable?: true
    }
  | {
      readonly kind: 'denied'
      readonly by: string
      readonly reason: string
      readonly content: readonly ContentBlock[]
    }

/** Why an attempt, or a turn, failed. */
export interface Failure {
  readonly code: string
  readonly message: string
  /** HTTP status of the provider. */
  readonly status?: number
  readonly retryAfterMs?: number
  readonly requestId?: string
}

/** Why an activity was aborted. `disposed` is reserved for disposal; further fields are recorded as given. */
export interface Cause {
  readonly kind: 'user' | 'parent' | 'hook' | 'disposed'
  readonly [extra: string]: Json | undefined
}

/** Which budget ended a turn, how much was allowed and how much was used. */
export interface LimitReason {
  readonly kind: 'limit'
  readonly which: 'steps' | 'attempts' | 'stops' | 'time' | 'tokens'
  readonly used: number
  readonly allowed: number
  readonly failure?: Failure
}

/** Why a turn ended. */
export type TurnReason =
  | { readonly kind: 'completed' }
  | { readonly kind: 'max-tokens' }
  | { readonly kind: 'blocked'; readonly by: string; readonly reason: string }
  | { readonly kind: 'aborted'; readonly cause: Cause }
  | ({ readonly kind: 'error'; readonly attempts?: number } & Failure)
  | LimitReason
  | { readonly kind: 'interrupted' }
