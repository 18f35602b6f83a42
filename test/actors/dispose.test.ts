/**
 * The end of an agent: marked at the call, cancelled, drained, flushed, announced in order, and over once.
 */
import { describe, expect, it } from 'vitest'
import { checkLog } from '../../src/events/enclosure.ts'
import { AgentDisposedError } from '../../src/errors.ts'
import { settle } from '../../src/testing/virtual-clock.ts'
import { finish, heldTool, rig, say } from './rig.ts'
import { SlowLog } from './slow-log.ts'

describe('disposal', () => {
  it('of an idle agent announces disposed and writes nothing', async () => {
    const { agent, trace } = rig()
    const order: string[] = []
    agent.onDispose(() => order.push('registered first'))
    agent.onDispose(() => order.push('registered last'))
    await agent.dispose()
    expect(trace).toEqual(['status disposed', 'agent/disposed'])
    expect(order).toEqual(['registered last', 'registered first'])
    expect([agent.status, agent.activity, agent.log.length]).toEqual(['disposed', 'idle', 0])
  })

  it('of a running agent cancels, drains, and announces idle before disposed', async () => {
    const tool = heldTool('held')
    const { agent, trace } = rig({ model: ['call c1 held'], tools: [tool.tool] })
    agent.followup(say('A'))
    agent.followup(say('B'))
    await settle()
    const from = trace.length
    agent.onDispose(() => trace.push('unwound'))
    const disposal = agent.dispose()
    await settle()
    expect(agent.status).toBe('running')
    tool.running[0]?.settle()
    await disposal
    expect(trace.slice(from)).toEqual([
      'inbox next-turn @0 -1 canceled',
      'cancel/requested disposed 1 discarded ["B"]',
      'discarded B disposed',
      'tool/result 1.1 c1 error:ABORTED',
      'step/end 1.1',
      'turn/end 1 aborted:disposed',
      'status idle',
      'status disposed',
      'unwound',
      'agent/disposed',
    ])
    checkLog(agent.log.read())
  })

  it('refuses every command from the call on, also in the same callback, and writes nothing more', async () => {
    const { agent } = rig({ model: ['text "one"'] })
    const refusals: unknown[] = []
    const refused = (call: () => unknown): void => {
      try {
        call()
        refusals.push('allowed')
      } catch (error) {
        refusals.push(error instanceof AgentDisposedError)
      }
    }
    agent.listen((notice) => {
      if (notice.type !== 'status' || notice.status !== 'running') return
      void agent.dispose()
      refused(() => agent.followup('x'))
      refused(() => agent.steer('x'))
      refused(() => agent.inject('x'))
      refused(() => agent.inject('x', { turn: true }))
      refused(() => agent.inbox.clear())
      refused(() => agent.record({ type: 'acme/note', data: {} }))
      refused(() => agent.runMaintenance(() => 1))
    })
    agent.followup(say('A'))
    await agent.dispose()
    expect(refusals).toEqual([true, true, true, true, true, true, true])
    expect(agent.log.read().map(({ type }) => type)).toEqual([
      'inbox/inserted',
      'inbox/discarded',
      'cancel/requested',
    ])
  })

  it('answers none to a cancel, and reading stays allowed', async () => {
    const { agent } = rig({ model: ['text "one"'] })
    agent.followup(say('A'))
    await agent.whenIdle()
    await agent.dispose()
    expect(agent.cancel()).toEqual({ effect: 'none', discarded: [] })
    expect(agent.inbox.nextTurn).toEqual([])
    expect(agent.log.read().length).toBeGreaterThan(0)
    await agent.whenIdle()
  })

  it('shares one completion among all calls', async () => {
    const { agent, trace } = rig()
    const first = agent.dispose()
    expect(agent.dispose()).toBe(first)
    await first
    expect(agent.dispose()).toBe(first)
    expect(trace.filter((line) => line === 'agent/disposed')).toHaveLength(1)
  })

  it('keeps the cause of an earlier cancel', async () => {
    const tool = heldTool('held')
    const { agent, ends } = rig({ model: ['call c1 held'], tools: [tool.tool] })
    agent.followup(say('A'))
    await settle()
    agent.cancel()
    const disposal = agent.dispose()
    tool.running[0]?.settle()
    await disposal
    expect(ends()).toEqual(['turn/end 1 aborted:user'])
  })

  it('with keepInbox, and as an async resource, leaves the queue to the next instance', async () => {
    const first = rig({ model: ['text "never"'] })
    {
      await using agent = first.agent
      agent.inbox.append('next-turn', say('later'))
    }
    expect(first.agent.status).toBe('disposed')
    expect(first.log()).toEqual(['inbox next-turn @0 +["later"]'])
    const running = rig({ model: ['text "never"'] })
    running.agent.followup(say('A'))
    running.agent.followup(say('B'))
    await running.agent.dispose({ keepInbox: true })
    expect(running.agent.inbox.nextTurn.map(({ message }) => message.id)).toEqual(['B'])
  })

  it('survives registrations that throw, and goes on with the others', async () => {
    const { agent, diagnostics } = rig()
    const order: string[] = []
    agent.onDispose(() => order.push('first'))
    agent.onDispose(() => {
      throw new Error('cannot unwind')
    })
    await agent.dispose()
    expect(order).toEqual(['first'])
    expect(diagnostics.map(({ message }) => message)).toEqual(['cannot unwind'])
    agent.onDispose(() => order.push('too late, at once'))
    expect(order).toEqual(['first', 'too late, at once'])
  })

  it('lets a waiter of whenIdle go', async () => {
    const tool = heldTool('held')
    const { agent } = rig({ model: ['call c1 held'], tools: [tool.tool] })
    agent.followup(say('A'))
    await settle()
    const idle = agent.whenIdle()
    const disposal = agent.dispose()
    tool.running[0]?.settle()
    await idle
    expect(agent.status).toBe('disposed')
    await disposal
  })
})

