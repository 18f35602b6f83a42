/** Depth, budgets of a tree, what a child takes over, and who ends with whom. */
import { expect, test } from 'vitest'
import type { Agent } from '../../../src/actors/agent-handle.ts'
import { createAgent } from '../../../src/actors/agent.ts'
import { createChildren } from '../../../src/sessions/children/children.ts'
import { createRegistry } from '../../../src/sessions/registry.ts'
import { childRig, linesOf, sound, streaming } from './rig.ts'

test('CH-16 a parent at the depth limit is refused, and nothing is created', async () => {
  const { spawn, children, order, model } = await childRig([], { maxDepth: 2 })
  const child = await spawn(['text "one"'])
  const agent = { model: model('text "two"') }
  const grandchild = await children.spawn({ parent: child.agent, prompt: 'go', id: 'g', agent })
  expect(grandchild.depth).toBe(2)
  expect(grandchild.agent.log.header.depth).toBe(2)
  order.length = 0
  const tooDeep = children.spawn({ parent: grandchild.agent, prompt: 'go', agent })
  await expect(tooDeep).rejects.toMatchObject({ code: 'CHILD_LIMIT' })
  await grandchild.result
  expect(order.filter((line) => line.includes('created'))).toEqual([])
  expect(children.list('p').map(({ id }) => id)).toEqual(['c', 'g'])
  expect(children.list('c').map(({ id }) => id)).toEqual(['g'])
})

test('CH-16 a fork counts as deep as its child would be', async () => {
  const { spawn, children, model } = await childRig([], { maxDepth: 1 })
  const run = await spawn(['text "one"'], { fork: true, id: 'f' })
  const agent = { model: model() }
  await expect(children.spawn({ parent: run.agent, prompt: 'go', agent })).rejects.toMatchObject({
    code: 'CHILD_LIMIT',
  })
})

test('CH-16 what the child is made with is captured at the call', async () => {
  const { children, parent, model } = await childRig(['text "p"'])
  const agent = { maxTokens: 100, settings: { temperature: 1 } }
  const own = model('text "one"')
  const start = children.spawn({ parent, prompt: 'go', id: 'c', agent: { ...agent, model: own } })
  agent.maxTokens = 5
  const run = await start
  await run.result
  const header = run.agent.log.read().find(({ type }) => type === 'request/header')
  expect(header?.data).toMatchObject({ maxTokens: 100, settings: { temperature: 1 } })
})

test('CH-16 a child takes over the route that its parent uses at the call, not a later one', async () => {
  let route = 'first'
  const { children, parent } = await childRig(['text x9'], {
    agent: { gates: { request: async (_q, next) => ({ ...(await next()), model: route }) } },
  })
  await parent.run('P')
  const start = children.spawn({ parent, prompt: 'go', id: 'c' })
  route = 'second'
  await parent.run('Q')
  const run = await start
  await run.result
  const models = run.agent.log
    .read()
    .flatMap((event) => (event.type === 'request/header' ? [event.data.model] : []))
  expect(models).toEqual(['first'])
})

test('CH-17 disposing the parent drains its children first', async () => {
  const { spawn, parent, order, clock } = await childRig()
  const run = await spawn(['hang-slow 50 ms'])
  await streaming(run.agent)
  const disposal = parent.dispose()
  await clock.advance(50)
  await disposal
  expect(order.slice(-5)).toEqual([
    'c turn/end aborted',
    'c agent/disposed',
    'c session/disposed',
    'p agent/disposed',
    'p session/disposed',
  ])
  expect(linesOf(run.agent).at(-1)).toBe('turn/end 1 aborted:parent')
  sound(run.agent, parent)
})

test('CH-17 the same holds for a parent that no registry has made', async () => {
  const registry = createRegistry({ factory: () => ({}) })
  const { model } = await childRig()
  const parent = createAgent({ id: 'made' })
  const children = createChildren({ registry })
  children.adopt(parent)
  const order: string[] = []
  registry.listen(({ type, id }) => order.push(`${id} ${type}`))
  const run = await children.spawn({
    parent,
    prompt: 'go',
    id: 'c',
    agent: { model: model('hang "x"') },
  })
  await streaming(run.agent)
  order.length = 0
  await parent.dispose()
  expect(order.slice(0, 2)).toEqual(['c agent/disposed', 'c session/disposed'])
  expect((await run.result).stopReason).toBe('aborted')
})

