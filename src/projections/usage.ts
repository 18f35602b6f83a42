/**
 * Tokens spent: in all, and by each turn. Failed and cut attempts count.
 *
 * @module
 */
import type { StoredEvent } from '../events/event.ts'
import type { Usage } from '../events/message.ts'
import type { Projection } from './projection.ts'
import {
  addUsage,
  bookedUsage,
  NOTHING_REPORTED,
  reportedUsage,
  type Reported,
} from './spending.ts'
import { addTurn, changeTurn, noTurns, turnRecords, type TurnList } from './turn-list.ts'

/** Tokens of one turn. */
export interface TurnUsage {
  readonly turn: number
  readonly usage: Usage
}

export interface UsageState {
  readonly total: Usage
  readonly turns: TurnList<TurnUsage>
  /** Reported by the stream of the running attempt and not in the sums yet. */
  readonly reported: Reported
}

/** Tokens of each turn, oldest first. */
export const usageByTurn = (state: UsageState): readonly TurnUsage[] => turnRecords(state.turns)

/** Tokens of one turn; empty if it spent none. */
export const usageOfTurn = ({ turns }: UsageState, turn: number): Usage =>
  turns.last?.turn === turn
    ? turns.last.usage
    : (turns.before.toArray().findLast((record) => record.turn === turn)?.usage ?? {})

function book(state: UsageState, turn: number, spent: Usage): UsageState {
  const total = addUsage(state.total, spent)
  const turns = changeTurn(state.turns, turn, (record) => {
    const sum = addUsage(record.usage, spent)
    return sum === record.usage ? record : { turn, usage: sum }
  })
  return total === state.total && turns === state.turns ? state : { ...state, total, turns }
}

function evolve(state: UsageState, event: StoredEvent): UsageState {
  if (event.type === 'turn/start') {
    return { ...state, turns: addTurn(state.turns, { turn: event.data.turn, usage: {} }) }
  }
  const spent = bookedUsage(state.reported, event)
  const reported = reportedUsage(state.reported, event)
  const seen = reported === state.reported ? state : { ...state, reported }
  return spent === undefined ? seen : book(seen, turnOf(event), spent)
}

/** Only events of a step book. */
const turnOf = (event: StoredEvent): number => ('turn' in event.data ? Number(event.data.turn) : 0)

/** Tokens spent. */
export const usage: Projection<UsageState> = {
  name: 'usage',
  initial: { total: {}, turns: noTurns(), reported: NOTHING_REPORTED },
  evolve,
}
