/**
 * The pending messages as a value, and the questions that are asked of it.
 *
 * @module
 */
import type { InboxList, InsertionMark } from '../events/event.ts'
import type { Message, MessageId } from '../events/message.ts'

/** How a pending message is shown: queued for a later turn, steering the running one, or context. */
export type Placement = 'queued' | 'steering' | 'context'

/** One pending message. */
export interface InboxEntry {
  readonly message: Message
  readonly wake: boolean
  readonly mark?: InsertionMark
}

/** Pending work that waits for the next wake, and why: the latest policy that held something back. */
export interface Parked {
  readonly reason: 'cancel' | 'blocked' | 'error' | 'loop' | 'limit' | 'log' | 'resume'
  /** In queue order when they were parked: next-step first. */
  readonly ids: readonly MessageId[]
}

export interface InboxState {
  readonly nextTurn: readonly InboxEntry[]
  readonly nextStep: readonly InboxEntry[]
  readonly parked: Parked | null
  /** A cancel of the open turn puts back what the turn has claimed, if it never enters a step. */
  readonly restores: boolean
  /** Why what is put back is parked, unless a wake comes first: a cancel, or the end of the turn, lets nothing go on. */
  readonly parksRestored: Parked['reason'] | null
  /** Did the last turn claim anything? An error turn that did not parks what is pending, as `log`. */
  readonly claimed: boolean
}

/** Where a pending message stands. */
export interface PendingPlace {
  readonly list: InboxList
  readonly index: number
  readonly entry: InboxEntry
}

/** Placement of an entry of `list`. */
export const placementOf = (list: InboxList, entry: InboxEntry): Placement => {
  if (list === 'next-turn') return 'queued'
  return entry.wake || entry.message.source.kind === 'user' ? 'steering' : 'context'
}

/** The entries of one list, oldest first. */
export const entriesOf = (state: InboxState, list: InboxList): readonly InboxEntry[] =>
  list === 'next-turn' ? state.nextTurn : state.nextStep

/** Everything pending in the order in which a boundary would take it: next-step first. */
export const pendingEntries = (state: InboxState): readonly InboxEntry[] => {
  if (state.nextStep.length === 0) return state.nextTurn
  return state.nextTurn.length === 0 ? state.nextStep : [...state.nextStep, ...state.nextTurn]
}

/** Finds a pending message by its id. */
export function findPending(state: InboxState, id: MessageId): PendingPlace | undefined {
  for (const list of ['next-step', 'next-turn'] as const) {
    const entries = entriesOf(state, list)
    const index = entries.findIndex((entry) => entry.message.id === id)
    const entry = entries[index]
    if (entry !== undefined) return { list, index, entry }
  }
  return undefined
}

/** Is this message held back by a recorded policy? */
export const isParked = (state: InboxState, id: MessageId): boolean =>
  state.parked !== null && state.parked.ids.includes(id)

/** Tells ids apart without a scan per id, however many there are. */
export const among = (ids: readonly MessageId[]): ((id: MessageId) => boolean) => {
  if (ids.length < 8) return (id) => ids.includes(id)
  const set = new Set(ids)
  return (id) => set.has(id)
}

/** The entries of `entries` that no policy holds back. */
export function unparked(
  { parked }: InboxState,
  entries: readonly InboxEntry[],
): readonly InboxEntry[] {
  if (parked === null) return entries
  const held = among(parked.ids)
  return entries.filter((entry) => !held(entry.message.id))
}

/** Does an entry of `entries` ask for work, and no policy holds it back? */
export const hasWaking = (state: InboxState, entries: readonly InboxEntry[]): boolean =>
  unparked(state, entries).some((entry) => entry.wake)

/** Does anything pending ask for work that no policy holds back? */
export const hasWakingWork = (state: InboxState): boolean =>
  hasWaking(state, state.nextStep) || hasWaking(state, state.nextTurn)
