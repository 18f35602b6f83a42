/**
 * Forking through a registry: from a live or a stored parent, into the store.
 */
import { describe, expect, it } from 'vitest'
import { AgentDisposedError } from '../../src/errors.ts'
import { memoryStore } from '../../src/sessions/memory-store.ts'
import { parseLog } from '../../src/testing/parse-log.ts'
import { deferred } from '../support/deferred.ts'
import { code, house, idsOf } from './house.ts'

const INSERTED = 'inbox next-turn @0 +["B"]'
const crashed = (...lines: string[]) =>
  memoryStore([{ header: { id: 's1', formatVersion: 1, createdAt: 0 }, events: parseLog(lines) }])

describe('fork', () => {
  it('FK-06: names the first thing that is wrong', async () => {
    const { registry, store } = house()
    const agent = await registry.create({ id: 's1' })
    await expect(registry.fork('missing', { id: 's1' })).rejects.toEqual(
      code('SESSION_ALREADY_EXISTS'),
    )
    await expect(registry.fork('missing', { at: 9 })).rejects.toEqual(code('SESSION_NOT_FOUND'))
    await expect(registry.fork('s1', { at: 9 })).rejects.toEqual(code('INVALID_BOUNDARY'))
    const hung = deferred<void>()
    const creating = registry.create({ id: 's2', setup: () => hung.promise })
    await expect(registry.fork('s2', { at: 9 })).rejects.toEqual(code('SESSION_NOT_LIVE'))
    hung.resolve()
    await creating
    await agent.dispose()
    expect(await store.list()).toEqual(['s1', 's2'])
  })

  it.each(['live', 'stored'])('of a %s parent is stored and can be resumed', async (kind) => {
    const { registry, model, store } = house(['text "one"', 'text "two"'])
    const parent = await registry.create({ id: 's1' })
    await parent.run('A')
    if (kind === 'stored') await parent.dispose()
    const length = (await store.read('s1')).events.length
    const header = await registry.fork('s1', { id: 'c1' })
    expect(header).toMatchObject({ id: 'c1', parent: 's1', inheritedLength: length })
    expect((await store.read('s1')).events).toHaveLength(length)
    const child = await registry.resume('c1')
    expect(child.log.length).toBe(length + 1)
    await child.run('B')
    expect(model.requests[1]?.history).toEqual(['user:A', 'assistant:one', 'user:B'])
  })

  it('inherited waking input waits for its first wake, and a resume may be one', async () => {
    const { registry, model } = house(['text "b"'], { store: crashed(INSERTED) })
    await registry.fork('s1', { id: 'c1', inheritInbox: true })
    const child = await registry.resume('c1')
    expect(child.parked).toEqual({ reason: 'resume', ids: ['B'] })
    await child.dispose({ keepInbox: true })
    await (await registry.resume('c1', { wake: true })).whenIdle()
    expect(model.requests).toHaveLength(1)
  })

  it('a child made by a fork belongs to nobody', async () => {
    const { registry } = house()
    await registry.create({ id: 's1' })
    await registry.fork('s1', { id: 'c1' })
    expect(idsOf(registry.list())).toEqual(['s1'])
    await registry.resume('c1')
    expect(idsOf(registry.roots())).toEqual(['s1', 'c1'])
  })
})

describe('disposed agents', () => {
  it('refuse what comes late, and their session goes on under a new one', async () => {
    const { registry } = house(['text "one"'])
    const first = await registry.create({ id: 's1' })
    await first.dispose()
    expect(() => first.followup('A')).toThrow(AgentDisposedError)
    const second = await registry.resume('s1')
    expect((await second.run('A')).finalResponse).toBe('one')
  })
})
