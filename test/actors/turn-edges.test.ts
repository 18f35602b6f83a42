/**
 * A turn at its edges: what a boundary claims, what a gate may not add, and what is told where the log refuses its end.
 */
import { describe, expect, it } from 'vitest'
import type { Agent } from '../../src/actors/agent-handle.ts'
import { createMemoryLog } from '../../src/log/memory-log.ts'
import { settle } from '../../src/testing/virtual-clock.ts'
import { atRest, first, next } from '../sessions/kept-rig.ts'
import { refusing } from './refusing-log.ts'
import { finish, ofType, rig, type RigOptions, say } from './rig.ts'

type Asks = (wait: () => Promise<unknown>) => RigOptions

describe('a wait for oneself is refused inside a gate:', () => {
  it.each<[string, Asks]>([
    ['the system prompt', (wait) => ({ system: () => wait().then(() => 'x') })],
    ['preStep', (wait) => ({ gates: { preStep: (_, go) => wait().then(go) } })],
    [
      'continuation',
      (wait) => ({ gates: { continuation: () => wait().then(() => 'default' as const) } }),
    ],
    ['turnStopping', (wait) => ({ gates: { turnStopping: () => wait().then(() => {}) } })],
  ])('%s', async (_, asks) => {
    const made: { agent?: Agent } = {}
    const { agent } = rig({
      id: 's1',
      model: ['text "one"'],
      ...asks(() => made.agent?.whenIdle() ?? Promise.resolve()),
    })
    made.agent = agent
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(ofType(agent, 'turn/end').map(({ data }) => data.reason)).toMatchObject([
      { kind: 'error', message: expect.stringContaining('inside its own gate, which') as unknown },
    ])
    await finish(agent)
  })
})

describe('a boundary', () => {
  it('of a turn that was taken over leaves the next turn its message', async () => {
    const life = await next((await first()).agent.log.read())
    life.agent.steer(say('now'))
    life.agent.followup(say('later'))
    for (const { call } of life.agent.approvals.open) life.agent.approve(call.key, 'allow')
    await life.agent.whenIdle()
    const claims = ofType(life.agent, 'inbox/claimed').map(({ data }) => data)
    expect(claims.slice(1)).toEqual([
      { turn: 1, nextStep: ['now'], nextTurn: [] },
      { turn: 2, nextStep: [], nextTurn: ['later'] },
    ])
    await atRest(life)
  })

  it('takes no message from a gate whose id is pending', async () => {
    const { agent, log } = rig({
      model: ['text "two"', 'text "three"'],
      gates: {
        preStep: ({ batch, turn }) => ({
          kind: 'enter',
          messages: turn === 1 ? [...batch, say('B')] : batch,
        }),
      },
    })
    agent.inbox.append('next-turn', say('A'))
    agent.inbox.append('next-turn', say('B'))
    agent.followup(say('C'))
    await agent.whenIdle()
    expect(log().find((line) => line.startsWith('turn/end 1'))).toBe(
      'turn/end 1 error:GATE_DECISION_INVALID "duplicate id B" uncommitted ["A"]',
    )
    await agent.dispose()
  })
})

describe('where the log refuses', () => {
  it.each([
    ['before its step', 0, 'error 1.0 UNKNOWN: disk full'],
    ['in its step', 20, 'error 1.1 UNKNOWN: disk full'],
  ])('the end of a turn that was cancelled %s, the error says where', async (_, ticks, told) => {
    const { agent, trace } = rig({ log: refusing('turn/end', 2), model: ['hang "x"'] })
    agent.followup(say('A'))
    if (ticks > 0) await settle(ticks)
    agent.cancel()
    await agent.whenIdle()
    expect(trace.filter((line) => line.startsWith('error'))).toEqual([told])
    await agent.dispose()
  })

  it('the start of a turn that is cancelled at that moment, no end is tried', async () => {
    const made: { agent?: Agent } = {}
    const tried: string[] = []
    const log = createMemoryLog({
      id: 's1',
      intercept: ({ type }) => {
        tried.push(type)
        if (type !== 'turn/start') return
        made.agent?.cancel('user', { keepInbox: true })
        throw new Error('disk full')
      },
    })
    const { agent, trace } = rig({ log })
    made.agent = agent
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(tried).not.toContain('turn/end')
    expect(trace.filter((line) => line.startsWith('error'))).toEqual([
      'error 0.0 UNKNOWN: disk full',
    ])
    await agent.dispose()
  })
})

it('a turn that parks nothing does not say so', async () => {
  const { agent } = rig({ model: ['text "one"'] })
  agent.followup(say('A'))
  await agent.whenIdle()
  expect(ofType(agent, 'turn/end').map(({ data }) => Object.keys(data))).toEqual([
    ['turn', 'reason', 'uncommitted'],
  ])
  await finish(agent)
})
