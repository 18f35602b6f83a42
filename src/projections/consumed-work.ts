/**
 * Which turn accounts for the work of a session, and was accepted work dropped after it?
 *
 * C1 A turn accounts if it stepped, or if it claimed and ended other than completed. Injection turns do neither.
 * C2 A discard of pending work drops it. Moving and replacing do not; context nobody waits for is no work.
 *
 * @module
 */
import type { StoredEvent } from '../events/event.ts'
import type { TurnReason } from '../events/message.ts'
import { findPending, inbox, placementOf, type InboxState } from './inbox.ts'
import { byType, fold, type Projection } from './projection.ts'

/** The answer. */
export interface ConsumedWork {
  /** How the latest accounting turn ended; null if there is none. */
  readonly end: TurnReason['kind'] | null
  readonly turn: number | null
  /** Accepted work was discarded after that turn, or before any. */
  readonly droppedUnrun: boolean
}

export interface ConsumedWorkState extends ConsumedWork {
  readonly inbox: InboxState
  /** Number of the last turn, and whether it stepped. */
  readonly last: number
  readonly stepped: boolean
}

function onDiscarded(
  state: ConsumedWorkState,
  { data }: StoredEvent<'inbox/discarded'>,
): ConsumedWorkState {
  if (state.droppedUnrun || data.reason === 'replaced') return state
  const drops = data.ids.some((id) => {
    const place = findPending(state.inbox, id)
    return place !== undefined && placementOf(place.list, place.entry) !== 'context'
  })
  return drops ? { ...state, droppedUnrun: true } : state
}

function onTurnEnd(state: ConsumedWorkState, { data }: StoredEvent<'turn/end'>): ConsumedWorkState {
  const end = data.reason.kind
  const accounts = state.stepped || (state.inbox.claimed && end !== 'completed')
  return accounts && data.turn === state.last
    ? { ...state, end, turn: data.turn, droppedUnrun: false }
    : state
}

const evolveOwn = byType<ConsumedWorkState>({
  'turn/start': (state, { data }) => ({ ...state, last: data.turn, stepped: false }),
  'step/start': (state) => (state.stepped ? state : { ...state, stepped: true }),
  'inbox/discarded': onDiscarded,
  'turn/end': onTurnEnd,
})

/** The work sees an event while the inbox still holds what the event takes out. */
function evolve(state: ConsumedWorkState, event: StoredEvent): ConsumedWorkState {
  const own = evolveOwn(state, event)
  const pending = inbox.evolve(own.inbox, event)
  return pending === own.inbox ? own : { ...own, inbox: pending }
}

/** Which turn accounts for the work so far. */
export const consumed: Projection<ConsumedWorkState> = {
  name: 'consumed-work',
  initial: {
    end: null,
    turn: null,
    droppedUnrun: false,
    inbox: inbox.initial,
    last: 0,
    stepped: false,
  },
  evolve,
}

/** Folds a log, or a part of one that begins with empty lists. */
export function consumedWork(events: Iterable<StoredEvent>): ConsumedWork {
  const { end, turn, droppedUnrun } = fold(consumed, events)
  return { end, turn, droppedUnrun }
}
