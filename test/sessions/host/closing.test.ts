/**
 * A host ends in good order: nothing begins, nothing is lost, nothing is waited for without a bound.
 */
import { expect, it } from 'vitest'
import { checkLog } from '../../../src/events/enclosure.ts'
import { memoryStore } from '../../../src/sessions/memory-store.ts'
import { settle } from '../../../src/testing/virtual-clock.ts'
import { deferred } from '../../support/deferred.ts'
import { callingModel, codeOf, hostRig, promptsOf } from './rig.ts'

it('what rests is suspended at once, what runs comes to its end, and then it is over', async () => {
  const { host, release, prompts } = hostRig()
  await host.send('rests', 'one')
  await host.send('runs', 'hold')
  await settle()
  const closed = host.close({ drainMs: 1000 })
  expect(host.health().status).toBe('closing')
  expect(await host.readiness()).toEqual({ ready: false, reasons: ['closing'] })
  await settle()
  expect(host.registry.list().map(({ id }) => id)).toEqual(['runs'])
  expect(await codeOf(host.send('runs', 'late'))).toBe('HOST_CLOSING')
  expect(await codeOf(host.with('new', () => 1))).toBe('HOST_CLOSING')
  await release('runs')
  const report = { drained: 2, suspended: 0, left: [], failures: [], exitCode: 0 }
  expect(await closed).toEqual(report)
  expect(await host.close()).toEqual(report)
  expect(host.health()).toMatchObject({ status: 'closed', resident: 0, pending: 0 })
  expect(await prompts('runs')).toEqual(['hold'])
})

it('what does not come to its end is suspended when the time is over', async () => {
  const { host, clock, store } = hostRig()
  await host.send('runs', 'hold')
  await settle()
  const closed = host.close({ drainMs: 1000 })
  await clock.advance(1000)
  expect(await closed).toMatchObject({ drained: 0, suspended: 1, exitCode: 0 })
  const { events } = await store.read('runs')
  checkLog(events)
  expect(events.findLast(({ type }) => type === 'turn/end')).toMatchObject({
    data: { reason: { kind: 'aborted', cause: { kind: 'disposed' } } },
  })
  expect(clock.timers).toBe(0)
})

it('no turn begins: what waits for a slot, or behind a running turn, is put back and runs in the next life', async () => {
  const store = memoryStore()
  const first = hostRig({ store, maxRunning: 1 })
  await first.host.send('runs', 'hold')
  await first.host.send('runs', 'behind')
  await first.host.send('waits', 'claimed')
  await first.host.send('waits', 'queued')
  await settle()
  const closed = first.host.close({ drainMs: 1000 })
  await first.release('runs')
  expect(await closed).toMatchObject({ suspended: 2, left: [], failures: [], exitCode: 0 })
  expect(await first.prompts('runs')).toEqual(['hold'])
  expect(await first.prompts('waits')).toEqual([])
  expect(first.asked).toEqual(['runs'])

  const second = hostRig({ store })
  await second.host.send('waits', 'new')
  await second.host.with('runs', (agent) => agent.whenIdle(), { wake: true })
  await settle()
  expect(await second.prompts('waits')).toEqual(['claimed', 'queued', 'new'])
  expect(await second.prompts('runs')).toEqual(['hold', 'behind'])
  await second.host.close()
  for (const id of ['runs', 'waits']) checkLog((await store.read(id)).events)
})

it('the same without a limit of running turns', async () => {
  const { host, release, prompts, store } = hostRig()
  await host.send('runs', 'hold')
  await host.send('runs', 'behind')
  await settle()
  const closed = host.close()
  await release('runs')
  expect(await closed).toMatchObject({ drained: 0, suspended: 1, exitCode: 0 })
  expect(await prompts('runs')).toEqual(['hold'])
  const { events } = await store.read('runs')
  expect(events.flatMap((e) => (e.type === 'inbox/inserted' ? [e.data.mark] : []))).toContain(
    'restored',
  )
})

it('a message that waits for a place when it begins is refused, and leaves nothing', async () => {
  const { host, release, store } = hostRig({ maxResident: 1 })
  await host.send('a', 'hold')
  const waiting = host.send('b', 'one')
  await settle()
  const closed = host.close()
  expect(await codeOf(waiting)).toBe('HOST_CLOSING')
  await release('a')
  expect(await closed).toMatchObject({ exitCode: 0 })
  expect(await store.list()).toEqual(['a'])
})

