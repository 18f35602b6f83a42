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

it('a session that came into the registry by another door is counted, waits to run, and is evicted', async () => {
  const { host, clock, heard, asked, release } = hostRig({
    idleMs: 10,
    maxRunning: 1,
    tenantOf: () => 't',
  })
  await host.send('a', 'hold')
  await settle()
  const other = await host.registry.create({ id: 'b' })
  other.followup('one')
  await settle()
  expect(host.metrics().tenants).toEqual([
    { tenant: 't', resident: 2, running: 1, waiting: 1, pending: 1 },
  ])
  expect(asked).toEqual(['a'])
  await release('a')
  expect(asked).toEqual(['a', 'b'])
  expect(await host.with('b', (agent) => agent)).toBe(other)
  await clock.advance(20)
  expect(heard.filter((line) => line.includes(' b'))).toEqual([
    'opened b found',
    'waiting b',
    'started b',
    'ended b',
    'evicted b idle',
  ])
  await host.close()
})

it('a message that waits for a place gets the session that came in by another door meanwhile', async () => {
  const { host, release, prompts } = hostRig({ maxResident: 1 })
  await host.send('a', 'hold')
  const sent = host.send('b', 'one')
  await settle()
  await host.registry.create({ id: 'b' })
  await sent
  await release('a')
  expect(await prompts('b')).toEqual(['one'])
  expect(host.metrics().now.resident).toBeLessThanOrEqual(2)
  await host.close()
  expect(host.metrics().now).toEqual({ resident: 0, running: 0, waiting: 0, pending: 0 })
})
