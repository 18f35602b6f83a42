/**
 * The same seeds write the same logs as they did: whoever changes what a run does sees here how many runs are changed by it.
 *
 * A digest says nothing about right or wrong; that is judged by the simulation itself. `npm run pin` pins anew what was
 * changed on purpose.
 */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { lineOf, PINNED, SEEDS } from './pinned-lines.ts'

const lines = readFileSync(PINNED, 'utf8').split('\n')

it.each(Array.from({ length: SEEDS }, (_, index) => index + 1))(
  'seed %i writes the log that it wrote before',
  async (seed) => {
    expect(await lineOf(seed)).toBe(lines[seed - 1])
  },
)
