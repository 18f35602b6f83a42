/**
 * What the open turn has used of its budgets, and since when each open call runs.
 *
 * It says nothing about what is allowed: that is known of living agents alone.
 *
 * @module
 */
import type { StoredEvent } from '../../../src/events/event.ts'
import { byType, type Projection } from '../../../src/projections/projection.ts'

/** A call that was announced, until its result. */
export interface CallSince {
  readonly key: string
  readonly name: string
  readonly arguments: string
  readonly repeatable: boolean
  readonly seq: number
  readonly time: number
}

export interface Effort {
  readonly turn: number | null
  readonly turnSince: number
  readonly step: number
  readonly stepSince: number
  /** Attempts of the open step that have begun, the first included. */
  readonly attempts: number
  readonly calls: number
  readonly open: readonly CallSince[]
  /** Of the attempt that streams: characters so far, and when the last chunk came. */
  readonly streamed: number
  readonly chunkAt: number
}

const NOTHING: Effort = {
  turn: null,
  turnSince: 0,
  step: 0,
  stepSince: 0,
  attempts: 0,
  calls: 0,
  open: [],
  streamed: 0,
  chunkAt: 0,
}

function onChunk(state: Effort, { time, data }: StoredEvent<'assistant/chunk'>): Effort {
  const { chunk, attempt } = data
  const text = 'text' in chunk ? chunk.text.length : 0
  const begins = attempt > state.attempts
  return {
    ...state,
    attempts: begins ? attempt : state.attempts,
    streamed: begins ? text : state.streamed + text,
    chunkAt: time,
  }
}

const onCall = (state: Effort, { seq, time, data }: StoredEvent<'tool/call'>): Effort => ({
  ...state,
  calls: state.calls + 1,
  open: [
    ...state.open,
    {
      key: data.call.key,
      name: data.name,
      arguments: data.arguments,
      repeatable: data.repeatable === true,
      seq,
      time,
    },
  ],
})

const ofTurn = (state: Effort, turn: number): boolean => state.turn === turn

/** What the open turn has used. */
export const effort: Projection<Effort> = {
  name: 'effort',
  initial: NOTHING,
  evolve: byType<Effort>({
    'turn/start': (_, { time, data }) => ({ ...NOTHING, turn: data.turn, turnSince: time }),
    'turn/end': (state, { data }) => (ofTurn(state, data.turn) ? NOTHING : state),
    'step/start': (state, { time, data }) =>
      ofTurn(state, data.turn)
        ? { ...state, step: data.step, stepSince: time, attempts: 0, streamed: 0, chunkAt: 0 }
        : state,
    'assistant/chunk': onChunk,
    'request/failed': (state, { data }) => ({
      ...state,
      attempts: Math.max(state.attempts, data.attempt),
      streamed: 0,
    }),
    'assistant/message': (state) => ({
      ...state,
      attempts: Math.max(state.attempts, 1),
      streamed: 0,
    }),
    'tool/call': onCall,
    'tool/result': (state, { data }) => {
      const open = state.open.filter(({ key }) => key !== data.call.key)
      return open.length === state.open.length ? state : { ...state, open }
    },
  }),
}
