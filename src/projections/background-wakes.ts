/**
 * How often in a row work in the background has woken an idle owner, with no word of a user in between.
 *
 * @module
 */
import type { StoredEvent } from '../events/event.ts'
import { findPending, inbox, type InboxState } from './inbox.ts'
import { byType, type Projection } from './projection.ts'

export interface BackgroundWakes {
  /** Wakes since a message of a user was claimed. */
  readonly count: number
  readonly inbox: InboxState
  readonly openTurn: boolean
}

function onInserted(
  state: BackgroundWakes,
  { data }: StoredEvent<'inbox/inserted'>,
): BackgroundWakes {
  const { message, wake, mark } = data
  const wakes = wake && mark === undefined && message.source['background'] === true
  return wakes && !state.openTurn ? { ...state, count: state.count + 1 } : state
}

function onClaimed(
  state: BackgroundWakes,
  { data }: StoredEvent<'inbox/claimed'>,
): BackgroundWakes {
  if (state.count === 0) return state
  const spoke = [...data.nextStep, ...data.nextTurn].some(
    (id) => findPending(state.inbox, id)?.entry.message.source.kind === 'user',
  )
  return spoke ? { ...state, count: 0 } : state
}

const evolveOwn = byType<BackgroundWakes>({
  'inbox/inserted': onInserted,
  'inbox/claimed': onClaimed,
  'turn/start': (state) => (state.openTurn ? state : { ...state, openTurn: true }),
  'turn/end': (state) => (state.openTurn ? { ...state, openTurn: false } : state),
})

/** Wakes see an event while the inbox still holds what the event takes out. */
function evolve(state: BackgroundWakes, event: StoredEvent): BackgroundWakes {
  const own = evolveOwn(state, event)
  const pending = inbox.evolve(own.inbox, event)
  return pending === own.inbox ? own : { ...own, inbox: pending }
}

/** Wakes by messages whose source says `background: true`. */
export const backgroundWakes: Projection<BackgroundWakes> = {
  name: 'background-wakes',
  initial: { count: 0, inbox: inbox.initial, openTurn: false },
  evolve,
}
