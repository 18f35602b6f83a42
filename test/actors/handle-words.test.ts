/**
 * What the handle says of a call that it refuses or contains, and what it fills in where a caller says nothing.
 */
import { describe, expect, it } from 'vitest'
import { createAgent } from '../../src/actors/agent.ts'
import type { Agent } from '../../src/actors/agent-handle.ts'
import { doorOf } from '../../src/actors/service-door.ts'
import { DRAIN_LIMIT } from '../../src/actors/mailbox.ts'
import { AgentDisposedError, TurnwiseError } from '../../src/errors.ts'
import { createMemoryLog } from '../../src/log/memory-log.ts'
import type { Projection } from '../../src/projections/projection.ts'
import { traceOf } from '../../src/projections/trace/trace.ts'
import { macrotask, settle } from '../../src/testing/virtual-clock.ts'
import { finish, heldTool, ofType, rig, say } from './rig.ts'

const bad = (): never => {
  throw new Error('bad subscriber')
}

/** What `call` throws or rejects with: its code and text. */
async function refusalOf(call: () => unknown): Promise<unknown> {
  try {
    return await call()
  } catch (error) {
    return error instanceof TurnwiseError ? [error.code, error.summary] : error
  }
}

describe('an agent', () => {
  it('that is given an id gives it to its log', async () => {
    const agent = createAgent({ id: 's1' })
    expect([agent.id, agent.log.header.id]).toEqual(['s1', 's1'])
    await agent.dispose()
  })

  it('without an id has that of its log', async () => {
    const agent = createAgent()
    expect(agent.id).toBe(agent.log.header.id)
    await agent.dispose()
  })

  it('draws the trace of its own log', async () => {
    const { agent } = rig({ model: ['text "one"'] })
    agent.followup(say('A'))
    await agent.whenIdle()
    expect(agent.trace()).toBe(traceOf(agent.log.read()))
    expect(agent.trace({ reveal: true })).toBe(traceOf(agent.log.read(), { reveal: true }))
    await finish(agent)
  })
})

describe('the words of a refusal', () => {
  it.each<[string, (agent: Agent) => unknown, string, string]>([
    [
      'for a target that is none',
      (agent) => agent.send('x', { target: 'now' as never }),
      'INVALID_OPTION',
      'option target should be next-turn or next-step, found now; nothing was written.',
    ],
    [
      'for a position that is none',
      (agent) => agent.subscribe({ from: -1 }, () => {}),
      'INVALID_OPTION',
      'option from should be a position, a whole number from 0 on, found -1; nothing was delivered.',
    ],
    [
      'for an id that is pending',
      (agent) => agent.inject(say('A'), { turn: true }),
      'DUPLICATE_ID',
      'expected a new message id, found A, which is pending or committed; nothing was written. Treat it as already delivered.',
    ],
  ])('%s', async (_, call, code, summary) => {
    const { agent, log } = rig({ id: 's1' })
    agent.inbox.append('next-turn', say('A'))
    expect(await refusalOf(() => call(agent))).toEqual([code, summary])
    expect(log()).toEqual(['inbox next-turn @0 +["A"]'])
    await finish(agent)
  })

  it('for an id that is committed', async () => {
    const { agent, ends } = rig({ model: ['text "one"'] })
    agent.followup(say('A'))
    await agent.whenIdle()
    const { length } = agent.log
    expect(await refusalOf(() => agent.inject(say('A'), { turn: true }))).toEqual([
      'DUPLICATE_ID',
      'expected a new message id, found A, which is pending or committed; nothing was written. Treat it as already delivered.',
    ])
    expect([agent.log.length, agent.status, ends()]).toEqual([
      length,
      'idle',
      ['turn/end 1 completed'],
    ])
    await finish(agent)
  })

  it('for a task of a busy agent', async () => {
    const { agent } = rig({ id: 's1', model: ['hang "x"'] })
    agent.followup(say('A'))
    expect(await refusalOf(() => agent.runMaintenance(() => 1))).toEqual([
      'AGENT_BUSY',
      'expected agent s1 to be idle, found it at work; the task was not started. Wait for quiescence.',
    ])
    await finish(agent)
  })

  it('for a position that the log no longer holds', async () => {
    const log = createMemoryLog({ id: 's1' })
    const { agent } = rig({ log })
    agent.inject('x')
    agent.inject('y')
    log.at = (seq) => (seq < 1 ? undefined : log.read()[seq])
    expect(await refusalOf(() => agent.subscribe({ from: 0 }, () => {}))).toEqual([
      'CURSOR_TOO_OLD',
      'expected a position that the log still holds, found 0; nothing was delivered. Reload a projection.',
    ])
    const seen: number[] = []
    agent.subscribe({ from: 1 }, ({ seq }) => seen.push(seq))
    agent.subscribe({ from: 2 }, ({ seq }) => seen.push(seq))
    expect(seen).toEqual([1])
    await finish(agent)
  })

  it('for an agent that nobody here has made', () => {
    expect(() => doorOf({} as Agent)).toThrow(
      expect.objectContaining({
        code: 'INVALID_OPTION',
        summary:
          'expected an agent made by createAgent or by a registry, found another; nothing was changed.',
      }),
    )
  })

  it('for a log with an open turn', () => {
    const log = createMemoryLog({ id: 's1' })
    log.append({ type: 'turn/start', data: { turn: 1 } }, 0)
    expect(() => createAgent({ log })).toThrow(
      expect.objectContaining({
        code: 'OPEN_TURN',
        summary:
          'expected a log without an open turn, found turn 1 of session s1 open: its process died; no agent was created. Repair the log first.',
      }),
    )
  })
})

