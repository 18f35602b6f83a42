/**
 * Disposing takes the entries of a session away in pairs, and never those of another one.
 */
import { describe, expect, it } from 'vitest'
import { memoryStore } from '../../src/sessions/memory-store.ts'
import { createRegistry } from '../../src/sessions/registry.ts'
import { code, house } from './house.ts'

describe('disposing', () => {
  it('DI-01: disposed and unlisted, then agent/disposed, then session/disposed, then the promise; the id is free', async () => {
    const { registry } = house()
    const agent = await registry.create({ id: 's1' })
    const order: string[] = []
    agent.listen((notice) => {
      if (notice.type === 'status') order.push(`status ${notice.status}`)
    })
    registry.listen(({ type }) => {
      const taken = registry.get('s1') !== undefined
      order.push(`${type} listed=${taken} status=${agent.status}`)
    })
    await agent.dispose()
    order.push('resolved')
    expect(order).toEqual([
      'status disposed',
      'agent/disposed listed=false status=disposed',
      'session/disposed listed=false status=disposed',
      'resolved',
    ])
    expect((await registry.resume('s1')).id).toBe('s1')
  })

  it('the session entry holds the id until the log is closed', async () => {
    const { registry } = house()
    const agent = await registry.create({ id: 's1' })
    const refusals: unknown[] = []
    registry.listen(({ type }) => {
      if (type === 'agent/disposed')
        void registry.resume('s1').catch((error: unknown) => refusals.push(error))
    })
    await agent.dispose()
    expect(refusals).toEqual([code('SESSION_LIVE')])
  })

  it.each(['session/created', 'agent/created', 'session-start'] as const)(
    'RG-13: a tear-down asked for inside %s waits until all have heard of the creation',
    async (type) => {
      const { registry, heard } = house()
      const later: string[] = []
      let disposal: Promise<void> | undefined
      registry.listen((notice) => {
        if (notice.type === type) disposal = registry.get('s1')?.dispose()
      })
      registry.listen((notice) => {
        later.push(`${notice.type} listed=${registry.get('s1') !== undefined}`)
      })
      await registry.create({ id: 's1' })
      await disposal
      expect(heard).toEqual([
        'session/created s1',
        'agent/created s1',
        'session-start:startup s1',
        'agent/disposed s1',
        'session/disposed s1',
      ])
      expect(later.slice(0, 3)).toEqual([
        'session/created listed=true',
        'agent/created listed=true',
        'session-start listed=true',
      ])
    },
  )

  it('RG-13: a session-start listener may wait for the disposal it asked for', async () => {
    const { registry } = house()
    registry.listen((notice) =>
      notice.type === 'session-start' ? notice.agent.dispose() : undefined,
    )
    const agent = await registry.create({ id: 's1' })
    expect(agent.status).toBe('disposed')
  })

  it('RG-16: a stale detach, and a second dispose, cannot remove a successor', async () => {
    const { registry, heard } = house()
    const other = createRegistry({ store: memoryStore(), factory: () => ({}) })
    const first = await other.create({ id: 's1' })
    const detach = registry.register(first)
    detach()
    const second = await registry.create({ id: 's1' })
    detach()
    await first.dispose()
    expect(registry.get('s1')).toBe(second)
    expect(heard.filter((line) => line === 'agent/disposed s1')).toHaveLength(1)
  })

  it('RG-19: a listener of one agent hears that agent only and goes with it', async () => {
    const { registry, store } = house(['text "a"', 'text "b"', 'text "c"'])
    const a = await registry.create({ id: 'a' })
    const b = await registry.create({ id: 'b' })
    const heard: string[] = []
    const statuses: string[] = []
    registry.listen(({ type }) => heard.push(type), a)
    a.listen((notice) => {
      if (notice.type === 'status') statuses.push(notice.status)
    })
    await a.run('A')
    await b.run('B')
    await a.dispose()
    await store.remove('a')
    const again = await registry.create({ id: 'a' })
    await again.run('C')
    await again.dispose()
    expect(heard).toEqual(['agent/disposed', 'session/disposed'])
    expect(statuses).toEqual(['running', 'idle', 'disposed'])
  })
})
