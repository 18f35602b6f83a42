/**
 * What an agent asks of a log that already held a session.
 *
 * @module
 */
import { TurnwiseError } from '../errors.ts'
import type { StoredEvent } from '../events/event.ts'
import type { EventLog } from '../log/event-log.ts'
import { type InboxState, pendingEntries } from '../projections/inbox.ts'

/** Does the last event say that the session goes on, with the same word about its waking work, where there is any? */
export function saysSo(last: StoredEvent, wake: boolean, inbox: InboxState): boolean {
  if (last.type !== 'session/opened') return false
  return last.data.wake === wake || pendingEntries(inbox).every((entry) => !entry.wake)
}

/**
 * @param keepApprovals - a turn that does nothing but wait for an approval may be open.
 * @throws TurnwiseError OPEN_TURN for a log that must be repaired first.
 */
export function refuseOpenTurn(log: EventLog, keepApprovals: boolean): void {
  const { openTurn, standsStill } = log.ledger
  if (openTurn === null || (keepApprovals && standsStill)) return
  throw new TurnwiseError(
    'OPEN_TURN',
    `expected a log without an open turn, found turn ${openTurn} of session ${log.header.id} open: its process died; no agent was created. Repair the log first.`,
  )
}
