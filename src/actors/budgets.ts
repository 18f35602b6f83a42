/**
 * The budgets of a turn. They are checked before each step, each model request and each dispatch, so that at most one
 * attempt or one dispatch goes over.
 *
 * @module
 */
import type { LimitReason } from '../events/message.ts'
import type { Settings } from './settings.ts'
import type { TurnRecord } from './turn-record.ts'

/** The budget of time or tokens that is used up. */
export function spentBudget(settings: Settings, turn: TurnRecord): LimitReason | undefined {
  const { maxTurnTokens, maxTurnMs } = settings
  if (turn.tokens >= maxTurnTokens) {
    return { kind: 'limit', which: 'tokens', used: turn.tokens, allowed: maxTurnTokens }
  }
  if (maxTurnMs === Infinity) return undefined
  const used = settings.clock.now() - turn.startedAt
  return used >= maxTurnMs ? { kind: 'limit', which: 'time', used, allowed: maxTurnMs } : undefined
}

/** The budget that forbids one more step. */
export function stepBudget(settings: Settings, turn: TurnRecord): LimitReason | undefined {
  if (turn.step >= settings.maxSteps) {
    return { kind: 'limit', which: 'steps', used: turn.step, allowed: settings.maxSteps }
  }
  return spentBudget(settings, turn)
}
