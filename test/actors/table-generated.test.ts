import { array, assert, constant, constantFrom, oneof, property } from 'fast-check'
import { beforeEach, expect, it, vi } from 'vitest'
import { randomFamily } from './table-maker.ts'
import { EVENTS, randomChart } from './table-random.ts'
import { bothTraces } from './table-trace.ts'
import type { Poke } from './table-trace.ts'

const poke = oneof(
  { weight: 20, arbitrary: constantFrom(...EVENTS).map((type): Poke => ({ type })) },
  { weight: 1, arbitrary: constant<Poke>('stop') },
)
const pokes = array(poke, { minLength: 1, maxLength: 12 })
/** TABLE_RUNS=20000 looks harder. */
const numRuns = Number(process.env['TABLE_RUNS'] ?? 500)

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})

it('no random family of machines behaves otherwise from its table', { timeout: 300_000 }, () => {
  let lines = 0
  assert(
    property(randomChart, randomChart, pokes, (outer, inner, list) => {
      const { stock, table } = bothTraces(randomFamily(outer, inner), list)
      expect(table).toEqual(stock)
      lines += stock.length
    }),
    { numRuns },
  )
  // Machines that die at once would prove nothing.
  expect(lines / numRuns).toBeGreaterThan(40)
})
