/**
 * The words a turn can go on with, and the pure decisions behind them.
 *
 * @module
 */
import type { Failure, LimitReason } from '../events/message.ts'

/** After `turn/start`. */
export type ClaimNext = 'claim' | 'empty' | 'inject' | 'refused'
/** On the way from a claim into a step. */
export type AdmissionNext =
  | 'assemble'
  | 'secure'
  | 'ask'
  | 'enter'
  | 'empty'
  | 'reject'
  | 'limit'
  | 'fail'
/** After a step. `decide` asks the continuation gate; the rest leads on. */
export type ContinueNext =
  | 'fail'
  | 'abort'
  | 'limit'
  | 'decide'
  | 'record'
  | 'claim'
  | 'stop'
  | 'close'
  | Exclude<AdmissionNext, 'reject' | 'empty'>
/** After `turn/end`. */
export type ClosedNext = 'error' | 'retry' | 'restore' | 'done' | 'abandon'

/** How a step ended, as the turn sees it. */
export type StepEnd =
  | { readonly kind: 'done'; readonly owes: boolean; readonly truncated: boolean }
  | { readonly kind: 'aborted' }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'limit'; readonly reason: LimitReason }
  | { readonly kind: 'blocked'; readonly by: string; readonly reason: string }

/** What the turn knows when it must go on after a step. */
export interface ContinueFacts {
  readonly end: StepEnd
  /** Next-step input is pending. */
  readonly pending: boolean
  readonly aborted: boolean
  /** A continuation gate is installed and was not asked for this step yet. */
  readonly mayDecide: boolean
  /** Its answer, once asked. */
  readonly decision: 'continue' | 'stop' | 'default'
  /** No further step may be taken. */
  readonly limited: boolean
  readonly stopGate: boolean
  readonly stopsLeft: boolean
}

/** The next word after a step (contract section 10); `admit` stands for the way into the next step. */
export function afterStep(facts: ContinueFacts): ContinueNext | 'admit' {
  const { end } = facts
  if (facts.aborted || end.kind === 'aborted') return 'abort'
  if (end.kind === 'failed') return 'fail'
  if (end.kind !== 'done') return 'close'
  if (facts.mayDecide) return 'decide'
  return afterDecision(facts, facts.pending || end.owes)
}

/** The next word once nobody else may decide. */
function afterDecision(facts: ContinueFacts, owes: boolean): ContinueNext | 'admit' {
  const { decision } = facts
  if (decision === 'stop' && owes) return 'close'
  if (!owes && decision !== 'continue') return atNaturalStop(facts)
  if (facts.limited) return 'limit'
  return facts.pending ? 'claim' : 'admit'
}

function atNaturalStop({ stopGate, stopsLeft }: ContinueFacts): ContinueNext {
  if (!stopGate) return 'close'
  return stopsLeft ? 'stop' : 'limit'
}

/** Does this decision of the continuation gate change what would have happened? Only then it is recorded. */
export const deviates = (decision: 'continue' | 'stop' | 'default', owes: boolean): boolean =>
  decision === 'continue' ? !owes : decision === 'stop' && owes
