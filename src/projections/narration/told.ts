/**
 * What is told to somebody who watches a run, and how a format takes it. Nothing here knows events or formats.
 *
 * @module
 */
import type { ApprovalQuestion } from '../../events/event.ts'
import type { FileBlock, Outcome, TurnReason } from '../../events/message.ts'

export type BlockType = 'text' | 'reasoning' | 'tool-call'

/** A block that was begun: what was said, or a call. */
export type OpenBlock =
  | { readonly id: string; readonly type: 'text' | 'reasoning' }
  | { readonly id: string; readonly type: 'tool-call'; readonly call: string }

/** One thing that is told. Ids of blocks are unique in the session; `call` is the key of a call. */
export type Told =
  | { readonly kind: 'turn-start'; readonly turn: number }
  | { readonly kind: 'step-start'; readonly turn: number; readonly step: number }
  | { readonly kind: 'block-start'; readonly id: string; readonly type: 'text' | 'reasoning' }
  | {
      readonly kind: 'block-start'
      readonly id: string
      readonly type: 'tool-call'
      readonly call: string
      readonly name: string
    }
  | ({ readonly kind: 'delta'; readonly text: string } & OpenBlock)
  | ({ readonly kind: 'block-end' } & OpenBlock)
  | { readonly kind: 'file'; readonly file: FileBlock }
  /** The attempt failed: what was told of it since its step or its last failure does not count. */
  | { readonly kind: 'failed'; readonly message: string; readonly retries: boolean }
  | { readonly kind: 'call'; readonly call: string; readonly name: string; readonly text: string }
  | { readonly kind: 'asked'; readonly call: string; readonly question: ApprovalQuestion }
  | { readonly kind: 'answered'; readonly call: string; readonly answer: string }
  | { readonly kind: 'outcome'; readonly call: string; readonly outcome: Outcome }
  | { readonly kind: 'step-end'; readonly turn: number; readonly step: number }
  | { readonly kind: 'turn-end'; readonly turn: number; readonly reason: TurnReason }

/** What a format makes of each thing that is told. */
export type Telling<T> = {
  readonly [kind in Told['kind']]: (told: Extract<Told, { readonly kind: kind }>) => readonly T[]
}

/** What `format` makes of it. */
export const tell = <T>(format: Telling<T>, told: Told): readonly T[] =>
  (format[told.kind] as (told: Told) => readonly T[])(told)
