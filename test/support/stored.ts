/** One event as a log keeps it, for folds and traces that are tried event by event; no rule is asked whether it may stand there. */
import type { EventMap, EventType, StoredEvent } from '../../src/events/event.ts'
import { deepFreeze } from '../../src/events/json.ts'

export const stored = <T extends EventType>(type: T, data: EventMap[T], seq = 0): StoredEvent =>
  deepFreeze({ seq, time: 1000 + seq, type, data }) as unknown as StoredEvent
