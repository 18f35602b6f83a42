/**
 * What the end of its turn means for a round, and what that means for its goal.
 *
 * @module
 */
import type { ContentBlock, TurnReason } from '../../events/message.ts'
import type { GoalState } from '../../projections/goal.ts'

/** How a round has ended. */
export type RoundEnd =
  | { readonly kind: 'over' | 'cancelled' | 'disposed' }
  /** A gate behind the fence did not let it in. */
  | { readonly kind: 'rejected'; readonly why: string }
  /** It failed, or ran into a limit. */
  | { readonly kind: 'failed'; readonly why: 'error' | 'max-tokens' | 'limit' | 'interrupted' }

/** What a goal comes to because of its rounds. */
export interface Verdict {
  readonly phase: 'paused' | 'blocked'
  readonly code: 'cancelled' | 'prompt-rejected' | 'round-limit' | 'queue-failed'
  readonly reason?: string
}

/** What rounds ask of the goal they belong to. */
export interface RoundsOwner {
  readonly maxGoalRounds: number
  readonly prompt: (state: GoalState, round: number) => string | readonly ContentBlock[]
  /** Records what rounds have come to, if the goal is still the one they were sent for. */
  conclude(verdict: Verdict): void
}

/** @param rejected - why a gate left its message out, if one did. */
export function roundEnd(reason: TurnReason, rejected: string | undefined): RoundEnd {
  if (reason.kind === 'aborted')
    return { kind: reason.cause.kind === 'disposed' ? 'disposed' : 'cancelled' }
  if (rejected !== undefined) return { kind: 'rejected', why: rejected }
  if (reason.kind === 'blocked') return { kind: 'rejected', why: reason.reason }
  return reason.kind === 'completed' ? { kind: 'over' } : { kind: 'failed', why: reason.kind }
}
