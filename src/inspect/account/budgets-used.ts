/**
 * What each turn has used of its budgets, as far as the log says. What is allowed stands in the log only where it was
 * reached.
 *
 * It runs in a browser too.
 *
 * @module
 */
import type { StoredEvent } from '../../events/event.ts'
import { tokensOf } from '../../actors/turn-record.ts'
import type { LimitReason } from '../../events/message.ts'
import { fold } from '../../projections/projection.ts'
import {
  bookedUsage,
  NOTHING_REPORTED,
  type Reported,
  reportedUsage,
} from '../../projections/spending.ts'
import { turns, turnsView } from '../../projections/turns.ts'

/** What one turn has used. */
export interface BudgetsUsed {
  readonly turn: number
  readonly steps: number
  /** Attempts of its step with most of them; what the budget counts. */
  readonly attempts: number
  /** Tokens in and out, of all attempts; what was not reported is not counted. */
  readonly tokens: number
  /** Ms from start to end, or to the last event while it is open. */
  readonly ms: number
  /** Only where the turn ended at one. */
  readonly limit: LimitReason | null
}

/** Counts what the projection of the turns does not. */
class Effort {
  readonly attempts = new Map<number, number>()
  readonly tokens = new Map<number, number>()
  private failed = 0
  private reported: Reported = NOTHING_REPORTED

  note(event: StoredEvent): void {
    const spent = bookedUsage(this.reported, event)
    this.reported = reportedUsage(this.reported, event)
    if (spent !== undefined && 'turn' in event.data) {
      const turn = Number(event.data.turn)
      this.tokens.set(turn, (this.tokens.get(turn) ?? 0) + tokensOf(spent))
    }
    if (event.type === 'step/start') this.failed = 0
    else if (event.type === 'request/failed') this.attempt(event.data.turn, (this.failed += 1))
    else if (event.type === 'assistant/chunk' || event.type === 'assistant/message')
      this.attempt(event.data.turn, this.failed + 1)
  }

  private attempt(turn: number, attempts: number): void {
    this.attempts.set(turn, Math.max(this.attempts.get(turn) ?? 0, attempts))
  }
}

/** What every turn has used, oldest first. */
export function budgetsUsed(events: readonly StoredEvent[]): readonly BudgetsUsed[] {
  const effort = new Effort()
  for (const event of events) effort.note(event)
  const now = events.at(-1)?.time ?? 0
  return turnsView(fold(turns, events)).map(({ turn, steps, startedAt, endedAt, reason }) => ({
    turn,
    steps,
    attempts: effort.attempts.get(turn) ?? 0,
    tokens: effort.tokens.get(turn) ?? 0,
    ms: Math.max(0, (endedAt ?? now) - startedAt),
    limit: reason?.kind === 'limit' ? reason : null,
  }))
}
