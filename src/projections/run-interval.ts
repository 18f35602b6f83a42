/**
 * What happened from the insertion of a message on: the parts of a RunResult.
 *
 * R1 Everything before the first insertion of that id is passed over; start the fold at your own insertion if the id
 *    was used before.
 * R2 Nothing is attributed to the message: it may be replaced, removed or never claimed, and the interval goes on.
 *
 * Where the interval ends is not in the log: its owner stops folding at quiescence.
 *
 * @module
 */
import type { StoredEvent } from '../events/event.ts'
import type { MessageId, TurnReason, Usage } from '../events/message.ts'
import { AppendList } from './append-list.ts'
import { byType, type Projection } from './projection.ts'
import {
  addUsage,
  assistantText,
  bookedUsage,
  NOTHING_REPORTED,
  reportedUsage,
  type Reported,
} from './spending.ts'

/** A turn that ended in the interval. */
export interface TurnEnd {
  readonly turn: number
  readonly reason: TurnReason
}

export interface RunInterval {
  readonly messageId: MessageId
  /** Seq of the insertion; null before it. */
  readonly from: number | null
  readonly turns: AppendList<TurnEnd>
  /** Last committed assistant text that is not empty; empty if there is none. */
  readonly finalResponse: string
  /** Sum over all attempts that ended in the interval. */
  readonly usage: Usage
  /** Reported by the stream of the running attempt and not in the sum yet. */
  readonly reported: Reported
}

const evolveInside = byType<RunInterval>({
  'turn/end': (state, { data }) => ({
    ...state,
    turns: state.turns.push(Object.freeze({ turn: data.turn, reason: data.reason })),
  }),
  'assistant/message': (state, { data }) => {
    const text = assistantText(data.message)
    return text === '' || text === state.finalResponse ? state : { ...state, finalResponse: text }
  },
})

function evolve(state: RunInterval, event: StoredEvent): RunInterval {
  if (state.from === null) {
    const starts = event.type === 'inbox/inserted' && event.data.message.id === state.messageId
    return starts ? { ...state, from: event.seq } : state
  }
  const spent = bookedUsage(state.reported, event)
  const reported = reportedUsage(state.reported, event)
  const usage = spent === undefined ? state.usage : addUsage(state.usage, spent)
  const same = reported === state.reported && usage === state.usage
  return evolveInside(same ? state : { ...state, reported, usage }, event)
}

/** The interval that begins with the insertion of `messageId`. */
export const runInterval = (messageId: MessageId): Projection<RunInterval> => ({
  name: `run-interval:${messageId}`,
  initial: {
    messageId,
    from: null,
    turns: AppendList.of(),
    finalResponse: '',
    usage: {},
    reported: NOTHING_REPORTED,
  },
  evolve,
})
