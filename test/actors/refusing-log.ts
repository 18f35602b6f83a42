/**
 * A log in memory that refuses events.
 *
 * @module
 */
import type { EventType } from '../../src/events/event.ts'
import { createMemoryLog } from '../../src/log/memory-log.ts'

/** A log that refuses the first `times` appends of a type. */
export function refusing(type: EventType, times = 1) {
  let left = times
  return createMemoryLog({
    id: 'refusing',
    intercept: (event) => {
      if (event.type !== type || left === 0) return
      left -= 1
      throw new Error('disk full')
    },
  })
}
