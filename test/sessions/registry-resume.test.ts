/**
 * Resuming goes on with a stored session, repaired, and starts nothing that nobody asked for.
 */
import { describe, expect, it } from 'vitest'
import { memoryStore } from '../../src/sessions/memory-store.ts'
import { createRegistry } from '../../src/sessions/registry.ts'
import { repairEvents } from '../../src/sessions/repair.ts'
import { parseLog } from '../../src/testing/parse-log.ts'
import { printLog } from '../../src/testing/print-event.ts'
import { deferred } from '../support/deferred.ts'
import { code, house, streaming } from './house.ts'

/** A store as a crash left it. */
const crashed = (...lines: string[]) =>
  memoryStore([{ header: { id: 's1', formatVersion: 1, createdAt: 0 }, events: parseLog(lines) }])

const INSERTED = 'inbox next-turn @0 +["B"]'
const refuse = (): never => {
  throw new Error('nope')
}
const OPENED = [INSERTED, 'turn/start 1', 'inbox next-turn @0 -1 claimed']

describe('resume', () => {
  it('RS-01: says session-start:resume and goes on with the numbers and the history of the log', async () => {
    const { registry, heard, model } = house(['text "one"', 'text "two"'])
    const first = await registry.create({ id: 's1' })
    await first.run('A')
    await first.dispose()
    const second = await registry.resume('s1')
    const { turns } = await second.run('B')
    expect(turns.map(({ turn }) => turn)).toEqual([2])
    expect(model.requests[1]?.history).toEqual(['user:A', 'assistant:one', 'user:B'])
    expect(heard).toContain('session-start:resume s1')
  })

  it('RS-06: refuses a live session and leaves its log alone', async () => {
    const { registry } = house(['hang "partial"'])
    const agent = await registry.create({ id: 's1' })
    agent.followup('A')
    await streaming(agent)
    const before = agent.log.length
    await expect(registry.resume('s1')).rejects.toEqual(code('SESSION_LIVE'))
    expect(agent.log.length).toBe(before)
    await registry.close()
  })

  it('RS-07: refuses an unknown session, and any without a store', async () => {
    await expect(house().registry.resume('missing')).rejects.toEqual(code('SESSION_NOT_FOUND'))
    const bare = createRegistry({ factory: () => ({}) })
    await expect(bare.resume('s1')).rejects.toEqual(code('NO_PERSISTENCE'))
    await expect(bare.fork('s1')).rejects.toEqual(code('NO_PERSISTENCE'))
  })

  it('a session that another process holds is live', async () => {
    const store = memoryStore()
    const other = await store.create({ id: 's1', formatVersion: 1, createdAt: 0 })
    const { registry } = house([], { store })
    await expect(registry.resume('s1')).rejects.toEqual(code('SESSION_LIVE'))
    await other.close()
    expect((await registry.resume('s1')).id).toBe('s1')
  })

  it('repairs first, so that the marker stands behind what closes the crashed turn', async () => {
    const { registry } = house([], { store: crashed(...OPENED) })
    const agent = await registry.resume('s1')
    expect(printLog(agent.log.read()).slice(OPENED.length)).toEqual([
      'turn/end 1 interrupted uncommitted ["B"]',
      'inbox next-turn @0 +["B"] recovered',
      'session/opened resume',
    ])
    expect(agent.status).toBe('idle')
    expect(repairEvents(agent.log.read())).toEqual([])
  })

  it('RS-10: parks pending waking work; the next wake frees it', async () => {
    const { registry, model } = house(['text "b"', 'text "c"'], { store: crashed(INSERTED) })
    const agent = await registry.resume('s1')
    await agent.whenIdle()
    expect(agent.parked).toEqual({ reason: 'resume', ids: ['B'] })
    expect(model.requests).toHaveLength(0)
    await agent.run('C')
    expect(model.requests.map(({ history }) => history.at(-1))).toEqual(['user:B', 'user:C'])
  })

  it('NW-08: starts pending waking work when asked to, but not before its setup is through and it is published', async () => {
    const { registry, model, heard } = house(['text "b"'], { store: crashed(INSERTED) })
    const gate = deferred<void>()
    const resumed = registry.resume('s1', { wake: true, setup: () => gate.promise })
    for (let i = 0; i < 5; i += 1) await new Promise(setImmediate)
    expect([model.requests.length, heard]).toEqual([0, []])
    gate.resolve()
    const agent = await resumed
    await agent.whenIdle()
    expect(printLog(agent.log.read()).slice(1, 3)).toEqual([
      'session/opened resume wake',
      'turn/start 1',
    ])
    expect(model.requests).toHaveLength(1)
  })

  it('a setup that fails leaves the session stored, with its pending input, and free', async () => {
    const { registry, store } = house(['text "b"'], { store: crashed(INSERTED) })
    await expect(registry.resume('s1', { wake: true, setup: refuse })).rejects.toThrow('nope')
    expect(printLog((await store.read('s1')).events)).toEqual([
      INSERTED,
      'session/opened resume wake',
      'cancel/requested disposed - keepInbox',
    ])
    const agent = await registry.resume('s1')
    expect(agent.parked).toEqual({ reason: 'resume', ids: ['B'] })
  })

  it('a wake that was asked for at a second resume is recorded, and parking it again too', async () => {
    const { registry, model } = house(['text "b"'], { store: crashed(INSERTED) })
    await (await registry.resume('s1')).dispose({ keepInbox: true })
    const agent = await registry.resume('s1', { wake: true })
    await agent.whenIdle()
    expect(printLog(agent.log.read()).slice(0, 4)).toEqual([
      INSERTED,
      'session/opened resume',
      'session/opened resume wake',
      'turn/start 1',
    ])
    expect(model.requests).toHaveLength(1)
  })

  it('RS-11: adds no second marker where nothing is to be said', async () => {
    const { registry } = house([], { store: crashed('inbox next-step @0 +["X" <plugin>]') })
    await (await registry.resume('s1')).dispose({ keepInbox: true })
    const agent = await registry.resume('s1', { wake: true })
    expect(agent.log.length).toBe(2)
  })

  it('FC09: a message is delivered once over the life of the log, whatever is repeated', async () => {
    const { registry, store } = house(['hang "x"', 'text "two"'])
    const first = await registry.create({ id: 's1' })
    first.followup({ id: 'm1', content: 'A' })
    first.followup({ id: 'm2', content: 'B' })
    expect(() => first.followup({ id: 'm2', content: 'B' })).toThrow(code('DUPLICATE_ID'))
    // What a crash leaves is a copy of the log as it stands.
    const image = memoryStore([await store.read('s1')])
    const { registry: next } = house(['text "two"'], { store: image })
    const agent = await next.resume('s1', { wake: true })
    await agent.whenIdle()
    expect(() => agent.followup({ id: 'm2', content: 'B' })).toThrow(code('DUPLICATE_ID'))
    const claims = agent.log
      .read()
      .flatMap((event) => (event.type === 'inbox/claimed' ? event.data.nextTurn : []))
    expect(claims.filter((id) => id === 'm2')).toEqual(['m2'])
    await registry.close()
  })

  it('FC24: a tool that had its effect before the crash does not run again, and the model is told the truth', async () => {
    const counts = { count: 0, peek: 0 }
    const hung = deferred<string>()
    const tools = [
      { name: 'count', run: () => ((counts.count += 1), hung.promise) },
      {
        name: 'peek',
        parallel: true,
        repeatable: true,
        run: () => ((counts.peek += 1), hung.promise),
      },
    ]
    const { registry, store } = house(['call c1 peek', 'call c2 count'], {
      agent: { tools },
    })
    for (const [id, tool, says] of [
      ['s1', 'peek', /safe/],
      ['s2', 'count', /Check its effect/],
    ] as const) {
      const first = await registry.create({ id })
      first.followup('A')
      while (counts[tool] === 0) await new Promise(setImmediate)
      const next = house(['text "I see"'], {
        store: memoryStore([await store.read(id)]),
        agent: { tools },
      })
      const agent = await next.registry.resume(id)
      await agent.run('go on')
      const outcome = next.model.requests[0]?.request.messages.find(({ role }) => role === 'tool')
      expect(outcome).toMatchObject({
        outcome: { code: 'OUTCOME_UNKNOWN', content: [{ text: expect.stringMatching(says) }] },
      })
    }
    expect(counts).toEqual({ count: 1, peek: 1 })
    hung.resolve('done')
    await registry.close()
  })
})
