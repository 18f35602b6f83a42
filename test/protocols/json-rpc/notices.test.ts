/**
 * What every peer is told: events, statuses, children.
 */
import { expect, test } from 'vitest'
import { currentInitiator } from '../../../src/actors/initiator.ts'
import { createChildren } from '../../../src/sessions/children/children.ts'
import { memoryStore } from '../../../src/sessions/memory-store.ts'
import { createRegistry } from '../../../src/sessions/registry.ts'
import { wire } from './peer.ts'

test('JR-08 every durable event and every status of every session is told, and nothing about prompts', async () => {
  const peer = wire(['text "1"', 'text "2"'])
  await peer.initialize()
  await peer.prompt('s1', 'A')
  await peer.prompt('s2', 'B')
  await peer.status('s1', 'idle')
  await peer.status('s2', 'idle')
  const logs = new Map(peer.server.registry.list().map(({ id, log }) => [id, log]))
  await peer.ask('session/close', { sessionId: 's1' })
  await peer.server.close()
  await peer.gone
  for (const id of ['s1', 's2']) {
    expect(peer.events(id)).toEqual(JSON.parse(JSON.stringify(logs.get(id)!.read())))
    expect(peer.statuses(id)).toEqual(['running', 'idle', 'disposed'])
  }
  const methods = new Set(peer.said.map(({ method }) => method))
  expect(methods).toEqual(new Set([undefined, 'session.event', 'session.status']))
})

test('JR-09 children of any depth are announced with their parents, before anything happens in them', async () => {
  const peer = wire(['text "1"', 'text "2"', 'text "3"'])
  const { registry } = peer.server
  await peer.initialize()
  await peer.prompt('s1', 'A')
  const root = registry.get('s1')!
  const child = await registry.create({ id: 'c1', owner: root, agent: root.options })
  const grand = await registry.create({ id: 'c2', owner: child })
  child.inject('hello')
  grand.inject('hello')
  await peer.saw('c2', 'inbox/inserted')
  const started = peer.said.filter(({ method }) => method === 'child.started')
  expect(started.map(({ params }) => params)).toEqual([
    { parent: 's1', child: 'c1', depth: 1 },
    { parent: 'c1', child: 'c2', depth: 2 },
  ])
  const firstOf = (id: string): number =>
    peer.said.findIndex(({ params }) => params?.sessionId === id)
  expect(peer.said.indexOf(started[0]!)).toBeLessThan(firstOf('c1'))
  // An id may be used again once it is free; it is another child then.
  await grand.dispose()
  await registry.create({ id: 'c3', owner: root })
  expect(currentInitiator()).toBeUndefined()
  expect(peer.said.filter(({ method }) => method === 'child.started')).toHaveLength(3)
  await peer.server.close()
})

test('JR-08 and JR-09 child.finished tells of children that ran here, each by its own run', async () => {
  const store = memoryStore()
  const registry = createRegistry({ store, factory: () => ({}) })
  const children = createChildren({ registry })
  const peer = wire(
    ['text "p"', 'text "one"', 'error SERVER', 'text "cut" finishing max-tokens', 'text "f"'],
    {
      registry,
      store,
      children,
    },
  )
  await peer.initialize()
  await peer.prompt('s1', 'A')
  await peer.status('s1', 'idle')
  const parent = registry.get('s1')!
  for (const name of ['first', 'second', 'third'])
    await (
      await children.spawn({ parent, prompt: 'B', id: `c-${name}`, name })
    ).result
  await peer.until(({ params }) => params?.child === 'c-third' && params.status !== undefined)
  // Some session with a parent that nobody runs here.
  const other = await registry.create({ id: 'other', owner: parent })
  await other.dispose()
  const told = peer.said.filter(({ method }) => method?.startsWith('child.') === true)
  const ran = { provider: 'mock', parent: 's1' }
  expect(told.map(({ method, params }) => ({ method, ...params }))).toEqual([
    { method: 'child.started', parent: 's1', child: 'c-first', depth: 1 },
    {
      method: 'child.finished',
      ...ran,
      agentId: 'first',
      child: 'c-first',
      status: 'ok',
      stopReason: 'completed',
      lastAssistantMessage: 'one',
    },
    { method: 'child.started', parent: 's1', child: 'c-second', depth: 1 },
    {
      method: 'child.finished',
      ...ran,
      agentId: 'second',
      child: 'c-second',
      status: 'error',
      stopReason: 'error',
    },
    { method: 'child.started', parent: 's1', child: 'c-third', depth: 1 },
    {
      method: 'child.finished',
      ...ran,
      agentId: 'third',
      child: 'c-third',
      status: 'error',
      stopReason: 'max-tokens',
      lastAssistantMessage: 'cut',
    },
    { method: 'child.started', parent: 's1', child: 'other', depth: 1 },
  ])
  // One that begins on a copy of its parent works for it, a copy that is resumed does not.
  const forked = await children.spawn({ parent, prompt: 'C', id: 'forked', fork: true })
  await forked.result
  await registry.fork('s1', { id: 'copy' })
  await registry.resume('copy')
  await peer.until(({ params }) => params?.child === 'forked' && params.status !== undefined)
  const later = peer.said.filter(({ method }) => method === 'child.started').slice(told.length - 3)
  expect(later.map(({ params }) => params)).toEqual([{ parent: 's1', child: 'forked', depth: 1 }])
  await peer.server.close()
})
