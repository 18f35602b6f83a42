/** Parents with children and goals, seed after seed, with cancels from everybody at any time. */
import { expect, it } from 'vitest'
import { playFamily } from './family.ts'

const SIZE = 15

it.each([1, 101, 201, 301])(
  'keeps every promise from seed %i on',
  async (start) => {
    const unhandled: unknown[] = []
    const note = (error: unknown): void => {
      unhandled.push(error)
    }
    process.on('unhandledRejection', note)
    try {
      for (let seed = start; seed < start + SIZE; seed += 1) {
        const { problems } = await playFamily(seed)
        expect({ seed, problems: [...new Set(problems)], unhandled }).toEqual({
          seed,
          problems: [],
          unhandled: [],
        })
      }
    } finally {
      process.off('unhandledRejection', note)
    }
  },
  60_000,
)

it('reaches what it is about: rounds, refusals, and every way to stop', async () => {
  const reasons = new Set<string>()
  const notices = new Set<string>()
  let rounds = 0
  for (let seed = 1; seed <= 40; seed += 1) {
    const { family } = await playFamily(seed)
    for (const { stopReason, notice } of family.results) {
      reasons.add(stopReason)
      notices.add(notice)
    }
    rounds += family.goal.state?.started ?? 0
  }
  expect([...reasons].toSorted()).toEqual([
    'aborted',
    'completed',
    'error',
    'limit',
    'max-tokens',
    'refusal',
  ])
  expect([...notices]).toEqual(expect.arrayContaining(['none', 'steered', 'undelivered', 'woke']))
  expect(rounds).toBeGreaterThan(40)
}, 60_000)
