/** Faults around what may run: late approvals, empty answers, spending limits. */
import { describe, expect, test } from 'vitest'
import { field, message, ok } from './field-stage.ts'

test('FC22 a cancel closes an open approval; the late yes is refused and records nothing', async () => {
  let ran = 0
  const body = (): void => {
    ran += 1
  }
  const stage = field({
    model: ['[call(c1,risky), call(c2,count), finish(tool-calls)]', "[text('after')]"],
    tools: { risky: body, count: body },
    gates: { toolPre: ({ tool }, next) => (tool === 'risky' ? { kind: 'ask' } : next()) },
  })
  stage.agent.followup(message('m1'))
  await stage.until('the question', () => stage.of('approval/asked').length === 1)
  const key = stage.of('approval/asked')[0]?.data.call.key ?? ''
  stage.agent.cancel('user')
  await stage.agent.whenIdle()
  expect(stage.of('approval/decided').map(({ data }) => data.answer)).toEqual(['cancelled'])
  expect(stage.log().filter((line) => line.startsWith('tool/result'))).toEqual([
    'tool/result 1.1 c1 error:ABORTED_BEFORE_DISPATCH',
    'tool/result 1.1 c2 error:ABORTED_BEFORE_DISPATCH',
  ])
  expect(ran).toBe(0)
  expect(stage.log().at(-1)).toBe('turn/end 1 aborted:user')
  const length = stage.agent.log.length
  expect(() => stage.agent.approve(key, 'allow')).toThrow(
    expect.objectContaining({ code: 'APPROVAL_CLOSED' }),
  )
  expect(stage.agent.log.length).toBe(length)
  stage.check()
})

test('FC22 a yes in the tick of the cancel is too late as well', async () => {
  const stage = field({
    model: ['[call(c1,risky)]'],
    tools: { risky: ok('ran') },
    gates: { toolPre: () => ({ kind: 'ask' }) },
  })
  stage.agent.followup(message('m1'))
  await stage.until('the question', () => stage.of('approval/asked').length === 1)
  const key = stage.of('approval/asked')[0]?.data.call.key ?? ''
  stage.agent.cancel('user')
  expect(() => stage.agent.approve(key, 'allow')).toThrow(
    expect.objectContaining({ code: 'APPROVAL_CLOSED' }),
  )
  await stage.agent.whenIdle()
  expect(stage.of('approval/decided').map(({ data }) => data.answer)).toEqual(['cancelled'])
})

describe('R05 the model answers nothing', () => {
  test('a completed step with an empty message that stays out of the history, and no loop', async () => {
    const stage = field({ model: ['[finish(stop)]', "[text('b')]"] })
    stage.agent.followup(message('m1'))
    await stage.agent.whenIdle()
    expect(stage.log()).toContain('assistant/message 1.1 (empty)')
    expect(stage.log().at(-1)).toBe('turn/end 1 completed')
    expect(stage.model.requests).toHaveLength(1)
    stage.agent.followup(message('m2'))
    await stage.agent.whenIdle()
    expect(stage.model.requests[1]?.history).toEqual(['user:m1', 'user:m2'])
    stage.check()
  })

  test('a claimed batch that became empty spends no model call', async () => {
    const stage = field({ model: [], gates: { preStep: () => ({ kind: 'enter', messages: [] }) } })
    stage.agent.followup(message('m1'))
    await stage.agent.whenIdle()
    expect(stage.model.requests).toHaveLength(0)
    expect(stage.log().at(-1)).toBe('turn/end 1 completed uncommitted ["m1"]')
    stage.check()
  })
})

describe('R08 a spending limit is crossed in the middle of a turn', () => {
  test('calls that may not be dispatched are denied by the budget, and the turn ends limit:tokens', async () => {
    let ran = 0
    const stage = field({
      maxTurnTokens: 50,
      model: ['call c1 t + call c2 t with usage 60', 'text "never"'],
      tools: {
        t: () => {
          ran += 1
        },
      },
    })
    stage.agent.followup(message('m1'))
    await stage.agent.whenIdle()
    expect(ran).toBe(0)
    expect(stage.of('tool/result').map(({ data }) => data.outcome.kind)).toEqual([
      'denied',
      'denied',
    ])
    expect(stage.model.requests).toHaveLength(1)
    expect(stage.of('turn/end')[0]?.data.reason).toMatchObject({
      kind: 'limit',
      which: 'tokens',
      used: 60,
      allowed: 50,
    })
    stage.check()
  })

  test('the overshoot is one attempt at most: the next model call is not made', async () => {
    const stage = field({
      maxTurnTokens: 100,
      model: ['call c1 t with usage 40', 'call c2 t with usage 80', 'text "never"'],
      tools: { t: ok('ok') },
    })
    stage.agent.followup(message('m1'))
    await stage.agent.whenIdle()
    expect(stage.model.requests).toHaveLength(2)
    expect(stage.of('tool/result').map(({ data }) => data.outcome.kind)).toEqual(['ok', 'denied'])
    expect(stage.of('turn/end')[0]?.data.reason).toMatchObject({
      which: 'tokens',
      used: 120,
      allowed: 100,
    })
    stage.check()
  })
})
