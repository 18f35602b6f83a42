/**
 * Whole sessions under a random regime, seed after seed: every law of the log holds, and the stock machine does exactly
 * what the table does. A failing seed stands in the message: `npm run simulate -- --seed N --seeds 1 --trace` replays it.
 *
 * @module
 */
import { describe, expect, it } from 'vitest'
import { differ, simulateBoth } from './fuzz-both.ts'
import { simulate } from './fuzz.ts'

/** Seeds of one test, and the first of all. */
const SIZE = 25
const STARTS = [1, 1001, 2001, 3001, 4001, 5001]

describe('seeded simulation', () => {
  it.each(STARTS)(
    'keeps every law from seed %i on',
    async (start) => {
      for (let seed = start; seed < start + SIZE; seed += 1) {
        const both = await simulateBoth(seed)
        const problems = new Set([...both.table.problems, ...both.stock.problems, ...differ(both)])
        expect({ seed, problems: [...problems] }).toEqual({ seed, problems: [] })
      }
    },
    60_000,
  )

  it('does the same again for the same seed', async () => {
    const first = await simulate(7)
    const second = await simulate(7)
    expect(second.trace).toEqual(first.trace)
    expect(JSON.stringify(second.log)).toBe(JSON.stringify(first.log))
    expect(first.log.length).toBeGreaterThan(10)
  })
})
