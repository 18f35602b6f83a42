/**
 * The pending messages, in their two lists, and what a recorded policy holds back.
 *
 * I1 Lists change by inbox events alone, and by a fork that does not inherit them.
 * I2 Parking is by id. A policy parks what is pending then; a waking insertion, or a session opened to wake, frees all.
 * I3 An id that is no longer pending is not parked; `parked` is null when no id is left.
 *
 * Coordinates are taken as recorded. Ids that are not pending are passed over: refusing them is for the enclosure
 * rules, which see an event before it is recorded.
 *
 * @module
 */
import type { InboxList, StoredEvent } from '../events/event.ts'
import type { MessageId } from '../events/message.ts'
import {
  among,
  entriesOf,
  findPending,
  pendingEntries,
  type InboxEntry,
  type InboxState,
  type Parked,
} from './inbox-state.ts'
import { byType, type Projection } from './projection.ts'

export {
  entriesOf,
  findPending,
  hasWaking,
  hasWakingWork,
  isParked,
  pendingEntries,
  placementOf,
  unparked,
} from './inbox-state.ts'
export type { InboxEntry, InboxState, Parked, Placement } from './inbox-state.ts'

const EMPTY: InboxState = {
  nextTurn: [],
  nextStep: [],
  parked: null,
  restores: false,
  parksRestored: null,
  claimed: false,
}

const withList = (state: InboxState, list: InboxList, entries: readonly InboxEntry[]): InboxState =>
  list === 'next-turn' ? { ...state, nextTurn: entries } : { ...state, nextStep: entries }

function insert(
  state: InboxState,
  list: InboxList,
  index: number,
  entries: readonly InboxEntry[],
): InboxState {
  return withList(state, list, entriesOf(state, list).toSpliced(index, 0, ...entries))
}

const without = (entries: readonly InboxEntry[], ids: readonly MessageId[]) => {
  const named = among(ids)
  const kept = entries.filter((entry) => !named(entry.message.id))
  return kept.length === entries.length ? entries : kept
}

const parkedOf = (reason: Parked['reason'], ids: readonly MessageId[]): Parked | null =>
  ids.length === 0 ? null : { reason, ids }

/** Takes messages out of both lists; their parking goes with them. */
function take(state: InboxState, ids: readonly MessageId[]): InboxState {
  const { parked } = state
  const nextTurn = without(state.nextTurn, ids)
  const nextStep = without(state.nextStep, ids)
  if (nextTurn === state.nextTurn && nextStep === state.nextStep) return state
  if (parked === null) return { ...state, nextTurn, nextStep }
  const gone = among(ids)
  const left = parked.ids.filter((id) => !gone(id))
  const still = left.length === parked.ids.length ? parked : parkedOf(parked.reason, left)
  return { ...state, nextTurn, nextStep, parked: still }
}

/** Holds `entries` back too. What was parked before stays so, under the new reason. */
function park(
  state: InboxState,
  reason: Parked['reason'],
  entries: readonly InboxEntry[],
): InboxState {
  if (entries.length === 0) return state
  const { parked } = state
  const before = parked?.ids ?? []
  const held = among([...before, ...entries.map((entry) => entry.message.id)])
  const ids = pendingEntries(state)
    .map((entry) => entry.message.id)
    .filter(held)
  const same = parked?.reason === reason && ids.every((id, index) => id === before[index])
  return same ? state : { ...state, parked: { reason, ids } }
}

const free = (state: InboxState): InboxState =>
  state.parked === null && state.parksRestored === null
    ? state
    : { ...state, parked: null, parksRestored: null }

function onInserted(state: InboxState, { data }: StoredEvent<'inbox/inserted'>): InboxState {
  const { message, wake, mark } = data
  const entry: InboxEntry = mark === undefined ? { message, wake } : { message, wake, mark }
  const next = insert(state, data.target, data.index, [entry])
  if (mark === undefined) return wake ? free(next) : next
  const { parksRestored } = state
  return mark === 'restored' && parksRestored !== null ? park(next, parksRestored, [entry]) : next
}

/** The new messages take the place of the old ones, also among the parked. */
function onReplaced(state: InboxState, { data }: StoredEvent<'inbox/replaced'>): InboxState {
  const entries = data.messages.map((message) => ({ message, wake: data.wake }))
  const next = insert(take(state, data.ids), data.target, data.index, entries)
  const { parked } = state
  return parked !== null && data.ids.some((id) => parked.ids.includes(id))
    ? park(next, parked.reason, entries)
    : next
}

function onMoved(state: InboxState, { data }: StoredEvent<'inbox/moved'>): InboxState {
  const place = findPending(state, data.id)
  if (place === undefined) return state
  const rest = withList(state, place.list, entriesOf(state, place.list).toSpliced(place.index, 1))
  return insert(rest, data.to, data.index, [place.entry])
}

/** A later cancel that lets nothing go on parks also what an earlier one is about to put back. */
function onCancel(state: InboxState, { data }: StoredEvent<'cancel/requested'>): InboxState {
  const kept = data.restoreClaimed === true
  const noted = kept && data.turn !== null ? noteRestoring(state) : state
  if (data.resume) return noted
  const held: InboxState =
    noted.restores && noted.parksRestored === null ? { ...noted, parksRestored: 'cancel' } : noted
  return data.keepInbox || kept ? park(held, 'cancel', pendingEntries(held)) : held
}

const noteRestoring = (state: InboxState): InboxState =>
  state.restores ? state : { ...state, restores: true }

const onTurnStart = (state: InboxState): InboxState =>
  state.restores || state.parksRestored !== null || state.claimed
    ? { ...state, restores: false, parksRestored: null, claimed: false }
    : state

/** Taking nothing is no claim. */
function onClaimed(state: InboxState, { data }: StoredEvent<'inbox/claimed'>): InboxState {
  const ids = [...data.nextStep, ...data.nextTurn]
  return ids.length === 0 ? state : { ...take(state, ids), claimed: true }
}

function onTurnEnd(state: InboxState, { data }: StoredEvent<'turn/end'>): InboxState {
  const { kind } = data.reason
  const parks = data.parks ?? (kind === 'error' && !state.claimed ? 'log' : undefined)
  if (parks !== undefined) {
    return park({ ...state, parksRestored: parks }, parks, pendingEntries(state))
  }
  return kind === 'limit' ? park(state, 'limit', state.nextStep) : state
}

/** A fork leaves pending input to its parent, unless it says otherwise. */
function onOpened(state: InboxState, { data }: StoredEvent<'session/opened'>): InboxState {
  const pending = pendingEntries(state)
  if (data.how === 'fork' && data.inheritInbox !== true && pending.length > 0) {
    return free({ ...state, nextTurn: [], nextStep: [], parked: null })
  }
  if (data.wake) return free(state)
  const settled = state.parksRestored !== null ? { ...state, parksRestored: null } : state
  return park(settled, 'resume', pending)
}

/** Both lists of pending messages, and what is parked. */
export const inbox: Projection<InboxState> = {
  name: 'inbox',
  initial: EMPTY,
  evolve: byType<InboxState>({
    'inbox/inserted': onInserted,
    'inbox/claimed': onClaimed,
    'inbox/discarded': (state, { data }) => take(state, data.ids),
    'inbox/replaced': onReplaced,
    'inbox/moved': onMoved,
    'cancel/requested': onCancel,
    'turn/start': onTurnStart,
    'turn/end': onTurnEnd,
    'session/opened': onOpened,
  }),
}
