/**
 * What a child has come to: how its work ended, what it said last, what it used.
 *
 * W1 Only what came after the last restart counts: an inherited prefix, and work that was settled before, do not.
 * W2 What was committed is the answer. What was only streamed is the answer where nothing was committed.
 *
 * @module
 */
import type { Chunk } from '../events/chunk.ts'
import type { StepAt, StoredEvent } from '../events/event.ts'
import type { TurnReason, Usage } from '../events/message.ts'
import { AppendList } from './append-list.ts'
import { consumed, type ConsumedWorkState } from './consumed-work.ts'
import { byType, type Projection } from './projection.ts'
import {
  addUsage,
  assistantText,
  bookedUsage,
  NOTHING_REPORTED,
  reportedUsage,
  type Reported,
} from './spending.ts'
import type { TurnEnd } from './run-interval.ts'

/** The text of one attempt. */
export interface Streamed {
  readonly at: string
  readonly text: string
}

export interface ChildWork {
  readonly consumed: ConsumedWorkState
  /** How the turn ended that accounts for the work; null if there is none. */
  readonly reason: TurnReason | null
  /** A cancel was recorded. */
  readonly cancelled: boolean
  /** Last committed text that is not empty. */
  readonly committed: string
  /** What the latest attempt with a text has streamed. */
  readonly streamed: Streamed
  readonly turns: AppendList<TurnEnd>
  readonly usage: Usage
  readonly reported: Reported
}

const NO_STREAM: Streamed = { at: '', text: '' }

/** Adds what an attempt has streamed. */
export function streamedText(
  state: Streamed,
  { turn, step }: StepAt,
  attempt: number,
  chunk: Chunk,
): Streamed {
  if (chunk.kind !== 'text-delta' || chunk.text === '') return state
  const at = `${turn}.${step}#${attempt}`
  return { at, text: state.at === at ? state.text + chunk.text : chunk.text }
}

/** A new piece of work begins; only what is pending is kept. */
export const restartWork = (state: ChildWork): ChildWork => ({
  ...childWork.initial,
  consumed: { ...state.consumed, end: null, turn: null, droppedUnrun: false },
})

const onMessage = (state: ChildWork, { data }: StoredEvent<'assistant/message'>): ChildWork => {
  const text = assistantText(data.message)
  return text === '' ? state : { ...state, committed: text }
}

const evolveOwn = byType<ChildWork>({
  'assistant/chunk': (state, { data }) => {
    const streamed = streamedText(state.streamed, data, data.attempt, data.chunk)
    return streamed === state.streamed ? state : { ...state, streamed }
  },
  'assistant/message': onMessage,
  'cancel/requested': (state) => (state.cancelled ? state : { ...state, cancelled: true }),
  'turn/end': (state, { data }) => ({
    ...state,
    reason: state.consumed.turn === data.turn ? data.reason : state.reason,
    turns: state.turns.push(Object.freeze({ turn: data.turn, reason: data.reason })),
  }),
})

function evolve(state: ChildWork, event: StoredEvent): ChildWork {
  const work = consumed.evolve(state.consumed, event)
  const spent = bookedUsage(state.reported, event)
  const reported = reportedUsage(state.reported, event)
  const usage = spent === undefined ? state.usage : addUsage(state.usage, spent)
  const same = work === state.consumed && reported === state.reported && usage === state.usage
  return evolveOwn(same ? state : { ...state, consumed: work, reported, usage }, event)
}

/** The work of a child. */
export const childWork: Projection<ChildWork> = {
  name: 'child-work',
  initial: {
    consumed: consumed.initial,
    reason: null,
    cancelled: false,
    committed: '',
    streamed: NO_STREAM,
    turns: AppendList.of(),
    usage: {},
    reported: NOTHING_REPORTED,
  },
  evolve,
}
