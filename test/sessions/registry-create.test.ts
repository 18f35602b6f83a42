/**
 * Creating is a transaction: announced in order, or rolled back in pairs.
 */
import { describe, expect, it } from 'vitest'
import { createRegistry } from '../../src/sessions/registry.ts'
import { scriptedModel } from '../../src/testing/scripted-model.ts'
import { deferred } from '../support/deferred.ts'
import { code, house, idsOf, noticeLine } from './house.ts'

const failing = async (): Promise<void> => {
  await Promise.resolve()
  throw new Error('nope')
}

describe('create', () => {
  it('RG-01: setup first, unlisted; then the entries, three announcements, the handle', async () => {
    const { registry } = house(['text "one"'])
    const order: string[] = []
    registry.listen((notice) => {
      order.push(`${noticeLine(notice)} listed=${registry.list().length}`)
      if (notice.type === 'session-start') notice.agent.followup('hello')
    })
    const agent = await registry.create({
      id: 's1',
      setup: async () => {
        order.push(`setup begin listed=${registry.list().length}`)
        await Promise.resolve()
        order.push(`setup end listed=${registry.list().length}`)
      },
    })
    order.push('handle')
    expect(order).toEqual([
      'setup begin listed=0',
      'setup end listed=0',
      'session/created s1 listed=1',
      'agent/created s1 listed=1',
      'session-start:startup s1 listed=1',
      'handle',
    ])
    expect(registry.get('s1')).toBe(agent)
    await agent.whenIdle()
    expect(agent.log.ledger.lastTurn).toBe(1)
  })

  it('RG-02: a live or stored id is refused, and the first agent stays usable', async () => {
    const { registry, heard } = house(['text "one"'])
    const agent = await registry.create({ id: 's1' })
    await expect(registry.create({ id: 's1' })).rejects.toEqual(code('SESSION_ALREADY_EXISTS'))
    expect((await agent.run('A')).finalResponse).toBe('one')
    await agent.dispose()
    await expect(registry.create({ id: 's1' })).rejects.toEqual(code('SESSION_ALREADY_EXISTS'))
    expect(heard.filter((line) => line === 'session/created s1')).toHaveLength(1)
  })

  it('RG-03: of two creations of one id that run at once one wins, and the other leaves nothing', async () => {
    const { registry, heard } = house()
    const settled = await Promise.allSettled([
      registry.create({ id: 's1', setup: () => Promise.resolve() }),
      registry.create({ id: 's1' }),
    ])
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect(settled[1]).toMatchObject({ reason: { code: 'SESSION_ALREADY_EXISTS' } })
    expect(heard.filter((line) => line.startsWith('agent/created'))).toHaveLength(1)
    expect(idsOf(registry.list())).toEqual(['s1'])
  })

  it('RG-04: a rejecting setup announces nothing, removes the new session and frees the id', async () => {
    const { registry, store, heard } = house()
    await expect(registry.create({ id: 's1', setup: failing })).rejects.toThrow('nope')
    expect([heard, await store.list(), registry.list()]).toEqual([[], [], []])
    await registry.create({ id: 's1' })
    expect(idsOf(registry.list())).toEqual(['s1'])
  })

  it('RG-05: an aborted signal rejects with its reason before anything exists', async () => {
    const { registry, store, heard } = house()
    const reason = new Error('changed my mind')
    const creation = registry.create({ id: 's1', signal: AbortSignal.abort(reason) })
    await expect(creation).rejects.toBe(reason)
    expect([heard, await store.list(), registry.list()]).toEqual([[], [], []])
  })

  it('RG-05: a signal that aborts during a hung setup gives the creation up; what settles later is dropped', async () => {
    const { registry, store, heard } = house()
    const hung = deferred<void>()
    const reason = new Error('too slow')
    const controller = new AbortController()
    const creation = registry.create({
      id: 's1',
      signal: controller.signal,
      setup: () => hung.promise,
    })
    setImmediate(() => controller.abort(reason))
    await expect(creation).rejects.toBe(reason)
    hung.resolve()
    await Promise.resolve()
    expect([heard, await store.list(), registry.list()]).toEqual([[], [], []])
  })

  it('RG-06: the signal stops mattering once the handle is returned', async () => {
    const { registry } = house(['text "one"'])
    const controller = new AbortController()
    const agent = await registry.create({ id: 's1', signal: controller.signal })
    controller.abort()
    expect((await agent.run('A')).finalResponse).toBe('one')
  })

  it('RG-07: a synchronous throw at agent/created vetoes; everything announced is taken back in pairs', async () => {
    const { registry, store, heard, faults } = house()
    const silence = registry.listen((notice) => {
      if (notice.type === 'agent/created') throw new Error('not here')
    })
    await expect(registry.create({ id: 's1' })).rejects.toThrow('not here')
    expect(heard).toEqual([
      'session/created s1',
      'agent/created s1',
      'agent/disposed s1',
      'session/disposed s1',
    ])
    expect([await store.list(), registry.list(), faults]).toEqual([[], [], []])
    silence()
    await registry.create({ id: 's1' })
  })

  it('RG-07: a rejection at agent/created, and a throw at session/created, veto nothing', async () => {
    const { registry, faults } = house()
    registry.listen((notice) => {
      if (notice.type === 'session/created') throw new Error('thrown')
      return notice.type === 'agent/created' ? Promise.reject(new Error('rejected')) : undefined
    })
    await registry.create({ id: 's1' })
    expect(faults).toEqual(['thrown', 'rejected'])
  })

  it('RG-08: a throwing session-start listener is contained', async () => {
    const { registry, faults } = house(['text "one"'])
    registry.listen((notice) => {
      if (notice.type === 'session-start') throw new Error('boom')
    })
    const agent = await registry.create({ id: 's1' })
    expect((await agent.run('A')).finalResponse).toBe('one')
    expect(faults).toEqual(['boom'])
  })

  it('RG-09: what session-start injects, also after a wait, reaches the first request', async () => {
    const { registry, model } = house(['text "one"'])
    registry.listen(async (notice) => {
      if (notice.type !== 'session-start') return
      await Promise.resolve()
      notice.agent.inject('X')
    })
    const agent = await registry.create({ id: 's1' })
    await agent.run('A')
    expect(model.requests[0]?.history).toEqual(['user<plugin>:X', 'user:A'])
  })

  it('a session-start listener that never answers is not waited for once the agent is gone', async () => {
    const { registry } = house()
    registry.listen((notice) => {
      if (notice.type !== 'session-start') return undefined
      setImmediate(() => void notice.agent.dispose())
      return new Promise(() => {})
    })
    const agent = await registry.create({ id: 's1' })
    expect(agent.status).toBe('disposed')
  })

  it.each([0, -1, 1.5, Number.NaN, 2 ** 53])('RG-12: refuses maxTokens %d', async (maxTokens) => {
    const { registry, store } = house()
    const creation = registry.create({ id: 's1', agent: { maxTokens } })
    await expect(creation).rejects.toEqual(code('INVALID_OPTION'))
    expect(await store.list()).toEqual([])
  })

  it('RG-12: a factory whose options are refused leaves nothing behind', async () => {
    const { registry, store } = house([], { factory: () => ({ maxTokens: 0 }) })
    await expect(registry.create({ id: 's1' })).rejects.toEqual(code('INVALID_OPTION'))
    expect([await store.list(), registry.list()]).toEqual([[], []])
  })

  it('options of one agent win over those of the factory, and an id is made where none is given', async () => {
    const { registry } = house([], { ids: () => 'made-1', agent: { maxSteps: 3, maxStops: 4 } })
    const agent = await registry.create({ cwd: '/w', agent: { maxSteps: 7 } })
    expect(agent.options).toMatchObject({ id: 'made-1', maxSteps: 7, maxStops: 4 })
    expect(agent.log.header).toMatchObject({ id: 'made-1', cwd: '/w' })
  })

  it('without a store sessions live in memory, and their ids are free again', async () => {
    const registry = createRegistry({ factory: () => ({ model: scriptedModel(['text "one"']) }) })
    const agent = await registry.create({ id: 's1' })
    await agent.run('A')
    await agent.dispose()
    const again = await registry.create({ id: 's1' })
    expect(again.log.length).toBe(0)
  })
})