describe('the log at disposal', () => {
  it('is waited for: disposed is announced when it has written', async () => {
    const log = new SlowLog()
    const { agent } = rig({ log, model: ['text "never"'] })
    agent.inbox.append('next-turn', say('A'))
    const disposal = agent.dispose()
    await settle()
    expect(agent.status).toBe('idle')
    log.release()
    await disposal
    expect(agent.status).toBe('disposed')
  })

  it('that cannot write makes disposal reject once, from the final state', async () => {
    const log = new SlowLog()
    const { agent, trace } = rig({ log })
    agent.inbox.append('next-turn', say('A'))
    const disposal = agent.dispose()
    await settle()
    log.fail('disk full')
    await expect(disposal).rejects.toThrow('disk full')
    expect([agent.status, trace.at(-1)]).toEqual(['disposed', 'agent/disposed'])
    await expect(agent.dispose()).rejects.toThrow('disk full')
  })

  it('that cannot close makes disposal reject too', async () => {
    const log = new SlowLog()
    log.closeFailure = new Error('lock is gone')
    const { agent } = rig({ log })
    await expect(agent.dispose()).rejects.toThrow('lock is gone')
    expect(agent.status).toBe('disposed')
  })

  it('that refuses the record of the cancel does not hold disposal up', async () => {
    const { agent, diagnostics } = rig({ model: ['text "never"'] })
    agent.followup(say('A'))
    const append = agent.log.append.bind(agent.log)
    agent.log.append = (events, time) => {
      const [first] = [events].flat() as { type: string }[]
      if (first?.type === 'cancel/requested') throw new Error('disk full')
      return append(events, time)
    }
    await agent.dispose()
    expect(agent.status).toBe('disposed')
    expect(diagnostics.map(({ kind }) => kind)).toEqual(['append'])
    expect(agent.log.read().at(-1)).toMatchObject({
      type: 'turn/end',
      data: { reason: { kind: 'aborted', cause: { kind: 'disposed' } } },
    })
  })
})

it('disposing one agent leaves another alone', async () => {
  const one = rig({ model: ['text "one"'] })
  const other = rig({ model: ['text "two"'] })
  one.agent.followup(say('A'))
  other.agent.followup(say('B'))
  await one.agent.dispose()
  await other.agent.whenIdle()
  expect(other.ends()).toEqual(['turn/end 1 completed'])
  await finish(other.agent)
})
