/**
 * What a tenant may have, and who is next.
 */
import { array, assert, boolean, integer, property, tuple } from 'fast-check'
import { expect, it } from 'vitest'
import { createAgentHost } from '../../../src/sessions/host/agent-host.ts'
import { FairQueue } from '../../../src/sessions/host/fair-queue.ts'
import { memoryStore } from '../../../src/sessions/memory-store.ts'
import { settle } from '../../../src/testing/virtual-clock.ts'
import { codeOf, evictionsOf, hostRig } from './rig.ts'

/** The part before the hyphen. */
const tenantOf = (id: string): string => id.split('-')[0] ?? ''

it('turns that wait begin in turns of their tenants, however many one of them has', async () => {
  const { host, asked, release } = hostRig({ tenantOf, maxRunning: 1 })
  await host.send('loud-0', 'hold')
  for (let i = 1; i <= 4; i += 1) await host.send(`loud-${i}`, 'hold')
  for (const id of ['calm-1', 'calm-2', 'shy-1']) await host.send(id, 'hold')
  await settle()
  expect(host.metrics().now).toEqual({ resident: 8, running: 1, waiting: 7, pending: 7 })
  for (let i = 0; i < 8; i += 1) await release(asked.at(-1)!)
  expect(asked).toEqual([
    'loud-0',
    'loud-1',
    'calm-1',
    'shy-1',
    'loud-2',
    'calm-2',
    'loud-3',
    'loud-4',
  ])
  await host.close()
})

it('a tenant has no more running than it may, and nobody waits behind it', async () => {
  const { host, asked, release } = hostRig({ tenantOf, tenantLimits: { maxRunning: 1 } })
  for (const id of ['a-1', 'a-2', 'b-1']) await host.send(id, 'hold')
  await settle()
  expect(asked).toEqual(['a-1', 'b-1'])
  expect(host.metrics().tenants).toEqual([
    { tenant: 'a', resident: 2, running: 1, waiting: 1, pending: 1 },
    { tenant: 'b', resident: 1, running: 1, waiting: 0, pending: 0 },
  ])
  await release('a-1')
  expect(asked).toEqual(['a-1', 'b-1', 'a-2'])
  await release('a-2')
  await release('b-1')
  await host.close()
})

it('a queue of one session waits for its turn again after each turn', async () => {
  const { host, asked, release } = hostRig({ tenantOf, maxRunning: 1 })
  for (const text of ['hold 1', 'hold 2', 'hold 3']) await host.send('a-1', text)
  await host.send('b-1', 'hold')
  await settle()
  for (let i = 0; i < 4; i += 1) await release(asked.at(-1)!)
  expect(asked).toEqual(['a-1', 'b-1', 'a-1', 'a-1'])
  await host.close()
})

it('a cancelled turn that waits gives its turn up', async () => {
  const { host, asked, release } = hostRig({ maxRunning: 1 })
  await host.send('a', 'hold')
  await host.send('b', 'hold')
  await host.send('c', 'hold')
  await settle()
  const cancelled = await host.with('b', async (agent) => {
    const receipt = agent.cancel()
    await agent.whenIdle()
    return receipt.effect
  })
  expect(cancelled).toBe('aborted')
  expect(host.metrics().now).toMatchObject({ running: 1, waiting: 1 })
  await release('a')
  expect(asked).toEqual(['a', 'c'])
  await release('c')
  await host.close()
})

it('a tenant with as much pending as it may have is refused, others are not', async () => {
  const { host, release } = hostRig({ tenantOf, maxRunning: 1, tenantLimits: { maxPending: 2 } })
  await host.send('a-1', 'hold')
  await host.send('a-1', 'two')
  await host.send('a-2', 'three')
  await settle()
  expect(await codeOf(host.send('a-1', 'four'))).toBe('OVERLOADED')
  expect(await codeOf(host.send('a-3', 'five'))).toBe('OVERLOADED')
  expect(await codeOf(host.with('a-3', () => 1))).toBe('OVERLOADED')
  // Whoever is in memory can be stopped.
  expect(await host.with('a-1', (agent) => agent.status)).toBe('running')
  expect(await codeOf(host.send('b-1', 'six'))).toBe('fulfilled')
  expect(host.metrics().refused).toEqual({ OVERLOADED: 2 })
  expect(host.registry.get('a-3')).toBeUndefined()
  await release('a-1')
  await settle()
  expect(await codeOf(host.send('a-1', 'four'))).toBe('fulfilled')
  await host.close()
})

