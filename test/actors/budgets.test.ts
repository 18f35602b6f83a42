/**
 * The budgets of a turn: tokens, time, steps, objections; what is over goes over by at most one attempt or dispatch.
 */
import { describe, expect, it } from 'vitest'
import { script } from '../../src/testing/script.ts'
import { settle } from '../../src/testing/virtual-clock.ts'
import { finish, heldTool, ofType, rig, say } from './rig.ts'

const tool = { name: 't', run: () => 'ok' }
const spends = (tokens: number) => script.usage({ inputTokens: tokens, outputTokens: 0 })
const limitOf = (agent: Parameters<typeof ofType>[0]): unknown =>
  ofType(agent, 'turn/end').at(-1)?.data.reason

describe('tokens', () => {
  it('are summed over the attempts of a turn, and forbid the next request', async () => {
    const { agent, model } = rig({
      model: [
        [script.call('c1', 't'), spends(60), script.finish('tool-calls')],
        [script.call('c2', 't'), spends(60), script.finish('tool-calls')],
        'text "never"',
      ],
      tools: [tool],
      maxTurnTokens: 100,
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(limitOf(agent)).toEqual({ kind: 'limit', which: 'tokens', used: 120, allowed: 100 })
    expect(model.requests).toHaveLength(2)
    await finish(agent)
  })

  it('that are used up forbid every further dispatch: the calls are denied by the budget', async () => {
    const { agent } = rig({
      model: [
        [script.call('c1', 't'), script.call('c2', 't'), spends(100), script.finish('tool-calls')],
      ],
      tools: [tool],
      maxTurnTokens: 100,
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(ofType(agent, 'tool/result').map(({ data }) => data.outcome)).toMatchObject([
      { kind: 'denied', by: 'budget' },
      { kind: 'denied', by: 'budget' },
    ])
    expect(limitOf(agent)).toMatchObject({ kind: 'limit', which: 'tokens' })
    await finish(agent)
  })

  it('of failed attempts count too', async () => {
    const { agent, model } = rig({
      model: [[spends(80), script.fail('SERVER')], 'text "never"'],
      gates: { requestError: () => ({ action: 'retry' }) },
      maxTurnTokens: 80,
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(limitOf(agent)).toMatchObject({ kind: 'limit', which: 'tokens', used: 80 })
    expect(model.requests).toHaveLength(1)
    await finish(agent)
  })

  it('that nobody needs any more are no reason to end otherwise', async () => {
    const { agent, ends } = rig({
      model: [[script.text('one'), spends(1000), script.finish('stop')]],
      maxTurnTokens: 100,
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(ends()).toEqual(['turn/end 1 completed'])
    await finish(agent)
  })

  it('are counted for each turn by itself', async () => {
    const entry = [script.text('one'), spends(90), script.finish('stop')]
    const { agent, ends } = rig({ model: [entry, entry], maxTurnTokens: 100 })
    agent.followup(say('A'))
    agent.followup(say('B'))
    await agent.whenIdle()
    expect(ends()).toEqual(['turn/end 1 completed', 'turn/end 2 completed'])
    await finish(agent)
  })
})

describe('time', () => {
  it('counts from turn/start on the injected clock, and forbids the next request', async () => {
    const held = heldTool('slow')
    const { agent, clock, model } = rig({
      model: ['call c1 slow', 'text "never"'],
      tools: [held.tool],
      maxTurnMs: 1000,
    })
    agent.followup(say('A'))
    await settle()
    await clock.advance(1000)
    held.running[0]?.settle()
    await agent.whenIdle()
    expect(limitOf(agent)).toEqual({ kind: 'limit', which: 'time', used: 1000, allowed: 1000 })
    expect(model.requests).toHaveLength(1)
    await finish(agent)
  })

  it('that is not over yet forbids nothing', async () => {
    const held = heldTool('slow')
    const { agent, clock, ends } = rig({
      model: ['call c1 slow', 'text "done"'],
      tools: [held.tool],
      maxTurnMs: 1000,
    })
    agent.followup(say('A'))
    await settle()
    await clock.advance(999)
    held.running[0]?.settle()
    await agent.whenIdle()
    expect(ends()).toEqual(['turn/end 1 completed'])
    await finish(agent)
  })
})

describe('steps', () => {
  it('beyond maxSteps are not taken, and all calls are answered', async () => {
    const { agent, model } = rig({
      model: ['call c1 t', 'call c2 t', 'text "never"'],
      tools: [tool],
      maxSteps: 2,
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(limitOf(agent)).toEqual({ kind: 'limit', which: 'steps', used: 2, allowed: 2 })
    expect([model.requests.length, ofType(agent, 'tool/result').length]).toEqual([2, 2])
    await finish(agent)
  })

  it('leave pending next-step input parked; a queued prompt takes it along', async () => {
    const held = heldTool('slow')
    const { agent, model } = rig({
      model: ['call c1 slow', 'text "two"'],
      tools: [held.tool],
      maxSteps: 1,
    })
    agent.followup(say('A'))
    await settle()
    agent.steer(say('S'))
    held.running[0]?.settle()
    await agent.whenIdle()
    expect(agent.parked).toEqual({ reason: 'limit', ids: ['S'] })
    expect(agent.status).toBe('idle')
    agent.followup(say('B'))
    await agent.whenIdle()
    expect(model.requests[1]?.history.slice(-2)).toEqual(['user:S', 'user:B'])
    await finish(agent)
  })
})

describe('objections', () => {
  it('of turnStopping are limited by maxStops', async () => {
    let asked = 0
    const { agent } = rig({
      model: [{ items: [script.text('again')], times: Infinity }],
      maxStops: 3,
      gates: {
        turnStopping: () => {
          asked += 1
          agent.inject(`objection ${asked}`)
        },
      },
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(limitOf(agent)).toEqual({ kind: 'limit', which: 'stops', used: 3, allowed: 3 })
    expect(asked).toBe(3)
    await finish(agent)
  })

  it('are none where the gate stages nothing', async () => {
    const { agent, ends } = rig({ model: ['text "one"'], gates: { turnStopping: () => {} } })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(ends()).toEqual(['turn/end 1 completed'])
    await finish(agent)
  })
})
