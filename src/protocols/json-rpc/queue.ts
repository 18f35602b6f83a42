/**
 * What waits in a session, as the wire shows it, and how a client reads it.
 *
 * Q1 Every pending message is shown, whatever its placement.
 * Q2 A reader passes over an entry that it does not understand, says so, and shows the others: newer servers may place
 *    messages in ways that it has never heard of.
 *
 * @module
 */
import type { Agent } from '../../actors/agent-handle.ts'
import type { InboxList } from '../../events/event.ts'
import { asList, asName, asRecord, asWord, ShapeError } from '../../events/shape.ts'
import type { InboxEntry } from '../../projections/inbox-state.ts'
import { placementOf } from '../../projections/inbox-state.ts'
import { asFlag } from './given.ts'
import type { Queue, QueueEntry } from './wire.ts'

/** The queue of a live session. */
export function queueOf({ inbox, parked }: Agent): Queue {
  return {
    pending: [
      ...inbox.nextStep.map((entry) => shown('next-step', entry)),
      ...inbox.nextTurn.map((entry) => shown('next-turn', entry)),
    ],
    parked,
  }
}

const shown = (list: InboxList, entry: InboxEntry): QueueEntry => ({
  messageId: entry.message.id,
  placement: placementOf(list, entry),
  list,
  wake: entry.wake,
  message: entry.message,
  ...(entry.mark !== undefined && { mark: entry.mark }),
})

/**
 * Reads a queue that came over the wire.
 *
 * @param onDiagnostic - told of each entry that was passed over.
 * @throws ShapeError where it is no queue at all.
 */
export function readQueue(value: unknown, onDiagnostic: (message: string) => void): Queue {
  const { pending, parked = null } = asRecord(value, '')
  const entries = asList(pending, 'pending').flatMap((entry, index) => {
    try {
      return [readEntry(entry, `pending[${index}]`)]
    } catch (error) {
      if (!(error instanceof ShapeError)) throw error
      onDiagnostic(`an entry of the queue was passed over: ${error.message}`)
      return []
    }
  })
  return { pending: entries, parked: parked as Queue['parked'] }
}

function readEntry(value: unknown, path: string): QueueEntry {
  const entry = asRecord(value, path)
  asName(entry['messageId'], `${path}.messageId`)
  asWord(entry['placement'], `${path}.placement`, ['queued', 'steering', 'context'])
  asWord(entry['list'], `${path}.list`, ['next-turn', 'next-step'])
  asFlag(entry['wake'], `${path}.wake`)
  asList(asRecord(entry['message'], `${path}.message`)['content'], `${path}.message.content`)
  return entry as unknown as QueueEntry
}
