/**
 * All that the machines decide from: pending work, numbers, the route last used, and how the last turn went.
 *
 * S1 Most events of a stream change nothing here and answer the same object.
 * S2 Events that repair adds to an earlier turn leave the last turn alone.
 *
 * @module
 */
import type { EventMap, StoredEvent } from '../events/event.ts'
import type { TurnReason } from '../events/message.ts'
import { hasWaking, hasWakingWork, inbox, type InboxState, unparked } from './inbox.ts'
import { byType, type Projection } from './projection.ts'

/** How the last closed turn went. */
export interface LastTurn {
  readonly reason: TurnReason['kind']
  /** Did a step open? */
  readonly stepped: boolean
  readonly claimed: boolean
}

export interface SessionState {
  readonly inbox: InboxState
  /** Number of the last turn; 0 before the first. */
  readonly turn: number
  /** Number of the last step of that turn; 0 before its first. */
  readonly step: number
  readonly header: EventMap['request/header'] | null
  readonly context: EventMap['request/context'] | null
  readonly openTurn: boolean
  readonly lastTurn: LastTurn | null
  /** Closed turns without a model request in a row, injection turns left out; see {@link beginInterval}. */
  readonly barren: number
  /** What the last turn has done so far: nothing, taken in a context message, made a request. */
  readonly progress: 'none' | 'context' | 'request'
}

/** A new running interval begins: turns before it do not count as barren any more. */
export const beginInterval = (state: SessionState): SessionState =>
  state.barren === 0 ? state : { ...state, barren: 0 }

/**
 * Does the agent go on by itself?
 *
 * The answer holds right after `turn/end`; on an agent that has been idle ask `hasWakingWork` instead, because there a
 * message that does not wake starts nothing. What a limit leaves over is parked by its `turn/end` and needs no case
 * of its own; a wake that comes behind that end counts like any other.
 */
export function goesOn({ inbox: pending, lastTurn }: SessionState): boolean {
  if (lastTurn === null) return hasWakingWork(pending)
  const { reason, stepped } = lastTurn
  if (!stepped || (reason !== 'completed' && reason !== 'max-tokens')) return hasWakingWork(pending)
  return unparked(pending, pending.nextTurn).length > 0 || hasWaking(pending, pending.nextStep)
}

const onTurnStart = (state: SessionState, { data }: StoredEvent<'turn/start'>): SessionState => ({
  ...state,
  turn: data.turn,
  step: 0,
  openTurn: true,
  progress: 'none',
})

const onStepStart = (state: SessionState, { data }: StoredEvent<'step/start'>): SessionState =>
  data.turn === state.turn ? { ...state, step: data.step } : state

function barrenAfter(state: SessionState): number {
  if (state.progress === 'request') return 0
  return state.progress === 'none' ? state.barren + 1 : state.barren
}

function onTurnEnd(state: SessionState, { data }: StoredEvent<'turn/end'>): SessionState {
  if (data.turn !== state.turn) return state
  return {
    ...state,
    openTurn: false,
    lastTurn: {
      reason: data.reason.kind,
      stepped: state.step > 0,
      claimed: state.inbox.claimed,
    },
    barren: barrenAfter(state),
  }
}

const onRequest = (
  state: SessionState,
  { data }: StoredEvent<'assistant/chunk' | 'assistant/message' | 'request/failed'>,
): SessionState =>
  state.progress === 'request' || data.turn !== state.turn
    ? state
    : { ...state, progress: 'request' }

const evolveOwn = byType<SessionState>({
  'session/opened': beginInterval,
  'turn/start': onTurnStart,
  'turn/end': onTurnEnd,
  'step/start': onStepStart,
  'context/message': (state) =>
    state.progress === 'none' ? { ...state, progress: 'context' } : state,
  'request/header': (state, { data }) => ({ ...state, header: data, progress: 'request' }),
  'request/context': (state, { data }) => ({ ...state, context: data, progress: 'request' }),
  'assistant/chunk': onRequest,
  'assistant/message': onRequest,
  'request/failed': onRequest,
})

/** Folds both parts; the inbox sees an event first. */
function evolve(state: SessionState, event: StoredEvent): SessionState {
  if (event.type === 'assistant/chunk' && state.progress === 'request') return state
  const pending = inbox.evolve(state.inbox, event)
  return evolveOwn(pending === state.inbox ? state : { ...state, inbox: pending }, event)
}

/** What the machines decide from. */
export const sessionState: Projection<SessionState> = {
  name: 'session-state',
  initial: {
    inbox: inbox.initial,
    turn: 0,
    step: 0,
    header: null,
    context: null,
    openTurn: false,
    lastTurn: null,
    barren: 0,
    progress: 'none',
  },
  evolve,
}
