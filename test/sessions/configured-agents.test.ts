/**
 * Agents of a configuration: resumed or created by their exact session, with failures announced.
 */
import { describe, expect, it } from 'vitest'
import type { RegistryNotice } from '../../src/sessions/registry-port.ts'
import { memoryStore } from '../../src/sessions/memory-store.ts'
import { createRegistry } from '../../src/sessions/registry.ts'
import { deferred } from '../support/deferred.ts'
import { code, house, idsOf } from './house.ts'

describe('configured agents', () => {
  it('RG-18: an exact session is created at the first boot and resumed at the next', async () => {
    const store = memoryStore()
    const agents = [{ id: 'w', sessionId: 'fixed' }]
    const numbers: number[] = []
    for (const boot of [1, 2]) {
      const { registry, heard } = house([`text "${boot}"`], { store, agents })
      await registry.start()
      const { turns } = (await registry.get('fixed')?.run('A')) ?? { turns: [] }
      numbers.push(...turns.map(({ turn }) => turn))
      expect(heard).toContain(`session-start:${boot === 1 ? 'startup' : 'resume'} fixed`)
      await registry.close()
    }
    expect(numbers).toEqual([1, 2])
  })

  it('RG-18: an entry without a session gets a new one each time', async () => {
    const store = memoryStore()
    for (let boot = 0; boot < 2; boot += 1) {
      const { registry } = house([], { store, agents: [{ id: 'w' }] })
      await registry.start()
      await registry.close()
    }
    expect(await store.list()).toHaveLength(2)
  })

  it.each([
    [
      'one session for two',
      [
        { id: 'a', sessionId: 'x' },
        { id: 'b', resumeSessionId: 'x' },
      ],
    ],
    ['one name for two', [{ id: 'a' }, { id: 'a' }]],
    ['both kinds of session', [{ id: 'a', sessionId: 'x', resumeSessionId: 'y' }]],
    ['no session id', [{ id: 'a', sessionId: '../x' }]],
  ])('RG-18: %s is refused before anything starts', (_what, agents) => {
    expect(() => createRegistry({ agents })).toThrow(code('INVALID_OPTION'))
  })

  it('RG-18: a failed start is announced with its entry and error, and the others start', async () => {
    const agents = [
      { id: 'a', resumeSessionId: 'missing' },
      { id: 'b', sessionId: 's2' },
    ]
    const { registry } = house([], { agents })
    const failed: RegistryNotice[] = []
    registry.listen((notice) => notice.type === 'start-failed' && failed.push(notice))
    await registry.start()
    expect(failed).toEqual([{ type: 'start-failed', id: 'a', error: code('SESSION_NOT_FOUND') }])
    expect(idsOf(registry.list())).toEqual(['s2'])
  })

  it('RG-18: what a tear-down of the factory stops is not announced as a failed start', async () => {
    const hung = deferred<object>()
    const registry = createRegistry({ store: memoryStore(), agents: [{ id: 'a' }, { id: 'b' }] })
    const factory = registry.setFactory(() => hung.promise)
    const heard: string[] = []
    registry.listen(({ type }) => heard.push(type))
    const started = registry.start()
    await factory.tearDown()
    await started
    expect(heard).toEqual([])
  })
})
