/**
 * The retry policy by itself: its options, its defaults, and what it says once it is unloaded.
 */
import { describe, expect, it, vi } from 'vitest'
import { resolveRetry, retries, unloadRetry } from '../../src/actors/retry-policy.ts'

const SERVER = { code: 'SERVER', message: 'boom' }
const AT_LEAST_0 = 'a number of at least 0'

describe('an option out of range', () => {
  it.each([
    ['retries', -1, AT_LEAST_0],
    ['retries', Infinity, AT_LEAST_0],
    ['baseMs', -1, AT_LEAST_0],
    ['maxMs', Number.NaN, AT_LEAST_0],
    ['jitter', -0.1, 'a number from 0 to 1'],
    ['jitter', 1.1, 'a number from 0 to 1'],
  ])('is refused each time: %s %d', (name, value, range) => {
    const policy = { [name]: value }
    for (const given of [policy, policy]) {
      expect(() => resolveRetry(given)).toThrow(
        expect.objectContaining({
          code: 'INVALID_OPTION',
          summary: `option retry.${name} should be ${range}, found ${value}; no agent was created.`,
        }),
      )
    }
  })

  it('is not one at its bound', () => {
    const bounds = { retries: 0, baseMs: 0, maxMs: 0, jitter: 1 }
    expect(resolveRetry(bounds)).toMatchObject(bounds)
  })
})

describe('the policy', () => {
  it.each([
    [undefined, undefined],
    [false, undefined],
    [
      true,
      {
        retries: 5,
        baseMs: 500,
        maxMs: 10_000,
        codes: ['EMPTY_RESPONSE', 'RATE_LIMIT', 'SERVER', 'TIMEOUT', 'TRANSPORT'],
        mode: 'normal',
        jitter: 0.25,
        random: Math.random,
        waiting: new Set(),
        unloaded: false,
      },
    ],
  ])('of the option %s', (given, policy) => {
    expect(resolveRetry(given)).toStrictEqual(policy)
  })

  it('of one object is one, also for the next agent', () => {
    const given = { retries: 1 }
    expect(resolveRetry(given)).toBe(resolveRetry(given))
    expect(resolveRetry({ retries: 1 })).not.toBe(resolveRetry(given))
    expect(resolveRetry(true)).not.toBe(resolveRetry(true))
  })
})

describe('unloaded', () => {
  it.each([{ mode: 'always' }, { mode: 'normal' }] as const)(
    'a policy repeats nothing any more, and drops each wait: %o',
    ({ mode }) => {
      const given = { mode }
      const policy = resolveRetry(given)
      if (policy === undefined) throw new Error('no policy')
      expect(retries(policy, 0, SERVER)).toBe(true)
      const drop = vi.fn<() => void>(() => policy.waiting.delete(drop))
      const other = vi.fn<() => void>()
      policy.waiting.add(drop).add(other)
      unloadRetry(given)
      expect([drop, other].map(({ mock }) => mock.calls.length)).toEqual([1, 1])
      expect(retries(policy, 0, SERVER)).toBe(false)
    },
  )

  it('is not what no agent has used', () => {
    expect(() => {
      unloadRetry({ retries: 1 })
    }).not.toThrow()
  })
})
