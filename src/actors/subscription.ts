/**
 * Subscribing to a log from a position: what is stored, then what comes, once and in order.
 *
 * @module
 */
import { TurnwiseError } from '../errors.ts'
import type { StoredEvent } from '../events/event.ts'
import type { EventLog } from '../log/event-log.ts'
import { contained } from './notices.ts'

/**
 * Calls `observer` for every event with `seq >= from`.
 *
 * @param onFault - told what the observer throws or what a promise it returns is rejected with.
 * @returns unsubscribe
 * @throws TurnwiseError CURSOR_TOO_OLD when the log no longer holds `from`, INVALID_OPTION when it is no position.
 */
export function subscribe(
  log: EventLog,
  from: number,
  observer: (event: StoredEvent) => unknown,
  onFault: (error: unknown) => void,
): () => void {
  if (!Number.isSafeInteger(from) || from < 0) {
    throw new TurnwiseError(
      'INVALID_OPTION',
      `option from should be a position, a whole number from 0 on, found ${String(from)}; nothing was delivered.`,
    )
  }
  if (from < log.length && log.at(from) === undefined) {
    throw new TurnwiseError(
      'CURSOR_TOO_OLD',
      `expected a position that the log still holds, found ${from}; nothing was delivered. Reload a projection.`,
    )
  }
  let live = true
  let next = from
  let catchingUp = true
  const tell = (event: StoredEvent): void => {
    if (!live || event.seq < next) return
    next = event.seq + 1
    contained(() => observer(event), onFault)
  }
  const leave = log.observe((event) => {
    if (!catchingUp) tell(event)
  })
  // The observer may append: what comes meanwhile is read behind what is stored, never told before it.
  for (let event = log.at(next); event !== undefined; event = log.at(next)) tell(event)
  catchingUp = false
  return () => {
    live = false
    leave()
  }
}