describe('a wait for oneself', () => {
  it.each<['whenIdle' | 'run' | 'dispose', (agent: Agent) => unknown]>([
    ['whenIdle', (agent) => agent.whenIdle()],
    ['run', (agent) => agent.run('x')],
    ['dispose', (agent) => agent.dispose()],
  ])('by %s() is refused in words that say where', async (verb, wait) => {
    const refusals: unknown[] = []
    const made = rig({
      id: 's1',
      model: ['call c1 t', 'text "done"'],
      tools: [
        {
          name: 't',
          run: async () => {
            refusals.push(await refusalOf(() => wait(made.agent)))
            return 'ok'
          },
        },
      ],
    })
    made.agent.followup(say('A'))
    await settle(10)
    expect(refusals).toEqual([
      [
        'SELF_WAIT',
        `${verb}() of agent s1 was awaited inside its own tool, which would wait for itself; only this promise rejects. Send instead, or do not await.`,
      ],
    ])
    await made.agent.dispose()
  })

  it('is over at once where the agent is disposed and the body still runs', async () => {
    const tool = heldTool('t')
    const refused: unknown[] = []
    const made = rig({
      model: ['call c1 t'],
      tools: [
        {
          name: 't',
          run: async (input: never, context) => {
            await tool.tool.run(input, context)
            refused.push(await refusalOf(() => made.agent.whenIdle()))
            return 'late'
          },
        },
      ],
      drainGraceMs: 100,
    })
    made.agent.followup(say('A'))
    await settle()
    const disposal = made.agent.dispose()
    await made.clock.advance(100)
    await disposal
    tool.running[0]?.settle()
    await settle()
    expect([made.agent.status, refused]).toEqual(['disposed', [undefined]])
  })
})

describe('a command', () => {
  it('with a faulty message is refused for the end of its agent, not for its fault', async () => {
    const { agent } = rig()
    await agent.dispose()
    for (const send of [
      () => agent.followup({ content: 7 } as never),
      () => agent.inbox.append('next-turn', { content: 7 } as never),
    ])
      expect(send).toThrow(AgentDisposedError)
  })

  it('answers queued where the mailbox was cut short, and is applied later', async () => {
    const { agent } = rig()
    const leave = agent.listen(() => {
      leave()
      for (let i = 0; i < DRAIN_LIMIT; i += 1) agent.inbox.remove('nobody')
    })
    agent.inbox.append('next-turn', say('A'))
    expect(agent.inbox.clear()).toBe('queued')
    expect(agent.inbox.nextTurn).toHaveLength(1)
    await macrotask()
    expect(agent.inbox.nextTurn).toEqual([])
    await finish(agent)
  })
})

it('what a subscriber throws is told as the fault of an observer, whatever it watches', async () => {
  const { agent, diagnostics, trace } = rig()
  const count: Projection<number> = { name: 'count', initial: 0, evolve: (sum) => sum + 1 }
  agent.events$.subscribe(bad)
  agent.select(count).subscribe(bad)
  agent.status$.subscribe(bad)
  agent.inject('x')
  await settle()
  expect(new Set(diagnostics.map(({ kind, message }) => `${kind}: ${message}`))).toEqual(
    new Set(['observer: bad subscriber']),
  )
  expect(trace.filter((line) => line.startsWith('diagnostic'))).toEqual(
    diagnostics.map(({ kind }) => `diagnostic ${kind}`),
  )
  expect(ofType(agent, 'inbox/inserted')).toHaveLength(1)
  await finish(agent)
})
