/**
 * Which idle sessions of a host stay in memory, and which busy ones leave it.
 */
import { expect, it } from 'vitest'
import { memoryStore } from '../../../src/sessions/memory-store.ts'
import { settle } from '../../../src/testing/virtual-clock.ts'
import { callingModel, hostRig } from './rig.ts'

it('a parent is not evicted before its children', async () => {
  const { host, clock } = hostRig({ idleMs: 10 })
  await host.send('parent', 'one')
  await settle()
  const parent = host.registry.get('parent')!
  const child = await host.registry.create({ id: 'child', owner: parent })
  await clock.advance(50)
  expect(host.registry.get('parent')).toBe(parent)
  await child.dispose()
  await clock.advance(20)
  expect(host.registry.get('parent')).toBeUndefined()
  await host.close()
})

it('a session that waits for an approval is evicted like an idle one, and answered in its next life', async () => {
  const ran: string[] = []
  const { host, clock } = hostRig({
    idleMs: 10,
    keepApprovals: true,
    maxRunning: 1,
    agent: {
      model: callingModel(),
      approval: 'always',
      tools: [{ name: 't', run: () => void ran.push('t') }],
    },
  })
  await host.send('a', 'one')
  await settle()
  expect(host.metrics().now.running).toBe(0)
  await clock.advance(10)
  expect(host.registry.get('a')).toBeUndefined()
  await host.with('a', async (agent) => {
    agent.approve('c1', 'allow')
    await agent.whenIdle()
  })
  expect(ran).toEqual(['t'])
  expect(host.metrics().turns).toEqual({ completed: 1 })
  await host.close()
})

it('what cannot be written stays in memory, and leaves once it is', async () => {
  const inner = memoryStore()
  let broken = false
  const store = {
    create: async (...given: Parameters<typeof inner.create>) => {
      const log = await inner.create(...given)
      let written = 0
      log.durable = (seq) => {
        if (!broken) written = log.length
        return seq < written ? undefined : Promise.reject(new Error('disk full'))
      }
      return log
    },
    open: (id: string) => inner.open(id),
    read: (id: string) => inner.read(id),
    has: (id: string) => inner.has(id),
    list: () => inner.list(),
    remove: (id: string) => inner.remove(id),
  }
  const { host, clock, faults } = hostRig({ store, idleMs: 10, agent: { durability: 'none' } })
  await host.with('a', (agent) => {
    broken = true
    agent.inject('context')
  })
  await clock.advance(30)
  expect(host.registry.get('a')).toBeDefined()
  expect(faults).toContain('disk full')
  broken = false
  await clock.advance(20)
  expect(host.registry.get('a')).toBeUndefined()
  await host.close()
})
