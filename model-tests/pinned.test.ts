/**
 * The same seeds write the same logs as they did: whoever changes what a run does sees here how many runs are changed by it.
 *
 * A digest says nothing about right or wrong; that is judged by the simulation itself. `npx vitest run
 * model-tests/pinned.test.ts -u` pins anew what was changed on purpose.
 */
import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { simulate } from './fuzz.ts'

/** Seeds of one test, and the first of each. */
const SIZE = 25
const STARTS = [1, 26, 51, 76, 101, 126]

const digestOf = (lines: readonly string[]): string => {
  const hash = createHash('sha1')
  for (const line of lines) hash.update(line).update('\n')
  return hash.digest('hex').slice(0, 10)
}

async function lineOf(seed: number): Promise<string> {
  const { log, trace } = await simulate(seed)
  const events = digestOf(log.map((event) => JSON.stringify(event)))
  return `seed ${seed}: ${log.length} events ${events}, callbacks ${digestOf(trace)}`
}

it.each(STARTS)('the seeds from %i on write the logs that they wrote before', async (start) => {
  const lines: string[] = []
  for (let seed = start; seed < start + SIZE; seed += 1) lines.push(await lineOf(seed))
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`pinned/seeds-${start}.txt`)
})
