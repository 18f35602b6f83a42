/**
 * The pending messages, in their two lists, and what a recorded policy holds back.
 *
 * @module
 */
import type { InboxList, InsertionMark } from '../events/event.ts'
import type { Message, MessageId } from '../events/message.ts'

/** How a pending message is shown: queued for a later turn, steering the running one, or context. */
export type Placement = 'queued' | 'steering' | 'context'

export interface InboxEntry {
  readonly message: Message
  readonly wake: boolean
  readonly mark?: InsertionMark
}

/** Pending work that waits for the next wake, and why. */
export interface Parked {
  readonly reason: 'cancel' | 'blocked' | 'error' | 'loop' | 'limit' | 'log' | 'resume'
  readonly ids: readonly MessageId[]
}

export interface InboxState {
  readonly nextTurn: readonly InboxEntry[]
  readonly nextStep: readonly InboxEntry[]
  readonly parked: Parked | null
}

/** Placement of an entry of `list`. */
export const placementOf = (list: InboxList, entry: InboxEntry): Placement => {
  if (list === 'next-turn') return 'queued'
  return entry.wake || entry.message.source.kind === 'user' ? 'steering' : 'context'
}
