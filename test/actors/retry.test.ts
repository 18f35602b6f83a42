/**
 * Retries: the policy behind the gates, delays on the injected clock, and the cap on the attempts of a step.
 */
import { describe, expect, it } from 'vitest'
import {
  resolveRetry,
  type ResolvedRetry,
  retries,
  retryDelayMs,
  unloadRetry,
} from '../../src/actors/retry-policy.ts'
import { script } from '../../src/testing/script.ts'
import { settle } from '../../src/testing/virtual-clock.ts'
import { finish, ofType, rig, say } from './rig.ts'

const policy = (given: Parameters<typeof resolveRetry>[0]): ResolvedRetry => {
  const resolved = resolveRetry(given)
  if (resolved === undefined) throw new Error('no policy')
  return resolved
}
const failure = (code: string, retryAfterMs?: number) => ({
  code,
  message: 'boom',
  ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
})

describe('the delay', () => {
  it('doubles from baseMs to maxMs', () => {
    const exact = policy({ baseMs: 100, maxMs: 1000, jitter: 0 })
    const delays = [1, 2, 3, 4, 5, 60].map((n) => retryDelayMs(exact, n, failure('SERVER')))
    expect(delays).toEqual([100, 200, 400, 800, 1000, 1000])
  })

  it('is shortened by jitter, at most by its part', () => {
    const delays = [0, 0.5, 1].map((random) =>
      retryDelayMs(
        policy({ baseMs: 100, jitter: 0.25, random: () => random }),
        1,
        failure('SERVER'),
      ),
    )
    expect(delays).toEqual([100, 88, 75])
  })

  it('is the wait that the provider asks for, without jitter, up to maxMs', () => {
    const jittery = policy({ maxMs: 5000, jitter: 1, random: () => 1 })
    expect(retryDelayMs(jittery, 4, failure('RATE_LIMIT', 3000))).toBe(3000)
    expect(retryDelayMs(jittery, 4, failure('RATE_LIMIT', 60_000))).toBe(5000)
    expect(retryDelayMs(jittery, 4, failure('RATE_LIMIT', 0))).toBe(0)
  })

  it('is never nothing where a base is given', () => {
    const all = policy({ baseMs: 1, jitter: 1, random: () => 1 })
    expect(retryDelayMs(all, 1, failure('SERVER'))).toBe(1)
  })
})

describe('a policy', () => {
  it('repeats transient codes, as often as it may', () => {
    const twice = policy({ retries: 2 })
    expect([0, 1, 2].map((used) => retries(twice, used, failure('SERVER')))).toEqual([
      true,
      true,
      false,
    ])
    expect(retries(twice, 0, failure('AUTH'))).toBe(false)
  })

  it('in mode always repeats everything, without a budget of its own', () => {
    const always = policy({ mode: 'always', retries: 0 })
    expect(retries(always, 99, failure('AUTH'))).toBe(true)
  })
})

const exact = { baseMs: 100, jitter: 0 }

