/**
 * What is kept of the run of a seed, so that a change of any run is seen.
 *
 * @module
 */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { simulate } from './fuzz.ts'

/** The seeds that are pinned: one to this. */
export const SEEDS = 150

/** One line a seed. */
export const PINNED = join(import.meta.dirname, 'pinned.txt')

const digestOf = (lines: readonly string[]): string => {
  const hash = createHash('sha1')
  for (const line of lines) hash.update(line).update('\n')
  return hash.digest('hex').slice(0, 10)
}

/** How many events the run of a seed wrote, and digests of them and of the callbacks that were called. */
export async function lineOf(seed: number): Promise<string> {
  const { log, trace } = await simulate(seed)
  const events = digestOf(log.map((event) => JSON.stringify(event)))
  return `seed ${seed}: ${log.length} events ${events}, callbacks ${digestOf(trace)}`
}
