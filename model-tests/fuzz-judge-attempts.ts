/**
 * Every message, and every failed attempt, cites exactly the chunks of its attempt.
 *
 * @module
 */
import type { StoredEvent } from '../src/events/event.ts'
import type { World } from './fuzz-world.ts'

/** Judges the citations of a log. */
export function judgeAttempts(world: World, events: readonly StoredEvent[]): void {
  let chunks: number[] = []
  for (const event of events) {
    if (event.type === 'step/start') chunks = []
    if (event.type === 'assistant/chunk') chunks.push(event.seq)
    if (event.type !== 'assistant/message' && event.type !== 'request/failed') continue
    world.law(
      chunks.join() === (event.cites ?? []).join(),
      `${event.type} does not cite its chunks`,
    )
    chunks = []
  }
}
