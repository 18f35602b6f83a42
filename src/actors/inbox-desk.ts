/**
 * Edits of pending messages. Each is applied as one move: append first, then the live notifications.
 *
 * @module
 */
import { TurnwiseError } from '../errors.ts'
import type {
  ActorName,
  DiscardReason,
  InboxList,
  InsertionMark,
  NewEvent,
} from '../events/event.ts'
import type { Message, MessageId } from '../events/message.ts'
import {
  entriesOf,
  findPending,
  type InboxEntry,
  pendingEntries,
  placementOf,
} from '../projections/inbox.ts'
import type { Core } from './core.ts'

/** One insertion. */
export interface Insertion {
  readonly target: InboxList
  readonly index: number
  readonly message: Message
  readonly wake: boolean
  readonly actor: ActorName
  readonly mark?: InsertionMark
}

/** Inserts one message. @throws TurnwiseError DUPLICATE_ID, or what the log refuses with. */
export function insert(core: Core, insertion: Insertion): void {
  core.append(insertionOf(insertion))
  notifyInserted(core, insertion)
}

/** The event of an insertion. */
export const insertionOf = (insertion: Insertion): NewEvent => ({
  type: 'inbox/inserted',
  data: insertion,
})

/** Tells of a recorded insertion. */
export function notifyInserted(core: Core, { message, target, wake }: Insertion): void {
  core.notify({
    type: 'inserted',
    message,
    target,
    wake,
    placement: placementOf(target, { message, wake }),
  })
}

/** Length of a list, the index of an insertion at its end. */
export const lengthOf = (core: Core, list: InboxList): number =>
  entriesOf(core.state.inbox, list).length

/** The event that discards `entries`. */
export const discardOf = (
  entries: readonly InboxEntry[],
  reason: DiscardReason,
  actor: ActorName,
): NewEvent => ({
  type: 'inbox/discarded',
  data: { ids: entries.map((entry) => entry.message.id), reason, actor },
})

/** Tells of discarded entries. */
export function notifyDiscarded(
  core: Core,
  entries: readonly InboxEntry[],
  reason: DiscardReason,
): void {
  for (const { message } of entries) core.notify({ type: 'discarded', message, reason })
}

function discard(
  core: Core,
  entries: readonly InboxEntry[],
  reason: DiscardReason,
  actor: ActorName,
): boolean {
  if (entries.length === 0) return false
  core.append(discardOf(entries, reason, actor))
  notifyDiscarded(core, entries, reason)
  return true
}

/** Removes a pending message; false for an unknown id. */
export function remove(
  core: Core,
  id: MessageId,
  actor: ActorName,
  reason: 'removed' | 'rejected' = 'removed',
): boolean {
  const place = findPending(core.state.inbox, id)
  return place !== undefined && discard(core, [place.entry], reason, actor)
}

/** Puts a message in the place of a pending one; list, position and wake flag stay. False for an unknown id. */
export function replace(core: Core, id: MessageId, message: Message, actor: ActorName): boolean {
  const place = findPending(core.state.inbox, id)
  if (place === undefined) return false
  swap(core, place.list, place.index, [place.entry], [message], actor)
  return true
}

function swap(
  core: Core,
  target: InboxList,
  index: number,
  old: readonly InboxEntry[],
  messages: readonly Message[],
  actor: ActorName,
): void {
  const wake = old.some((entry) => entry.wake)
  const ids = old.map((entry) => entry.message.id)
  core.append({ type: 'inbox/replaced', data: { ids, target, index, messages, wake, actor } })
  notifyDiscarded(core, old, 'replaced')
  for (const message of messages) {
    core.notify({
      type: 'inserted',
      message,
      target,
      wake,
      placement: placementOf(target, { message, wake }),
    })
  }
}

/** Moves a pending message; false for an unknown id. A move to where it stands writes nothing. */
export function move(
  core: Core,
  id: MessageId,
  to: InboxList,
  index: number,
  actor: ActorName,
): boolean {
  const { inbox } = core.state
  const place = findPending(inbox, id)
  if (place === undefined) return false
  const size = entriesOf(inbox, to).length - (place.list === to ? 1 : 0)
  const at = spliceIndex(index, size)
  if (place.list === to && place.index === at) return true
  core.append({ type: 'inbox/moved', data: { id, from: place.list, to, index: at, actor } })
  return true
}

/** Discards everything pending, next-step first. */
export const clear = (core: Core, actor: ActorName): boolean =>
  discard(core, pendingEntries(core.state.inbox), 'cleared', actor)

/** A start of `Array.prototype.splice` in a list of `size`: negative from the end, NaN as 0, infinity clamped. */
export function spliceIndex(start: number, size: number): number {
  if (Number.isNaN(start)) return 0
  const whole = Math.trunc(start)
  return whole < 0 ? Math.max(size + whole, 0) : Math.min(whole, size)
}

/** Takes out and puts in, like the splice of an array. False if nothing changed. */
export function splice(
  core: Core,
  target: InboxList,
  start: number,
  deleteCount: number,
  messages: readonly Message[],
  actor: ActorName,
): boolean {
  const list = entriesOf(core.state.inbox, target)
  const from = spliceIndex(start, list.length)
  const count = Number.isNaN(deleteCount) ? 0 : Math.max(Math.trunc(deleteCount), 0)
  const old = list.slice(from, from + count)
  if (old.length > 0 && messages.length > 0) {
    swap(core, target, from, old, messages, actor)
    return true
  }
  if (discard(core, old, 'removed', actor)) return true
  messages.forEach((message, i) => {
    insert(core, { target, index: from + i, message, wake: false, actor })
  })
  return messages.length > 0
}

/** A message that is pending or committed may not be inserted. @throws TurnwiseError DUPLICATE_ID */
export function refuseDuplicate(core: Core, id: MessageId): void {
  const { ledger } = core.log
  if (ledger.pendingIn(id) === undefined && !ledger.isCommitted(id)) return
  throw new TurnwiseError(
    'DUPLICATE_ID',
    `expected a new message id, found ${id}, which is pending or committed; nothing was written. Treat it as already delivered.`,
  )
}
