/**
 * Sessions of a host come into the memory with their first message and leave it when they rest.
 */
import { expect, it } from 'vitest'
import { checkLog } from '../../../src/events/enclosure.ts'
import type { EventLog } from '../../../src/log/event-log.ts'
import { memoryStore } from '../../../src/sessions/memory-store.ts'
import { settle } from '../../../src/testing/virtual-clock.ts'
import { deferred } from '../../support/deferred.ts'
import { codeOf, evictionsOf, hostRig, promptsOf } from './rig.ts'

it('the first message creates a session, and resumes it once it was evicted', async () => {
  const { host, heard, clock, prompts, faults } = hostRig({ idleMs: 1000 })
  await host.send('a', 'one')
  await settle()
  expect(host.registry.get('a')?.status).toBe('idle')
  await clock.advance(1000)
  expect(host.registry.get('a')).toBeUndefined()
  await host.send('a', 'two')
  await settle()
  expect(heard).toEqual([
    'opened a created',
    'started a',
    'ended a',
    'evicted a idle',
    'opened a resumed',
    'started a',
    'ended a',
  ])
  await host.close()
  expect(await prompts('a')).toEqual(['one', 'two'])
  expect(faults).toEqual([])
})

it('a receipt names a message that is durable', async () => {
  const store = memoryStore()
  const { host } = hostRig({ store })
  const id = await host.send('a', { id: 'm1', content: 'one' })
  expect(id).toBe('m1')
  expect((await store.read('a')).events.map(({ type }) => type)).toContain('inbox/inserted')
  expect(await codeOf(host.send('a', { id: 'm1', content: 'one' }))).toBe('DUPLICATE_ID')
  await host.close()
})

it('an unknown session is refused where the service says so', async () => {
  const { host } = hostRig({ unknown: 'refuse' })
  expect(await codeOf(host.send('a', 'one'))).toBe('SESSION_NOT_FOUND')
  expect(await codeOf(host.send('../a', 'one'))).toBe('INVALID_OPTION')
  expect(host.metrics()).toMatchObject({
    refused: { SESSION_NOT_FOUND: 1, INVALID_OPTION: 1 },
    now: { resident: 0, pending: 0 },
    tenants: [],
  })
  await host.close()
})

it('a use keeps its session in memory, and idleness begins anew after it', async () => {
  const { host, clock } = hostRig({ idleMs: 1000 })
  const freed = deferred<void>()
  const used = host.with('a', () => freed.promise)
  await clock.advance(5000)
  expect(host.registry.get('a')).toBeDefined()
  freed.resolve()
  await used
  await clock.advance(999)
  expect(host.registry.get('a')).toBeDefined()
  await clock.advance(1)
  expect(host.registry.get('a')).toBeUndefined()
  expect(clock.timers).toBe(0)
  await host.close()
})

it('beyond maxResident the one that has rested longest leaves; who works stays', async () => {
  const { host, heard, release, clock } = hostRig({ maxResident: 2, idleMs: Infinity })
  await host.send('busy', 'hold')
  await host.send('a', 'one')
  await settle()
  await clock.advance(1)
  await host.send('b', 'one')
  await settle()
  await host.send('c', 'one')
  await settle()
  expect(evictionsOf(heard)).toEqual(['evicted a pressure', 'evicted b pressure'])
  expect(host.registry.list().map(({ id }) => id)).toEqual(['busy', 'c'])
  await release('busy')
  await host.close()
})

it('where everybody works a message waits for a place, and gets its receipt then', async () => {
  const { host, release } = hostRig({ maxResident: 1 })
  await host.send('a', 'hold')
  let receipt = false
  const sent = host.send('b', 'one').then(() => (receipt = true))
  await settle()
  expect([receipt, host.metrics().now]).toEqual([
    false,
    { resident: 1, running: 1, waiting: 0, pending: 1 },
  ])
  await release('a')
  await sent
  await host.close()
})

/** A store whose logs close when they are told to. */
function slowToClose() {
  const store = memoryStore()
  const doors: (() => void)[] = []
  const slow = (log: EventLog): EventLog => {
    const close = log.close.bind(log)
    log.close = async () => {
      await new Promise<void>((resolve) => doors.push(resolve))
      await close()
    }
    return log
  }
  return {
    doors,
    store: {
      create: async (...given: Parameters<typeof store.create>) =>
        slow(await store.create(...given)),
      open: async (id: string) => slow(await store.open(id)),
      read: (id: string) => store.read(id),
      has: (id: string) => store.has(id),
      list: () => store.list(),
      remove: (id: string) => store.remove(id),
    },
  }
}

it('messages during an eviction wait, resume the session once, and keep their order', async () => {
  const { store, doors } = slowToClose()
  const { host, clock, heard, asked } = hostRig({ store, idleMs: 10 })
  await host.send('a', 'zero')
  await settle()
  await clock.advance(10)
  expect(doors).toHaveLength(1)
  const sent = ['one', 'two', 'three'].map((text) => host.send('a', text))
  await settle()
  expect(asked).toHaveLength(1)
  doors.shift()?.()
  await Promise.all(sent)
  await settle()
  const open = heard.filter((line) => line.startsWith('opened'))
  expect(open).toEqual(['opened a created', 'opened a resumed'])
  const { events } = await store.read('a')
  checkLog(events)
  expect(promptsOf(events)).toEqual(['zero', 'one', 'two', 'three'])
  const closed = host.close()
  await settle()
  doors.shift()?.()
  await closed
})

it.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])(
  'a message %i microtasks after the eviction began is neither lost nor doubled',
  async (ticks) => {
    const { host, clock, prompts, faults } = hostRig({ idleMs: 10 })
    await host.send('a', 'zero')
    await settle()
    let sent: Promise<unknown> | undefined
    clock.after(10, () => {
      void (async () => {
        for (let i = 0; i < ticks; i += 1) await Promise.resolve()
        sent = host.send('a', 'one')
      })()
    })
    await clock.advance(10)
    await sent
    await settle()
    expect(await prompts('a')).toEqual(['zero', 'one'])
    expect(faults).toEqual([])
    await host.close()
  },
)

it('a session that was disposed by hand comes back with the next message', async () => {
  const { host, heard, prompts } = hostRig()
  await host.send('a', 'one')
  await settle()
  const disposed = host.with('a', (agent) => agent.dispose())
  const sent = host.send('a', 'two')
  await disposed
  await sent
  await settle()
  expect(heard).toContain('evicted a elsewhere')
  expect(await prompts('a')).toEqual(['one', 'two'])
  await host.close()
})
