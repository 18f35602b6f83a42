/**
 * The turns of a session: when each ran, what it took in, what it spent, why it ended.
 *
 * A turn is not the result of a message: `claimed` says what it took, never what became of it.
 *
 * @module
 */
import { produce, type Draft } from 'immer'
import type { EventMap, StoredEvent } from '../events/event.ts'
import type { MessageId, TurnReason, Usage } from '../events/message.ts'
import { byType, type Projection } from './projection.ts'
import {
  addUsage,
  bookedUsage,
  NOTHING_REPORTED,
  reportedUsage,
  type Reported,
} from './spending.ts'
import { addTurn, changeTurn, noTurns, turnRecords, type TurnList } from './turn-list.ts'

/** One turn. */
export interface TurnRecord {
  readonly turn: number
  /** Seq and time of `turn/start`. */
  readonly from: number
  readonly startedAt: number
  /** Seq and time of `turn/end`; null while the turn is open. */
  readonly to: number | null
  readonly endedAt: number | null
  readonly reason: TurnReason | null
  readonly steps: number
  /** Ids in the order of their claims. */
  readonly claimed: readonly MessageId[]
  readonly uncommitted: readonly MessageId[]
  /** It only took in a context message, without a step. */
  readonly injection: boolean
  /** The policy under which its end parked what was pending. */
  readonly parks: NonNullable<EventMap['turn/end']['parks']> | null
  readonly usage: Usage
}

export interface TurnsState {
  readonly list: TurnList<TurnRecord>
  readonly reported: Reported
}

/** All turns, oldest first. */
export const turnsView = (state: TurnsState): readonly TurnRecord[] => turnRecords(state.list)

const change = (
  state: TurnsState,
  turn: number,
  edit: (record: Draft<TurnRecord>) => void,
): TurnsState => {
  const list = changeTurn(state.list, turn, (record) => produce(record, edit))
  return list === state.list ? state : { ...state, list }
}

const opened = ({ seq, time, data }: StoredEvent<'turn/start'>): TurnRecord => ({
  turn: data.turn,
  from: seq,
  startedAt: time,
  to: null,
  endedAt: null,
  reason: null,
  steps: 0,
  claimed: [],
  uncommitted: [],
  injection: false,
  parks: null,
  usage: {},
})

const evolveTurn = byType<TurnsState>({
  'turn/start': (state, event) => ({ ...state, list: addTurn(state.list, opened(event)) }),
  'inbox/claimed': (state, { data }) =>
    change(state, data.turn, (record) => {
      record.claimed.push(...data.nextStep, ...data.nextTurn)
    }),
  'context/message': (state, { data }) =>
    change(state, data.turn, (record) => {
      record.injection = true
    }),
  'step/start': (state, { data }) =>
    change(state, data.turn, (record) => {
      record.steps = data.step
    }),
  'turn/end': (state, { seq, time, data }) =>
    change(state, data.turn, (record) => {
      record.to = seq
      record.endedAt = time
      record.reason = data.reason as Draft<TurnReason>
      record.uncommitted = [...data.uncommitted]
      record.parks = data.parks ?? null
    }),
})

function evolve(state: TurnsState, event: StoredEvent): TurnsState {
  const spent = bookedUsage(state.reported, event)
  const reported = reportedUsage(state.reported, event)
  const seen = reported === state.reported ? state : { ...state, reported }
  if (spent !== undefined && 'turn' in event.data) {
    return change(seen, Number(event.data.turn), (record) => {
      record.usage = addUsage(record.usage, spent)
    })
  }
  return evolveTurn(seen, event)
}

/** The turns of a session. */
export const turns: Projection<TurnsState> = {
  name: 'turns',
  initial: { list: noTurns(), reported: NOTHING_REPORTED },
  evolve,
}
