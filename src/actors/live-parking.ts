/**
 * Parking that the log refused to record: it lives in memory, follows its messages, and ends with the next wake.
 *
 * @module
 */
import type { StoredEvent } from '../events/event.ts'
import type { MessageId } from '../events/message.ts'
import { type InboxState, type Parked, pendingEntries } from '../projections/inbox.ts'

/** Parks what is pending, or what of it is in `held`; null if that is nothing. */
export function parkedOf(
  reason: Parked['reason'],
  inbox: InboxState,
  held?: ReadonlySet<MessageId>,
): Parked | null {
  const pending = pendingEntries(inbox).map((entry) => entry.message.id)
  const ids = held === undefined ? pending : pending.filter((id) => held.has(id))
  return ids.length === 0 ? null : { reason, ids }
}

/** All that is held back, by a recorded policy or live. */
export function allParked(live: Parked | null, inbox: InboxState): Parked | null {
  const { parked } = inbox
  if (live === null || parked === null) return live ?? parked
  return parkedOf(live.reason, inbox, new Set([...live.ids, ...parked.ids]))
}

/** What is still parked live after `event`; `inbox` has seen it already. */
export function stillParked(live: Parked, inbox: InboxState, event: StoredEvent): Parked | null {
  if (!event.type.startsWith('inbox/')) return live
  if (event.type === 'inbox/inserted' && event.data.wake && event.data.mark === undefined)
    return null
  const held = new Set(live.ids)
  if (event.type === 'inbox/replaced' && event.data.ids.some((id) => held.has(id))) {
    for (const message of event.data.messages) held.add(message.id)
  }
  return parkedOf(live.reason, inbox, held)
}
