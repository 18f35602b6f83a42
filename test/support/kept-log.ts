/**
 * The logs of `test/logs`, which earlier versions have written.
 *
 * @module
 */
import { readFileSync } from 'node:fs'
import type { StoredEvent } from '../../src/events/event.ts'

/** Events of a kept log, by its name. */
export const keptLog = (name: string): StoredEvent[] =>
  readFileSync(new URL(`../logs/${name}.jsonl`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line) as StoredEvent)
