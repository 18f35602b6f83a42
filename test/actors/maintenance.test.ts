/**
 * Maintenance: a task while the status stays idle; wakes wait, cancels reach it, results come back unchanged.
 */
import { describe, expect, it } from 'vitest'
import { AgentDisposedError } from '../../src/errors.ts'
import { settle } from '../../src/testing/virtual-clock.ts'
import { finish, rig, say } from './rig.ts'

/** A task that ends when the test says so. */
function held() {
  const task = {
    signal: undefined as AbortSignal | undefined,
    settle: (_: unknown): void => {},
    fail: (_: Error): void => {},
    run: (signal: AbortSignal): Promise<unknown> => {
      task.signal = signal
      return new Promise((resolve, reject) => {
        task.settle = resolve
        task.fail = reject
      })
    },
  }
  return task
}

describe('maintenance', () => {
  it('runs in a microtask of an idle agent, as its activity, with the status idle', async () => {
    const { agent, trace } = rig()
    const task = held()
    const result = agent.runMaintenance(task.run)
    expect([agent.status, agent.activity, task.signal]).toEqual(['idle', 'maintenance', undefined])
    await settle()
    task.settle(7)
    await expect(result).resolves.toBe(7)
    await agent.whenIdle()
    expect(agent.activity).toBe('idle')
    expect(trace).toEqual([])
    await finish(agent)
  })

  it('gives the caller its very rejection, and no diagnostic', async () => {
    const { agent, diagnostics } = rig()
    const error = new Error('compaction failed')
    await expect(agent.runMaintenance(() => Promise.reject(error))).rejects.toBe(error)
    await expect(
      agent.runMaintenance(() => {
        throw error
      }),
    ).rejects.toBe(error)
    expect(diagnostics).toEqual([])
    await finish(agent)
  })

  it('lets wakes wait, and the agent go on with them by itself', async () => {
    const { agent, trace, model } = rig({ model: ['text "one"'] })
    const task = held()
    const result = agent.runMaintenance(task.run)
    agent.followup(say('A'))
    await settle()
    expect([model.requests.length, agent.status]).toEqual([0, 'idle'])
    task.settle(undefined)
    await result
    await agent.whenIdle()
    expect(trace.filter((line) => line.startsWith('status'))).toEqual([
      'status running',
      'status idle',
    ])
    await finish(agent)
  })

  it('is refused while anything runs: thrown outside a move, rejected inside one', async () => {
    const { agent } = rig({ model: ['text "one"'] })
    let inside: Promise<unknown> | undefined
    agent.listen((notice) => {
      if (notice.type === 'status' && notice.status === 'running') {
        inside = agent.runMaintenance(() => 'never')
        inside.catch(() => {})
      }
    })
    agent.followup(say('A'))
    const busy = expect.objectContaining({ code: 'AGENT_BUSY' })
    expect(() => agent.runMaintenance(() => 'never')).toThrow(busy)
    await expect(inside).rejects.toThrow(busy)
    await agent.whenIdle()
    const task = held()
    const first = agent.runMaintenance(task.run)
    expect(() => agent.runMaintenance(() => 'never')).toThrow(busy)
    await settle()
    task.settle(undefined)
    await first
    await finish(agent)
  })

  it('called in a callback starts after the move', async () => {
    const { agent } = rig({ model: ['text "one"'] })
    let result: Promise<string> | undefined
    agent.listen((notice) => {
      if (notice.type === 'status' && notice.status === 'idle') {
        result = agent.runMaintenance(() => `activity ${agent.activity}`)
      }
    })
    agent.followup(say('A'))
    await agent.whenIdle()
    await expect(result).resolves.toBe('activity maintenance')
    await finish(agent)
  })

  it('is aborted by a cancel, which discards the queue or parks it', async () => {
    const { agent, log } = rig({ model: ['text "never"'] })
    const task = held()
    const result = agent.runMaintenance(task.run)
    await settle()
    agent.followup(say('A'))
    const cause = { kind: 'user', why: 'enough' } as const
    expect(agent.cancel(cause).effect).toBe('aborted')
    expect(task.signal?.reason).toBe(cause)
    expect(agent.cancel().effect).toBe('none')
    task.fail(new Error('stopped'))
    await expect(result).rejects.toThrow('stopped')
    await agent.whenIdle()
    expect(log()).toEqual([
      'inbox next-turn @0 +["A"]',
      'inbox next-turn @0 -1 canceled',
      'cancel/requested user - discarded ["A"]',
    ])
    await finish(agent)
  })

  it('with keepInbox leaves the queue parked', async () => {
    const { agent } = rig({ model: ['text "never"'] })
    const task = held()
    const result = agent.runMaintenance(task.run)
    await settle()
    agent.followup(say('A'))
    agent.cancel('user', { keepInbox: true })
    task.settle(undefined)
    await result
    await agent.whenIdle()
    expect([agent.status, agent.parked]).toEqual(['idle', { reason: 'cancel', ids: ['A'] }])
    await finish(agent)
  })

  it('is aborted and awaited by disposal, and refused afterwards', async () => {
    const { agent, trace } = rig()
    const task = held()
    const result = agent.runMaintenance(task.run)
    await settle()
    const disposal = agent.dispose()
    expect(task.signal?.aborted).toBe(true)
    await settle()
    expect(agent.status).toBe('idle')
    task.settle('late')
    await expect(result).resolves.toBe('late')
    await disposal
    expect(agent.status).toBe('disposed')
    expect(trace.filter((line) => line.startsWith('status'))).toEqual(['status disposed'])
    expect(() => agent.runMaintenance(() => 'never')).toThrow(AgentDisposedError)
  })

  it('may not wait for its own agent', async () => {
    const { agent } = rig()
    const seen = await agent.runMaintenance(() =>
      agent.whenIdle().then(
        () => 'waited',
        (error: { code: string }) => error.code,
      ),
    )
    expect(seen).toBe('SELF_WAIT')
    await finish(agent)
  })
})