it('a session that is just being opened is given up', async () => {
  const opened = deferred<void>()
  const made: string[] = []
  const { host, store } = hostRig({
    factory: async ({ id }) => {
      made.push(id)
      await opened.promise
      return {}
    },
  })
  const sent = host.send('a', 'one')
  await settle()
  expect(made).toEqual(['a'])
  const closed = host.close()
  expect(await codeOf(sent)).toBe('HOST_CLOSING')
  expect(await closed).toMatchObject({ left: [], exitCode: 0 })
  opened.resolve()
  await settle()
  expect(host.registry.list()).toEqual([])
  expect(await store.list()).toEqual([])
})

it('a session that is opened in spite of it leaves at once, and what it had claimed is put back', async () => {
  const store = memoryStore()
  const first = hostRig({ store, maxRunning: 1 })
  await first.host.send('b', 'hold')
  await first.host.send('a', 'one')
  await settle()
  await first.host.close({ drainMs: 0 })

  const opened = deferred<void>()
  const { host, release, heard, asked, prompts } = hostRig({
    store,
    agent: {
      gates: {
        preStep: async (_, next) => {
          await settle()
          return next()
        },
      },
    },
    setup: (id) => (id === 'a' ? opened.promise : undefined),
  })
  await host.send('b', 'hold again')
  const used = codeOf(host.with('a', () => 1, { wake: true }))
  await settle(6)
  const closed = host.close()
  expect(await used).toBe('HOST_CLOSING')
  opened.resolve()
  await settle(9)
  expect(heard).toContain('evicted a closing')
  await release('b')
  expect(await closed).toMatchObject({ left: [], failures: [], exitCode: 0 })
  expect(asked).toEqual(['b'])
  const third = hostRig({ store })
  await third.host.with('a', (agent) => agent.whenIdle(), { wake: true })
  expect(await prompts('a')).toEqual(['one'])
  await third.host.close()
})

it('a turn that has begun takes its further steps', async () => {
  const ran = deferred<void>()
  const model = callingModel()
  const agent = { model, tools: [{ name: 't', run: () => ran.promise }] }
  const { host, store } = hostRig({ maxRunning: 1, agent })
  await host.send('a', 'one')
  await settle()
  const closed = host.close()
  await settle()
  ran.resolve()
  expect(await closed).toMatchObject({ drained: 1, suspended: 0, exitCode: 0 })
  expect(model.requests).toBe(2)
  const { events } = await store.read('a')
  expect(events.at(-1)).toMatchObject({ type: 'turn/end', data: { reason: { kind: 'completed' } } })
})

it('what hangs is left behind after the second bound, named, and the exit code says so', async () => {
  const tools = [{ name: 't', run: () => new Promise<string>(() => {}) }]
  const { host, clock } = hostRig({
    agent: { model: callingModel(), tools, drainGraceMs: Infinity },
  })
  await host.send('a', 'one')
  await settle()
  const closed = host.close({ drainMs: 100, giveUpMs: 50 })
  await clock.advance(150)
  expect(await closed).toMatchObject({ suspended: 1, left: ['a'], exitCode: 1 })
})

it('what cannot be written is reported', async () => {
  const inner = memoryStore()
  const store = Object.assign(Object.create(inner) as typeof inner, {
    create: async (...given: Parameters<typeof inner.create>) => {
      const log = await inner.create(...given)
      log.flush = () => Promise.reject(new Error('disk full'))
      return log
    },
    has: (id: string) => inner.has(id),
  })
  const { host } = hostRig({ store })
  await host.send('a', 'one')
  await settle()
  const report = await host.close()
  expect(report).toMatchObject({ exitCode: 1, left: [] })
  expect(report.failures.map((error) => (error as Error).message)).toEqual(['disk full'])
})

it('a wrong bound is refused, and the host stays open', async () => {
  const { host } = hostRig()
  expect(await codeOf(host.close({ drainMs: -1 }))).toBe('INVALID_OPTION')
  expect(await codeOf(host.send('a', 'one'))).toBe('fulfilled')
  expect(await host.close()).toMatchObject({ exitCode: 0 })
})

it('at the end of a block it suspends at once', async () => {
  const store = memoryStore()
  {
    await using host = hostRig({ store }).host
    await host.send('a', 'hold')
    await settle()
  }
  expect(promptsOf((await store.read('a')).events)).toEqual(['hold'])
})