test('a detached child is stopped with its owner too, unless it was handed over', async () => {
  const { spawn, parent, registry } = await childRig()
  const kept = await spawn(['hang "x"'], { id: 'kept', detached: true })
  const given = await spawn(['hang "y"'], { id: 'given', detached: true })
  await Promise.all([streaming(kept.agent), streaming(given.agent)])
  given.handOver()
  expect(registry.roots().map(({ id }) => id)).toEqual(['p', 'given'])
  await parent.dispose()
  expect((await kept.result).stopReason).toBe('aborted')
  expect(given.agent.status).toBe('running')
  expect(given.agent.log.header.parent).toBe('p')
  await registry.close()
  expect((await given.result).stopReason).toBe('aborted')
})

test('an attached child that was handed over hears of no cancel of its former parent', async () => {
  const { spawn, parent } = await childRig(['hang "p"'])
  const run = await spawn(['hang "x"'])
  parent.followup('P')
  await Promise.all([streaming(run.agent), streaming(parent)])
  run.handOver()
  parent.cancel('user')
  await parent.whenIdle()
  expect(run.agent.status).toBe('running')
  await run.dispose()
})

const reasons = (agent: Agent): string[] =>
  agent.log.read().flatMap(({ type, data }) => (type === 'turn/end' ? [data.reason.kind] : []))

test('the steps of a tree are limited together', async () => {
  const { spawn } = await childRig([], { budget: { steps: 3 } })
  const tools = [{ name: 't', run: () => 'ok' }]
  const first = await spawn(['call c1 t', 'text "one"'], { agent: { tools } })
  expect((await first.result).stopReason).toBe('completed')
  const second = await spawn(['call c1 t', 'text "never"'], { id: 'c2', agent: { tools } })
  expect(await second.result).toMatchObject({ stopReason: 'limit', detail: 'steps: 3 of 3' })
  expect(reasons(second.agent)).toEqual(['blocked'])
  await expect(spawn([], { id: 'c3' })).rejects.toMatchObject({ code: 'CHILD_LIMIT' })
})

test.each([
  ['tokens', { tokens: 2 }],
  ['turns', { turns: 1 }],
])('the %s of a tree are limited together', async (which, budget) => {
  const { spawn } = await childRig([], { budget })
  const run = await spawn(['text "one"', 'text "never"'], { continuable: true })
  expect((await run.result).stopReason).toBe('completed')
  run.handOver()
  run.send('B')
  expect(await run.result).toMatchObject({
    stopReason: 'limit',
    detail: expect.stringContaining(which) as unknown,
  })
})

const failing = (): never => {
  throw new Error('nope')
}

test('the number of children is limited; one that could not be started does not count', async () => {
  const { spawn } = await childRig([], { budget: { children: 1 } })
  await expect(spawn([], { setup: failing })).rejects.toThrow('nope')
  await (await spawn(['text "one"'])).dispose()
  await expect(spawn([], { id: 'c2' })).rejects.toMatchObject({ code: 'CHILD_LIMIT' })
})

test('faulty options are refused at once', async () => {
  expect(() => createChildren({ maxDepth: 0 })).toThrow(
    expect.objectContaining({ code: 'INVALID_OPTION' }),
  )
  expect(() => createChildren({ budget: { steps: -1 } })).toThrow(
    expect.objectContaining({ code: 'INVALID_OPTION' }),
  )
  const { children, spawn } = await childRig()
  await expect(children.spawn({ prompt: 'go' })).rejects.toMatchObject({ code: 'INVALID_OPTION' })
  await expect(spawn([], { prompt: { content: 7 as never } })).rejects.toMatchObject({
    code: 'INVALID_MESSAGE',
  })
  const output = {
    '~standard': { version: 1, vendor: 'x', validate: () => ({ value: 1 }) },
  } as const
  await expect(spawn([], { output })).rejects.toMatchObject({ code: 'INVALID_OPTION' })
  const stranger = createAgent()
  await expect(spawn([], { parent: stranger })).rejects.toMatchObject({ code: 'SESSION_NOT_LIVE' })
})
