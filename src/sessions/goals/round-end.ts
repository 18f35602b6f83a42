/**
 * What the end of its turn means for a round.
 *
 * @module
 */
import type { TurnReason } from '../../events/message.ts'

/** How a round has ended. */
export type RoundEnd =
  | { readonly kind: 'over' | 'cancelled' | 'disposed' }
  /** A gate behind the fence did not let it in. */
  | { readonly kind: 'rejected'; readonly why: string }
  /** It failed, or ran into a limit. */
  | { readonly kind: 'failed'; readonly why: 'error' | 'max-tokens' | 'limit' | 'interrupted' }

/** @param rejected - why a gate left its message out, if one did. */
export function roundEnd(reason: TurnReason, rejected: string | undefined): RoundEnd {
  if (reason.kind === 'aborted')
    return { kind: reason.cause.kind === 'disposed' ? 'disposed' : 'cancelled' }
  if (rejected !== undefined) return { kind: 'rejected', why: rejected }
  if (reason.kind === 'blocked') return { kind: 'rejected', why: reason.reason }
  return reason.kind === 'completed' ? { kind: 'over' } : { kind: 'failed', why: reason.kind }
}
