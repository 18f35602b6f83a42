/**
 * The port of approvals: which calls somebody must allow, and how a person or a program answers.
 *
 * @module
 */
import type { OpenQuestion } from '../projections/approvals.ts'
import type { GateAt, ToolQuestion } from './gates.port.ts'

/**
 * Must somebody allow a call?
 *
 * - `always`: each call of the tool is asked about.
 * - `never`: none is.
 * - `once`: calls are asked about until one call of this tool was allowed in this session.
 * - a predicate: only exactly `false` lets the call pass without a question. One that throws refuses the call.
 */
export type ApprovalPolicy =
  | 'always'
  | 'never'
  | 'once'
  | ((call: ToolQuestion & GateAt) => boolean | Promise<boolean>)

/** A policy with what its questions say. */
export interface ApprovalOptions {
  /** Default `always`. */
  readonly policy?: ApprovalPolicy
  /** Ms after which an unanswered question is closed as `expired`, which denies the call. Default: never. */
  readonly expiresMs?: number
  /** What the person who answers is told. */
  readonly prompt?: string
}

/** A policy, alone or with its options. */
export type Approval = ApprovalPolicy | ApprovalOptions

/** What stands beside an answer. */
export interface AnswerOptions {
  /** Who answers. Default `user`. */
  readonly by?: string
  /** Shown to the model when the call is denied. */
  readonly reason?: string
}

/** The answer to one question. */
export interface CallAnswer extends AnswerOptions {
  /** Key of the call, or the provider's id where only one open question has it. */
  readonly call: string
  readonly answer: 'allow' | 'deny'
}

/** One answer to all open questions. */
export interface AnswerAllOptions extends AnswerOptions {
  /** Only those about calls of this tool. */
  readonly tool?: string
}

/** The open questions of an agent. */
export interface AgentApprovals {
  /** In the order in which they were asked. */
  readonly open: readonly OpenQuestion[]
  /**
   * Answers several questions as one: all of it is recorded, or nothing.
   *
   * @throws TurnwiseError APPROVAL_CLOSED when one of them is closed or unknown, or named twice; INVALID_OPTION.
   */
  answer(answers: readonly CallAnswer[]): void
  /** Answers what is open now. @returns the keys of the answered calls. */
  answerAll(answer: 'allow' | 'deny', options?: AnswerAllOptions): readonly string[]
}
