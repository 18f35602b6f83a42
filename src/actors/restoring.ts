/**
 * Claimed messages on their way back to the head of their lists.
 *
 * @module
 */
import type { Insertion } from './inbox-desk.ts'
import type { TurnRecord } from './turn-record.ts'

/** Actor of insertions that the runtime makes by itself. */
export const RESTORED = 'turnwise'

/** The insertions that put `turn.restore` back, in their old order, with their wake flags. */
export function restorations(turn: TurnRecord): Insertion[] {
  const ids = new Set(turn.restore)
  const next = { 'next-turn': 0, 'next-step': 0 }
  return turn.claimed
    .filter(({ entry }) => ids.has(entry.message.id))
    .map(({ entry, list }) => ({
      target: list,
      index: next[list]++,
      message: entry.message,
      wake: entry.wake,
      mark: 'restored' as const,
      actor: RESTORED,
    }))
}
