/**
 * What a model streams, one chunk at a time. Adapters yield these, and each is one `assistant/chunk` event.
 *
 * A stream opens a block, sends its deltas, closes it, may report usage, and ends with exactly one `finish`.
 * `block` numbers the blocks of one attempt from 0; deltas name the block they belong to.
 *
 * @module
 */
import type { Json } from './json.ts'
import type { Failure, FileBlock, Usage } from './message.ts'

/** How the provider says the attempt ended. Calls are recognised by their blocks, never by this word. */
export type FinishReason =
  | 'stop'
  | 'tool-calls'
  | 'max-tokens'
  | 'content-filter'
  | 'error'
  | 'aborted'
  | 'other'

export type Chunk =
  | {
      readonly kind: 'block-start'
      readonly block: number
      readonly type: 'text' | 'reasoning' | 'tool-call'
      /** The provider's call id, for `tool-call`. */
      readonly id?: string
      /** The tool's name, for `tool-call`. */
      readonly name?: string
    }
  | { readonly kind: 'text-delta'; readonly block: number; readonly text: string }
  | { readonly kind: 'reasoning-delta'; readonly block: number; readonly text: string }
  /** A piece of the raw argument text of a tool call. */
  | { readonly kind: 'tool-call-delta'; readonly block: number; readonly text: string }
  | { readonly kind: 'block-end'; readonly block: number; readonly replay?: Json }
  /** Something the provider produced whole. */
  | { readonly kind: 'file'; readonly file: FileBlock }
  | { readonly kind: 'provider'; readonly type: string; readonly value: Json }
  | { readonly kind: 'usage'; readonly usage: Usage }
  | {
      readonly kind: 'finish'
      readonly reason: FinishReason
      /** The provider's own word. */
      readonly raw?: string
      /** For `error` and `aborted`: the classified failure. */
      readonly failure?: Failure
    }
