/**
 * Every replacement of history that begins also ends, within its turn or its maintenance.
 *
 * @module
 */
import type { StoredEvent } from '../src/events/event.ts'
import type { World } from './fuzz-world.ts'

/** Judges the compactions of a log. */
export function judgeCompactions(world: World, events: readonly StoredEvent[]): void {
  if (!world.faithful) return
  let open = 0
  for (const { type } of events) {
    if (type === 'compaction/start') open += 1
    if (type === 'compaction/end') open -= 1
    if (type === 'turn/end') world.law(open === 0, 'a turn ended over an open compaction')
  }
  world.law(open === 0, 'a compaction was never ended')
}
