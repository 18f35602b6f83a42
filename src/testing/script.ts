/**
 * What a scripted model does at one request, as data.
 *
 * @module
 */
import type { Chunk, FinishReason } from '../events/chunk.ts'
import type { Failure, Usage } from '../events/message.ts'

/** One thing the model does, in order. */
export type ScriptItem =
  /** Streams a text block; `open` leaves the block unclosed. */
  | { readonly do: 'text'; readonly text: string; readonly open?: boolean }
  | { readonly do: 'reasoning'; readonly text: string; readonly open?: boolean }
  /** Streams a tool call; `open` stops in the middle of its arguments. */
  | {
      readonly do: 'call'
      readonly id: string
      readonly name: string
      readonly arguments: string
      readonly open?: boolean
    }
  /** Waits for the abort signal and stops, `slowMs` later; `deaf` never stops. */
  | { readonly do: 'stall'; readonly slowMs?: number; readonly deaf?: boolean }
  /** Waits until the gate is released, or until the abort signal. */
  | { readonly do: 'gate'; readonly gate: string }
  /** Waits on the clock. */
  | { readonly do: 'wait'; readonly ms: number }
  /** Ends with a classified failure. */
  | { readonly do: 'fail'; readonly failure: Failure }
  /** Throws an unclassified error; `cause` is its cause. */
  | { readonly do: 'throw'; readonly message: string; readonly cause?: string }
  | { readonly do: 'usage'; readonly usage: Usage }
  | { readonly do: 'finish'; readonly reason: FinishReason; readonly failure?: Failure }
  /** Any chunk, as it is. */
  | { readonly do: 'chunk'; readonly chunk: Chunk }
  /** Ends the stream without a finish. */
  | { readonly do: 'end' }

/**
 * What the model does at one request. Unless an item ends the stream, usage and a finish are added: `tool-calls` where
 * there is a call, otherwise `stop`.
 */
export interface ScriptEntry {
  readonly items: readonly ScriptItem[]
  /** The provider that is meant to answer. */
  readonly provider?: string
  /** The session it is meant for, where several share one script. */
  readonly session?: string
  /** How often the entry stands in the script; default 1. May be Infinity. */
  readonly times?: number
}

/** Usage that is reported where a script gives none. */
export const DEFAULT_USAGE: Usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 }

const FIELD_FINISH: Readonly<Record<string, FinishReason>> = {
  length: 'max-tokens',
  stop: 'stop',
}

/** The finish reason a word of a script stands for. */
export const finishOf = (word: string): FinishReason => FIELD_FINISH[word] ?? (word as FinishReason)

const DEFAULT_MESSAGES: Readonly<Record<string, string>> = {
  RATE_LIMIT: 'slow down',
  ABORTED: 'provider stopped',
}

/** A failure of a script: its message is `boom` where none is given. */
export const failureOf = (
  code: string,
  message?: string,
  more: Omit<Failure, 'code' | 'message'> = {},
): Failure => ({ code, message: message ?? DEFAULT_MESSAGES[code] ?? 'boom', ...more })

/** Items of a script by name, for scripts that are written in TypeScript. */
export const script = {
  text: (text: string): ScriptItem => ({ do: 'text', text }),
  reasoning: (text: string): ScriptItem => ({ do: 'reasoning', text }),
  /** `args` may be raw text, or a value that becomes its JSON text. */
  call: (id: string, name: string, args: unknown = {}): ScriptItem => ({
    do: 'call',
    id,
    name,
    arguments: typeof args === 'string' ? args : JSON.stringify(args),
  }),
  stall: (): ScriptItem => ({ do: 'stall' }),
  gate: (gate: string): ScriptItem => ({ do: 'gate', gate }),
  fail: (code: string, message?: string, more?: Omit<Failure, 'code' | 'message'>): ScriptItem => ({
    do: 'fail',
    failure: failureOf(code, message, more),
  }),
  throw: (message: string): ScriptItem => ({ do: 'throw', message }),
  usage: (usage: Usage): ScriptItem => ({ do: 'usage', usage }),
  finish: (reason: string): ScriptItem => ({ do: 'finish', reason: finishOf(reason) }),
} as const
