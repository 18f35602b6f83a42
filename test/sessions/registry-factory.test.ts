/**
 * One factory at a time; it ends after everything that was made with it.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Agent } from '../../src/actors/agent-handle.ts'
import { fileStore } from '../../src/sessions/file-store.ts'
import { memoryStore } from '../../src/sessions/memory-store.ts'
import { createRegistry } from '../../src/sessions/registry.ts'
import { scriptedModel } from '../../src/testing/scripted-model.ts'
import { deferred } from '../support/deferred.ts'
import { code, house, streaming, refusal } from './house.ts'

const lastEnd = (agent: Agent): unknown =>
  agent.log.read().findLast((event) => event.type === 'turn/end')?.data

describe('the factory', () => {
  it('RG-11: there is one at a time; without one create and resume reject', async () => {
    const registry = createRegistry({ store: memoryStore() })
    await expect(registry.create()).rejects.toEqual(code('NO_FACTORY'))
    await expect(registry.resume('s1')).rejects.toEqual(code('NO_FACTORY'))
    const factory = registry.setFactory(() => ({}))
    expect(() => registry.setFactory(() => ({}))).toThrow(code('FACTORY_ALREADY_SET'))
    await factory.tearDown()
    await expect(registry.create()).rejects.toEqual(code('NO_FACTORY'))
    const second = registry.setFactory(() => ({}))
    await factory.tearDown()
    expect([factory.active, second.active]).toEqual([false, true])
    await registry.create({ id: 's1' })
  })

  it('RG-15: its tear-down waits for live agents and for creations under way', async () => {
    const store = memoryStore()
    const registry = createRegistry({ store })
    const model = scriptedModel(['hang "partial"'])
    const factory = registry.setFactory(() => ({ model }))
    const s1 = await registry.create({ id: 's1' })
    s1.followup('A')
    await streaming(s1)
    const hung = deferred<void>()
    const s2 = registry.create({ id: 's2', setup: () => hung.promise })
    const refused = refusal(s2)
    let torn = false
    const tearDown = factory.tearDown().then(() => {
      torn = true
    })
    await expect(registry.create({ id: 's3' })).rejects.toEqual(code('FACTORY_INACTIVE'))
    expect(await refused).toEqual(code('FACTORY_INACTIVE'))
    await tearDown
    expect([torn, s1.status, await store.list()]).toEqual([true, 'disposed', ['s1']])
    expect(lastEnd(s1)).toMatchObject({ reason: { kind: 'aborted', cause: { kind: 'disposed' } } })
    await expect(registry.create({ id: 's3' })).rejects.toEqual(code('NO_FACTORY'))
  })

  it('its tear-down leaves the process its time while it waits for what must reach the disk', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'turnwise-registry-'))
    const registry = createRegistry({ store: fileStore(dir) })
    const factory = registry.setFactory(() => ({}))
    const refused = refusal(registry.create({ id: 's1', setup: () => new Promise(() => {}) }))
    await factory.tearDown()
    expect(await refused).toEqual(code('FACTORY_INACTIVE'))
    expect(readdirSync(dir)).toEqual([])
    rmSync(dir, { recursive: true })
  })

  it('a hung factory gives way to the tear-down', async () => {
    const hung = deferred<object>()
    const registry = createRegistry({ store: memoryStore() })
    const factory = registry.setFactory(() => hung.promise)
    const refused = refusal(registry.create())
    await factory.tearDown()
    expect(await refused).toEqual(code('FACTORY_INACTIVE'))
  })

  it('closing the registry suspends everything and takes no more', async () => {
    const { registry, store } = house()
    const agent = await registry.create({ id: 's1' })
    agent.send('later', { wake: false })
    await registry[Symbol.asyncDispose]()
    expect(registry.list()).toEqual([])
    expect((await store.read('s1')).events.map((event) => event.type)).toEqual(['inbox/inserted'])
    await expect(registry.create()).rejects.toEqual(code('FACTORY_INACTIVE'))
  })
})