it('all together are refused at the limit of the house, and readiness says so', async () => {
  const { host, release } = hostRig({ tenantOf, maxRunning: 1, maxPending: 1 })
  await host.send('a-1', 'hold')
  await host.send('b-1', 'one')
  await settle()
  expect(await codeOf(host.send('c-1', 'two'))).toBe('OVERLOADED')
  expect(await host.readiness()).toEqual({ ready: false, reasons: ['overloaded'] })
  await release('a-1')
  expect(await host.readiness()).toEqual({ ready: true, reasons: [] })
  await host.close()
})

it('a tenant with as many sessions in memory as it may have evicts its own', async () => {
  const { host, heard } = hostRig({
    tenantOf,
    tenantLimits: (tenant) => (tenant === 'a' ? { maxResident: 1 } : {}),
  })
  await host.send('b-1', 'one')
  await settle()
  await host.send('a-1', 'one')
  await settle()
  await host.send('a-2', 'one')
  await settle()
  expect(evictionsOf(heard)).toEqual(['evicted a-1 pressure'])
  await host.close()
})

it('nobody leaves for a tenant that could not take the place', async () => {
  const { host, heard, release } = hostRig({
    tenantOf,
    maxResident: 2,
    tenantLimits: { maxResident: 1 },
  })
  await host.send('a-1', 'hold')
  await host.send('b-1', 'one')
  const waits = host.send('a-2', 'one')
  await settle()
  expect(evictionsOf(heard)).toEqual([])
  await release('a-1')
  await waits
  expect(evictionsOf(heard)).toEqual(['evicted a-1 pressure'])
  await host.close()
})

it('places in memory are given in turns of the tenants', async () => {
  const { host, asked, release } = hostRig({ tenantOf, maxResident: 1 })
  await host.send('a-0', 'hold')
  const sent = ['a-1', 'a-2', 'b-1', 'b-2'].map((id) => host.send(id, 'hold'))
  await settle()
  for (let i = 0; i < 5; i += 1) {
    await release(asked.at(-1)!)
    await settle()
  }
  expect(asked).toEqual(['a-0', 'a-1', 'b-1', 'a-2', 'b-2'])
  await Promise.all(sent)
  await host.close()
})

it('a tenant that is gone is forgotten', async () => {
  const { host, clock } = hostRig({ tenantOf, idleMs: 10 })
  for (let i = 0; i < 20; i += 1) await host.send(`t${i}-1`, 'one')
  await clock.advance(10)
  expect(host.metrics().tenants).toEqual([])
  expect(host.metrics().now).toEqual({ resident: 0, running: 0, waiting: 0, pending: 0 })
  await host.close()
})

it('what tells tenants apart may throw: that message is refused, and nothing is left of it', async () => {
  const { host } = hostRig({
    tenantOf: (id) => {
      if (id === 'bad') throw new Error('no tenant')
      return id
    },
    tenantLimits: (tenant) => (tenant === 'odd' ? { maxRunning: 0 } : {}),
  })
  expect(await codeOf(host.send('bad', 'one'))).toMatchObject({ message: 'no tenant' })
  expect(await codeOf(host.send('odd', 'one'))).toBe('INVALID_OPTION')
  expect(await codeOf(host.send('good', 'one'))).toBe('fulfilled')
  expect(host.metrics().refused).toEqual({ UNKNOWN: 1, INVALID_OPTION: 1 })
  await host.close()
})

it.each([
  { maxResident: 0 },
  { maxRunning: 0 },
  { maxPending: -1 },
  { idleMs: 0 },
  { idleMs: Number.NaN },
  { tenantLimits: { maxResident: 1.5 } },
  { unknown: 'perhaps' as 'create' },
])('option %o is refused', (options) => {
  const make = (): unknown =>
    createAgentHost({ store: memoryStore(), factory: () => ({}), ...options })
  expect(make).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }))
})

it('whoever waits is passed over at most once by each other group', () => {
  assert(
    property(array(tuple(integer({ min: 0, max: 4 }), boolean())), (moves) => {
      const queue = new FairQueue<number, object>()
      /** By waiting group: how often each other one was served since it was, or began to wait. */
      const passed = new Map<number, Map<number, number>>()
      const groupOf = new Map<object, number>()
      for (const [group, serve] of moves) {
        if (!serve) {
          const item = {}
          groupOf.set(item, group)
          if (queue.sizeOf(group) === 0) passed.set(group, new Map())
          queue.add(group, item)
          continue
        }
        const item = queue.take(() => true)
        if (item === undefined) continue
        const served = groupOf.get(item)!
        passed.set(served, new Map())
        for (const [other] of queue.groups()) {
          if (other === served) continue
          const by = passed.get(other)!
          by.set(served, (by.get(served) ?? 0) + 1)
          expect(by.get(served)).toBeLessThanOrEqual(1)
        }
      }
    }),
  )
})
