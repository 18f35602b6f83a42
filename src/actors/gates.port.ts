/**
 * The gates: deciding hooks, awaited one after another as a waterfall with `next()`.
 *
 * A gate that throws, or that is interrupted by an abort, never lets anything pass. After an abort its answer is
 * ignored. Gates run outside the caller's stack, under the signal of the turn.
 *
 * @module
 */
import type { ApprovalQuestion, RequestConfig } from '../events/event.ts'
import type { Json } from '../events/json.ts'
import type {
  AssistantMessage,
  CallRef,
  Failure,
  Message,
  MessageId,
  MessageInput,
  Outcome,
} from '../events/message.ts'

/** Where a gate is asked. */
export interface GateAt {
  readonly agent: string
  readonly turn: number
  readonly step: number
  readonly signal: AbortSignal
}

/** One gate: it may answer by itself, or delegate to the next one and look at its answer. */
export type Gate<Question, Answer> = (
  question: Question & GateAt,
  next: () => Promise<Answer>,
) => Answer | Promise<Answer>

/** Answer of `preStep`: which messages enter the step, or that none may. */
export type PreStepDecision =
  | { readonly kind: 'enter'; readonly messages: readonly (Message | MessageInput)[] }
  | {
      readonly kind: 'reject'
      readonly reason: string
      /** Claimed ids that return to the head of their lists. */
      readonly restore?: readonly MessageId[]
      /** Who rejects; default: the name of the gate. */
      readonly by?: string
    }

/** Answer of `requestError`: nothing means no retry. */
export type RetryDecision =
  | void
  | undefined
  | { readonly action: 'retry'; readonly delayMs?: number }

/** Answer of `toolPre`. */
export type ToolPreDecision =
  | { readonly kind: 'allow' }
  | { readonly kind: 'deny'; readonly reason: string; readonly by?: string }
  | {
      readonly kind: 'ask'
      readonly prompt?: string
      /** Ms after which the unanswered question is closed as `expired`, which denies the call. Default: never. */
      readonly expiresMs?: number
      /** No question where a call of this tool was allowed before in this session. */
      readonly once?: true
    }

/** Answer of `toolPost`. */
export type ToolPostDecision =
  | {
      readonly kind: 'accept'
      /** Replaces what the model sees. */
      readonly content?: Outcome['content'] | string
      readonly contexts?: readonly MessageInput[]
    }
  | {
      readonly kind: 'block'
      readonly feedback: string
      readonly contexts?: readonly MessageInput[]
    }

export interface ToolQuestion {
  readonly call: CallRef
  readonly tool: string
  /** Parsed JSON, or the raw text where that failed. */
  readonly arguments: Json
}

/** The gates of an agent. Each may be one function or a list of them, asked in order. */
export interface Gates {
  /** Asked before every step, with the frozen batch. Default: it enters unchanged. */
  readonly preStep?: OneOrMore<Gate<{ readonly batch: readonly Message[] }, PreStepDecision>>
  /** Asked before every attempt. Default: the configuration as it is. */
  readonly request?: OneOrMore<
    Gate<{ readonly attempt: number; readonly config: PartialConfig }, PartialConfig>
  >
  /** Asked after every failed attempt, while the step is open. Default: no retry. */
  readonly requestError?: OneOrMore<
    Gate<
      { readonly attempt: number; readonly provider: string; readonly failure: Failure },
      RetryDecision
    >
  >
  /** Asked with a finished attempt before it is committed. Default: the message as it is. */
  readonly stepResult?: OneOrMore<Gate<{ readonly message: AssistantMessage }, AssistantMessage>>
  /** Asked for each call in the model's order. Default: allow. */
  readonly toolPre?: OneOrMore<Gate<ToolQuestion, ToolPreDecision>>
  /** Asked for each settled call in the model's order. Default: accept. */
  readonly toolPost?: OneOrMore<
    Gate<ToolQuestion & { readonly outcome: Outcome }, ToolPostDecision>
  >
  /** Asked after each step that did not fail. Default: `default`. */
  readonly continuation?: OneOrMore<
    Gate<{ readonly owes: boolean }, 'continue' | 'stop' | 'default'>
  >
  /** Asked at a natural stop with nothing pending; steering or injecting meanwhile continues the turn. */
  readonly turnStopping?: OneOrMore<Gate<{ readonly stops: number }, void>>
}

/** A configuration that may still lack its route. */
export type PartialConfig = Omit<RequestConfig, 'provider' | 'model'> & {
  readonly provider?: string
  readonly model?: string
}

export type OneOrMore<F> = F | readonly F[]
export type { ApprovalQuestion }
