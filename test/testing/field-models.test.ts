/** Faults around models: silence, back-off, two owners of retries. */
import { describe, expect, test } from 'vitest'
import { field, gate, message } from './field-stage.ts'

const silent = (streamIdleMs: number) =>
  field({ streamIdleMs, model: ["[text('part'), stall()]", "[text('answer'), finish(stop)]"] })

describe('FC17 a stream that stays open and silent', () => {
  test('fails its attempt with TIMEOUT once the limit is over, and the next prompt is answered', async () => {
    const stage = silent(60_000)
    stage.agent.followup(message('m1'))
    stage.agent.followup(message('m2'))
    await stage.clock.advance(59_999)
    expect(stage.of('request/failed')).toHaveLength(0)
    await stage.clock.advance(1)
    await stage.agent.whenIdle()
    expect(stage.log()).toContain('request/failed 1.1 #1 TIMEOUT fail')
    expect(stage.log().find((line) => line.startsWith('turn/end 1'))).toMatch(/error:TIMEOUT/)
    expect(stage.log().at(-1)).toBe('turn/end 2 completed')
    stage.check()
  })

  test('is a failure that a retry policy repeats', async () => {
    const stage = field({
      streamIdleMs: 60_000,
      retry: { retries: 1, baseMs: 1000, jitter: 0 },
      model: ["[text('part'), stall()]", "[text('answer'), finish(stop)]"],
    })
    stage.agent.followup(message('m1'))
    await stage.clock.advance(61_000)
    await stage.agent.whenIdle()
    expect(stage.log()).toContain('request/failed 1.1 #1 TIMEOUT retry +1000ms')
    expect(stage.log().at(-1)).toBe('turn/end 1 completed')
    stage.check()
  })

  test('is ended by a cancel without advancing the clock', async () => {
    const stage = silent(60_000)
    stage.agent.followup(message('m1'))
    stage.agent.followup(message('m2'))
    await stage.until('the part is seen', () => stage.of('assistant/chunk').length > 1)
    const before = stage.clock.now()
    stage.agent.cancel('user', { keepInbox: true, resume: true })
    await stage.agent.whenIdle()
    expect(stage.clock.now()).toBe(before)
    expect(stage.log()).toContain('turn/end 1 aborted:user')
    expect(stage.log().at(-1)).toBe('turn/end 2 completed')
    stage.check()
  })

  test('0 switches the limit off', async () => {
    const stage = silent(0)
    stage.agent.followup(message('m1'))
    await stage.clock.advance(3_600_000)
    expect(stage.of('request/failed')).toHaveLength(0)
    expect(stage.clock.timers).toBe(0)
    stage.agent.cancel('user')
    await stage.agent.whenIdle()
  })

  test('time in tools does not count', async () => {
    const stage = field({
      streamIdleMs: 60_000,
      model: ['[call(c1,slow)]', "[text('answer')]"],
      tools: { slow: gate('g') },
    })
    stage.agent.followup(message('m1'))
    await stage.until('the tool runs', () => stage.of('tool/call').length === 1)
    await stage.clock.advance(600_000)
    stage.latches.open('g')
    await stage.agent.whenIdle()
    expect(stage.of('request/failed')).toHaveLength(0)
    expect(stage.log().at(-1)).toBe('turn/end 1 completed')
    stage.check()
  })
})

test('FC19 a cancel during back-off settles at once, leaves no timer, and no second request is made', async () => {
  const stage = field({
    retry: { baseMs: 30_000, maxMs: 30_000, jitter: 0 },
    model: ['[fail(429)]', '[finish(stop)]'],
  })
  stage.agent.followup(message('m1'))
  await stage.until('back-off', () => stage.of('request/failed').length === 1)
  expect(stage.log().at(-1)).toBe('request/failed 1.1 #1 RATE_LIMIT retry +30000ms')
  const before = stage.clock.now()
  stage.agent.cancel('user')
  await stage.agent.whenIdle()
  expect(stage.clock.now()).toBe(before)
  expect(stage.clock.timers).toBe(0)
  await stage.clock.advance(60_000)
  expect(stage.model.requests).toHaveLength(1)
  expect(stage.log().at(-1)).toBe('turn/end 1 aborted:user')
  stage.check()
})

const limited = (more: object, script: string) => {
  const times: number[] = []
  const stage = field({
    retry: { retries: 2, baseMs: 1000, jitter: 0 },
    model: Array.from({ length: 5 }, () => script),
    gates: {
      request: (_question, next) => {
        times.push(stage.clock.now())
        return next()
      },
    },
    ...more,
  })
  return { stage, times }
}

describe('FC20 one owner of retries', () => {
  test('makes exactly three calls, at 0, 1000 and 3000 ms, each recorded with action and delay', async () => {
    const { stage, times } = limited({}, '[fail(RATE_LIMIT)]')
    const start = stage.clock.now()
    stage.agent.followup(message('m1'))
    await stage.clock.advance(60_000)
    expect(times.map((time) => time - start)).toEqual([0, 1000, 3000])
    expect(stage.model.requests).toHaveLength(3)
    expect(stage.log().filter((line) => line.startsWith('request/failed'))).toEqual([
      'request/failed 1.1 #1 RATE_LIMIT retry +1000ms',
      'request/failed 1.1 #2 RATE_LIMIT retry +2000ms',
      'request/failed 1.1 #3 RATE_LIMIT fail',
    ])
    expect(stage.log().at(-1)).toBe('turn/end 1 error:RATE_LIMIT "slow down"')
    stage.check()
  })

  test('usage of failed attempts counts against the budget', async () => {
    const { stage } = limited({ maxTurnTokens: 100 }, 'text "x", usage 60, error RATE_LIMIT')
    stage.agent.followup(message('m1'))
    await stage.clock.advance(60_000)
    expect(stage.model.requests).toHaveLength(2)
    expect(stage.of('turn/end')[0]?.data.reason).toMatchObject({
      kind: 'limit',
      which: 'tokens',
      used: 120,
      allowed: 100,
    })
    stage.check()
  })
})
