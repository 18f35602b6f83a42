/**
 * What belongs to somebody ends before its owner does.
 */
import { describe, expect, it } from 'vitest'
import type { Agent } from '../../src/actors/agent-handle.ts'
import { AgentDisposedError } from '../../src/errors.ts'
import { deferred } from '../support/deferred.ts'
import { code, house, idsOf, refusal } from './house.ts'

describe('ownership', () => {
  it('RG-17: an agent created in a tool of another one is its child and is disposed first', async () => {
    const made = deferred<Agent>()
    const spawn = {
      name: 'spawn',
      run: async () => {
        made.resolve(await registry.create({ id: 'c' }))
        return 'ok'
      },
    }
    const { registry, heard } = house(['call c1 spawn', 'text "done"'], {
      agent: { tools: [spawn] },
    })
    const parent = await registry.create({ id: 'p' })
    await parent.run('A')
    const child = await made.promise
    expect([idsOf(registry.roots()), idsOf(registry.list())]).toEqual([['p'], ['p', 'c']])
    expect([registry.ownerOf('c'), idsOf(registry.childrenOf('p'))]).toEqual([parent, ['c']])
    expect(child.log.header).toMatchObject({ parent: 'p', depth: 1 })
    await parent.dispose()
    expect(heard.slice(-4)).toEqual([
      'agent/disposed c',
      'session/disposed c',
      'agent/disposed p',
      'session/disposed p',
    ])
  })

  it('RG-17: an owner can be named; a disposed one takes no more children', async () => {
    const { registry } = house()
    const parent = await registry.create({ id: 'p' })
    await registry.create({ id: 'c', owner: parent })
    expect(registry.ownerOf('c')).toBe(parent)
    await parent.dispose()
    expect(registry.list()).toEqual([])
    await expect(registry.create({ id: 'd', owner: parent })).rejects.toBeInstanceOf(
      AgentDisposedError,
    )
  })

  it('refuses an owner that does not live here', async () => {
    const { registry } = house()
    const stranger = await house().registry.create({ id: 'x' })
    await expect(registry.create({ owner: stranger })).rejects.toEqual(code('SESSION_NOT_LIVE'))
  })

  it('a child that is being created when its parent is disposed is rolled back first', async () => {
    const { registry, store, heard } = house()
    const parent = await registry.create({ id: 'p' })
    const hung = deferred<void>()
    const child = registry.create({ id: 'c', owner: parent, setup: () => hung.promise })
    const refused = refusal(child)
    await parent.dispose()
    expect(await refused).toBeInstanceOf(AgentDisposedError)
    expect(await store.list()).toEqual(['p'])
    expect(heard.some((line) => line.endsWith(' c'))).toBe(false)
  })

  it('RG-14: unloading a scope during a setup publishes nothing, also when the setup settles later', async () => {
    const { registry, store, heard } = house()
    const gate = deferred<void>()
    const scope = registry.scope('plugin')
    const inSetup = deferred<Agent>()
    const creation = scope.create({
      id: 's1',
      setup: (agent) => {
        inSetup.resolve(agent)
        return gate.promise
      },
    })
    const refused = refusal(creation)
    const halfBuilt = await inSetup.promise
    await scope.unload()
    expect(halfBuilt.status).toBe('disposed')
    gate.resolve()
    expect(await refused).toEqual(code('FACTORY_INACTIVE'))
    expect([heard, registry.list(), await store.list()]).toEqual([[], [], []])
  })

  it('unloading a scope suspends what belongs to it, and nothing else', async () => {
    const { registry } = house()
    const scope = registry.scope('plugin')
    const agent = await scope.create({ id: 'a' })
    await registry.create({ id: 'b' })
    agent.inject('X')
    await scope.unload()
    expect(idsOf(registry.list())).toEqual(['b'])
    expect(agent.log.read().map((event) => event.type)).toEqual(['inbox/inserted'])
    await expect(scope.create()).rejects.toEqual(code('FACTORY_INACTIVE'))
  })
})

it('an agent is handed over to no owner that belongs to it, and to none that has ended', async () => {
  const { registry } = house([])
  const top = await registry.create({ id: 'top' })
  const below = await registry.create({ id: 'below', owner: top })
  const gone = await registry.create({ id: 'gone' })
  await gone.dispose()
  for (const [to, expected] of [
    [top, 'INVALID_OPTION'],
    [below, 'INVALID_OPTION'],
    [gone, 'AGENT_DISPOSED'],
  ] as const) {
    const handOver = (): void => {
      registry.handOver(top, to)
    }
    expect(handOver).toThrow(expect.objectContaining({ code: expected }))
    expect(registry.ownerOf('top')).toBeUndefined()
  }
  await registry.close()
})