describe('an agent', () => {
  it('waits on the injected clock and repeats in the same step', async () => {
    const { agent, clock, log, model } = rig({
      model: ['error SERVER', 'error TIMEOUT', 'text "done"'],
      retry: exact,
    })
    agent.followup(say('A'))
    await clock.advance(99)
    expect(model.requests).toHaveLength(1)
    await clock.advance(1)
    expect(model.requests).toHaveLength(2)
    await clock.advance(200)
    await agent.whenIdle()
    expect(log().slice(5, -2)).toEqual([
      'request/failed 1.1 #1 SERVER retry +100ms',
      'request/failed 1.1 #2 TIMEOUT retry +200ms',
      'assistant/message 1.1 "done"',
    ])
    expect(model.requests.map(({ context }) => context.attempt)).toEqual([1, 2, 3])
    await finish(agent)
  })

  it('ends the turn with the failure when the policy gives up by itself', async () => {
    const { agent, clock, ends } = rig({
      model: [{ items: [script.fail('SERVER')], times: Infinity }],
      retry: { ...exact, retries: 1 },
    })
    agent.followup(say('A'))
    await clock.advance(10_000)
    expect(ends()).toEqual(['turn/end 1 error:SERVER "boom"'])
    await finish(agent)
  })

  it('counts retries for each provider by itself', async () => {
    const { agent, clock, model } = rig({
      model: ['error SERVER', 'error SERVER', 'error SERVER', 'error SERVER'],
      retry: { ...exact, retries: 1 },
      gates: {
        request: ({ attempt, config }) => ({ ...config, provider: attempt % 2 === 1 ? 'a' : 'b' }),
      },
    })
    agent.followup(say('A'))
    await clock.advance(10_000)
    expect(model.requests).toHaveLength(3)
    expect(ofType(agent, 'request/failed').map(({ data }) => data.provider)).toEqual([
      'a',
      'b',
      'a',
    ])
    await finish(agent)
  })

  it('caps the attempts of a step, also those of a gate that always says retry', async () => {
    const { agent, ends, trace, model } = rig({
      model: [{ items: [script.fail('SERVER')], times: Infinity }],
      maxAttempts: 3,
      gates: { requestError: () => ({ action: 'retry' }) },
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(ends()).toEqual(['turn/end 1 limit:attempts'])
    expect(ofType(agent, 'turn/end')[0]?.data.reason).toMatchObject({
      used: 3,
      allowed: 3,
      failure: { code: 'SERVER' },
    })
    expect(trace.filter((line) => line.startsWith('error'))).toEqual([])
    expect(model.requests).toHaveLength(3)
    await finish(agent)
  })

  it('lets a macrotask pass between two attempts, so that nothing starves', async () => {
    let turns = 0
    const seen: number[] = []
    const { agent } = rig({
      model: [{ items: [script.fail('SERVER')], times: Infinity }],
      maxAttempts: 4,
      gates: {
        requestError: () => {
          seen.push(turns)
          return { action: 'retry' }
        },
      },
    })
    const tick = (): void => {
      turns += 1
      if (agent.status === 'running') setImmediate(tick)
    }
    agent.followup(say('A'))
    setImmediate(tick)
    await agent.whenIdle()
    expect(new Set(seen).size).toBe(seen.length)
    await finish(agent)
  })

  it('asks the policy behind the gates: a gate that answers by itself goes before it', async () => {
    const { agent, log } = rig({
      model: ['error SERVER', 'text "done"'],
      retry: { baseMs: 60_000, jitter: 0 },
      gates: { requestError: () => ({ action: 'retry', delayMs: 0 }) },
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(log()).toContain('request/failed 1.1 #1 SERVER retry')
    await finish(agent)
  })

  it('ends the wait at once when the policy is unloaded: the failure ends the turn', async () => {
    const given = { baseMs: 60_000, jitter: 0 }
    const { agent, clock, ends } = rig({ model: ['error SERVER', 'text "never"'], retry: given })
    agent.followup(say('A'))
    await settle()
    expect(clock.timers).toBe(1)
    unloadRetry(given)
    await agent.whenIdle()
    expect(ends()).toEqual(['turn/end 1 error:SERVER "boom"'])
    expect(clock.timers).toBe(0)
    await finish(agent)
  })

  it('drops the timer of a wait that is cancelled (W14)', async () => {
    const { agent, clock, ends, model } = rig({
      model: ['error SERVER', 'text "never"'],
      retry: { baseMs: 60_000, jitter: 0 },
    })
    agent.followup(say('A'))
    await settle()
    agent.cancel()
    await agent.whenIdle()
    expect(clock.timers).toBe(0)
    await clock.advance(60_000)
    expect([ends(), model.requests.length]).toEqual([['turn/end 1 aborted:user'], 1])
    await finish(agent)
  })

  it('takes a requestError that throws as no, with its own error', async () => {
    const { agent, ends } = rig({
      model: ['error SERVER'],
      retry: exact,
      gates: {
        requestError: () => {
          throw new Error('gate broke')
        },
      },
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(ends()).toEqual(['turn/end 1 error:UNKNOWN "gate broke"'])
    await finish(agent)
  })
})
