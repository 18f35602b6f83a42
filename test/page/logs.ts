/**
 * Stored logs, read as the page gets them.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StoredEvent } from '../../src/events/event.ts'

/** Events of a log under test/logs or examples/logs. */
export const eventsOf = (path: string): StoredEvent[] =>
  readFileSync(join(import.meta.dirname, '../..', path), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line) as StoredEvent)
