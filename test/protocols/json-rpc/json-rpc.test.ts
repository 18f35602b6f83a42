/**
 * The cases of JSON-RPC, each against the real server: its bytes in, its lines out.
 */
import { expect, it, test } from 'vitest'
import { currentInitiator } from '../../../src/actors/initiator.ts'
import { createChildren } from '../../../src/sessions/children/children.ts'
import { memoryStore } from '../../../src/sessions/memory-store.ts'
import { createRegistry } from '../../../src/sessions/registry.ts'
import { printLog } from '../../../src/testing/print-event.ts'
import { readQueue } from '../../../src/protocols/json-rpc/queue.ts'
import { deferred } from '../../support/deferred.ts'
import { type Peer, promptOf, type Said, text, wire } from './peer.ts'

const refused = (code: number, name: string, more: object = {}): unknown =>
  expect.objectContaining({
    error: {
      code,
      message: expect.any(String),
      data: expect.objectContaining({ code: name, ...more }),
    },
  })

const turnEnds = (peer: Peer, id = 's1'): string[] =>
  printLog(peer.events(id) as never).filter((line) => line.startsWith('turn/end'))

test('JR-01 initialize answers the server identity once everything it needs is ready', async () => {
  const ready = deferred<void>()
  const store = memoryStore()
  const asked: object[] = []
  const peer = wire([], {
    store,
    cwd: '/base',
    prepare: async (it) => {
      asked.push(it)
      await ready.promise
      return {}
    },
  })
  const answer = peer.initialize({ maxTokens: 256 })
  // What is asked meanwhile waits for it.
  const prompted = peer.prompt('s1', 'A')
  await peer.server.registry.start()
  expect(peer.said).toEqual([])
  ready.resolve()
  const { name, version } = (await answer).result!['serverInfo']
  expect((await answer).result).toEqual({ protocolVersion: 1, serverInfo: { name, version } })
  expect([name, version]).toEqual(['turnwise', expect.stringMatching(/^\d+\.\d+\.\d+/)])
  expect(await prompted).toMatchObject({ result: { messageId: expect.any(String) } })
  expect(asked).toEqual([{ cwd: '/base', provider: 'mock', model: 'm', maxTokens: 256 }])
  const agent = peer.server.registry.get('s1')!
  expect(agent.log.header.cwd).toBe('/base')
  expect(agent.options).toMatchObject({ maxTokens: 256, provider: 'mock', modelId: 'm' })
  await peer.server.close()
  expect((await store.read('s1')).header.cwd).toBe('/base')
})

test('JR-02 initialize refuses a bad maxTokens and an unknown provider; the server stays usable', async () => {
  const peer = wire(['text "one"'])
  for (const maxTokens of [0, -1, 1.5, NaN, 2 ** 53, '7'])
    expect(await peer.initialize({ maxTokens })).toEqual(refused(-32602, 'INVALID_OPTION'))
  expect(await peer.initialize({ provider: 'nope' })).toEqual(refused(-32602, 'UNKNOWN_PROVIDER'))
  expect(await peer.prompt('s1', 'A')).toEqual(refused(-32000, 'NOT_INITIALIZED'))
  expect(await peer.initialize({ maxTokens: 2 ** 53 - 1 })).toHaveProperty('result')
  // A refused one takes nothing back.
  expect(await peer.initialize({ provider: 'nope' })).toEqual(refused(-32602, 'UNKNOWN_PROVIDER'))
  expect(await peer.prompt('s1', 'A')).toHaveProperty('result')
  await peer.status('s1', 'idle')
  await peer.server.close()
})

test('JR-03 session/prompt answers with a receipt, not with a result', async () => {
  const peer = wire(['hang "x"'])
  await peer.initialize()
  const { result } = await peer.prompt('s1', 'A')
  expect(Object.keys(result!)).toEqual(['messageId'])
  await peer.saw('s1', 'assistant/chunk', 2)
  expect(turnEnds(peer)).toEqual([])
  const [inserted] = peer.events('s1')
  expect(inserted).toMatchObject({
    seq: 0,
    type: 'inbox/inserted',
    data: {
      message: { id: result!['messageId'], source: { kind: 'user' }, content: [text('A')] },
      wake: true,
    },
  })
  await peer.server.close()
  await peer.gone
  expect(peer.said.map(({ method }) => method)).not.toContain('session.finished')
})

test('SD-03 on the wire: insertion, running, turn/start and claim come before the receipt', async () => {
  const peer = wire(['text "one"'])
  await peer.initialize()
  const receipt = await peer.prompt('s1', 'A')
  const words = ({ method, params, id }: Said): string =>
    method === 'session.event'
      ? params.event.type
      : method === undefined
        ? `answer ${id}`
        : params.status
  expect(peer.said.slice(1, 1 + peer.said.indexOf(receipt)).map(words)).toEqual([
    'inbox/inserted',
    'running',
    'turn/start',
    'inbox/claimed',
    'answer 2',
  ])
  await peer.server.close()
})

test('JR-04 a prompt creates an unknown session, and further ones join it in the order they came', async () => {
  const peer = wire(['text "one"', 'text "two"', 'text "three"'])
  await peer.initialize()
  const receipts = await Promise.all(
    peer.batch(
      ['session/prompt', promptOf('s1', 'A', { messageId: 'A' })],
      ['session/prompt', promptOf('s2', 'C', { messageId: 'C' })],
      ['session/prompt', promptOf('s1', 'B', { messageId: 'B' })],
    ),
  )
  expect(receipts.map(({ result }) => result)).toEqual([
    { messageId: 'A' },
    { messageId: 'C' },
    { messageId: 'B' },
  ])
  await peer.saw('s1', 'turn/end', 2)
  await peer.status('s1', 'idle')
  expect(turnEnds(peer)).toEqual(['turn/end 1 completed', 'turn/end 2 completed'])
  // One running interval, without a flicker between its turns.
  expect(peer.statuses('s1')).toEqual(['running', 'idle'])
  // An id that was committed is never taken again.
  expect(await peer.prompt('s1', 'A', { messageId: 'A' })).toEqual(
    refused(-32000, 'DUPLICATE_ID', { sessionId: 's1' }),
  )
  await peer.server.close()
})

test('JR-05 concurrent first prompts to one unknown session create exactly one agent', async () => {
  const peer = wire(['text', 'text'])
  const heard: string[] = []
  peer.server.registry.listen(({ type, id }) => heard.push(`${type} ${id}`))
  await peer.initialize()
  const receipts = await Promise.all(
    peer.batch(
      ['session/prompt', promptOf('s1', 'A', { messageId: 'A' })],
      ['session/prompt', promptOf('s1', 'B', { messageId: 'B' })],
    ),
  )
  expect(receipts.map(({ result }) => result)).toEqual([{ messageId: 'A' }, { messageId: 'B' }])
  expect(heard.filter((line) => line.startsWith('agent/created'))).toEqual(['agent/created s1'])
  await peer.saw('s1', 'turn/end', 2)
  await peer.server.close()
})

test('JR-05 (variant) a failed creation is shared by all that waited for it and retried by the next prompt', async () => {
  const store = memoryStore()
  let failures = 1
  const registry = createRegistry({
    store,
    factory: () => {
      if (failures-- > 0) throw new Error('no room')
      return {}
    },
  })
  const peer = wire(['text'], { registry, store })
  await peer.initialize()
  const [a, b] = await Promise.all(
    peer.batch(['session/prompt', promptOf('s1', 'A')], ['session/prompt', promptOf('s1', 'B')]),
  )
  expect([a, b]).toEqual([refused(-32603, 'UNKNOWN'), refused(-32603, 'UNKNOWN')])
  expect(a!.error!.message).toContain('no room')
  expect(await store.list()).toEqual([])
  expect(await peer.prompt('s1', 'C')).toHaveProperty('result')
  await peer.saw('s1', 'turn/end')
  await peer.server.close()
})

test('JR-06 a prompt for an agent disposed behind the server is refused; session/resume brings it back', async () => {
  const peer = wire(['text "a"', 'text "c"'])
  await peer.initialize()
  await peer.prompt('s1', 'A')
  await peer.status('s1', 'idle')
  await peer.server.registry.get('s1')!.dispose()
  const before = peer.events('s1').length
  const refusal = await peer.prompt('s1', 'B')
  expect(refusal).toEqual(refused(-32000, 'AGENT_DISPOSED', { sessionId: 's1' }))
  expect(refusal.error!.message).toContain('s1')
  expect(await peer.ask('session/cancel', { sessionId: 's1' })).toMatchObject({
    result: { effect: 'none', discarded: [] },
  })
  expect(await peer.ask('session/steer', promptOf('s1', 'B'))).toEqual(
    refused(-32000, 'AGENT_DISPOSED', { sessionId: 's1' }),
  )
  expect(peer.events('s1')).toHaveLength(before)
  expect(await peer.ask('session/resume', { sessionId: 's1' })).toMatchObject({
    result: { pending: [], parked: null },
  })
  expect(await peer.prompt('s1', 'C')).toHaveProperty('result')
  await peer.status('s1', 'idle', 2)
  expect(peer.model.requests.at(-1)!.history).toEqual(['user:A', 'assistant:a', 'user:C'])
  await peer.server.close()
})

test('a stored session is resumed by its first prompt, and what waits in it stays parked until then', async () => {
  const store = memoryStore()
  const first = wire([], { store })
  await first.initialize()
  await first.prompt('s1', 'A')
  await first.ask('session/close', { sessionId: 's1', keepInbox: true })
  await first.server.close()
  const second = wire(['text "two"'], { store })
  await second.initialize()
  expect(await second.prompt('s1', 'B')).toHaveProperty('result')
  await second.status('s1', 'idle')
  expect(second.events('s1')[0]).toMatchObject({
    type: 'session/opened',
    data: { how: 'resume', wake: false },
  })
  await second.server.close()
})

test('JR-07 shutdown waits for pending creations, disposes all agents, answers {} and ends once', async () => {
  const going = deferred<void>()
  const store = memoryStore()
  const registry = createRegistry({
    store,
    factory: async ({ id }) => {
      if (id === 's2') await going.promise
      return {}
    },
  })
  const peer = wire(['hang "x"'], { registry, store })
  await peer.initialize()
  await peer.prompt('s1', 'A')
  await peer.saw('s1', 'assistant/chunk', 2)
  const [pending, one, two, late] = peer.batch(
    ['session/prompt', promptOf('s2', 'B')],
    ['shutdown', {}],
    ['shutdown', {}],
    ['session/prompt', promptOf('s1', 'C')],
  )
  // Prompts after shutdown began are refused.
  expect(await late).toEqual(refused(-32000, 'AGENT_DISPOSED', { sessionId: 's1' }))
  expect(turnEnds(peer)).toEqual([])
  going.resolve()
  // A receipt is never given for work that nobody will run.
  expect(await pending).toEqual(refused(-32000, 'AGENT_DISPOSED', { sessionId: 's2' }))
  expect([(await one)!.result, (await two)!.result]).toEqual([{}, {}])
  const answered = peer.said.findIndex(({ id }) => id === 4)
  const ended = peer.said.findIndex(({ params }) => params?.event?.type === 'turn/end')
  expect(ended).toBeGreaterThan(-1)
  expect(ended).toBeLessThan(answered)
  expect(turnEnds(peer)).toEqual(['turn/end 1 aborted:disposed'])
  expect(peer.statuses('s1')).toEqual(['running', 'idle', 'disposed'])
  await peer.server.ended
  await peer.gone
  expect(registry.list()).toEqual([])
})

test('JR-07 (variant) one failing disposer does not stop the others, and failures are told together', async () => {
  const store = memoryStore()
  const peer = wire(['text "1"', 'text "2"', 'text "3"'], { store })
  await peer.initialize()
  for (const id of ['s1', 's2', 's3']) await peer.prompt(id, 'A')
  for (const id of ['s1', 's2', 's3']) await peer.status(id, 'idle')
  for (const id of ['s1', 's3'])
    peer.server.registry.get(id)!.log.close = () => Promise.reject(new Error(`${id} is full`))
  const { error } = await peer.ask('shutdown', {})
  expect(error!.data.failures?.map(({ message }) => message)).toEqual(['s1 is full', 's3 is full'])
  await expect(peer.server.ended).rejects.toThrow('2 of the sessions')
  for (const id of ['s1', 's2', 's3']) expect(peer.statuses(id).at(-1)).toBe('disposed')
})

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
  const child = await registry.create({ id: 'c1', owner: root, agent: root.options as never })
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
  const peer = wire(['text "p"', 'text "one"', 'error SERVER', 'text "cut" finishing max-tokens'], {
    registry,
    store,
    children,
  })
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
  await peer.server.close()
})

test('JR-11 error codes', async () => {
  for (const initialized of [false, true]) {
    const peer = wire()
    if (initialized) await peer.initialize()
    expect(await peer.ask('session/nope', {})).toEqual(refused(-32601, 'UNKNOWN_METHOD'))
    expect(await peer.ask('constructor', {})).toEqual(refused(-32601, 'UNKNOWN_METHOD'))
    const bad: readonly (readonly [string, unknown])[] = [
      ['session/prompt', undefined],
      ['session/prompt', []],
      ['session/prompt', null],
      ['session/prompt', { sessionId: 's1' }],
      ['session/prompt', { sessionId: 7, contentBlocks: [text('A')] }],
      ['session/prompt', { sessionId: '../x', contentBlocks: [text('A')] }],
      ['session/prompt', { sessionId: 's1', contentBlocks: 'A' }],
      ['session/prompt', promptOf('s1', 'A', { unheard: 1 })],
      ['session/cancel', { sessionId: 's1', keepInbox: 'yes' }],
      ['session/cancel', { sessionId: 's1', cause: 'disposed' }],
      ['session/cancel', { sessionId: 's1', turn: 0 }],
      ['session/projection', { sessionId: 's1', name: 'constructor' }],
      ['session/projection', { sessionId: 's1', name: 'lineage' }],
      ['session/events', { sessionId: 's1', limit: 0 }],
      ['initialize', { protocolVersion: 1 }],
    ]
    for (const [method, params] of bad)
      expect(await peer.ask(method, params)).toEqual(refused(-32602, 'INVALID_OPTION'))
    expect(
      await peer.ask('session/prompt', { sessionId: 's1', contentBlocks: [{ type: 'poem' }] }),
    ).toEqual(refused(-32602, 'INVALID_MESSAGE', { sessionId: 's1' }))
    expect(peer.server.registry.list()).toEqual([])
    await peer.server.close()
  }
  const peer = wire()
  await peer.initialize()
  for (const method of ['session/steer', 'session/cancel', 'session/close', 'session/inbox'])
    expect(
      await peer.ask(
        method,
        method === 'session/steer' ? promptOf('s9', 'A') : { sessionId: 's9' },
      ),
    ).toEqual(refused(-32000, 'SESSION_NOT_LIVE', { sessionId: 's9' }))
  expect(await peer.ask('session/resume', { sessionId: 's9' })).toEqual(
    refused(-32000, 'SESSION_NOT_FOUND', { sessionId: 's9' }),
  )
  await peer.server.close()
})

test('JR-11 (unexpected) what nobody foresaw is -32603, and the server goes on', async () => {
  const peer = wire([], {
    prepare: () => {
      throw new Error('the disk is on fire', { cause: new Error('sparks') })
    },
  })
  const { error } = await peer.initialize()
  expect(error).toEqual({
    code: -32603,
    message: 'the disk is on fire: sparks',
    data: { code: 'UNKNOWN' },
  })
  expect(await peer.ask('session/nope')).toEqual(refused(-32601, 'UNKNOWN_METHOD'))
  await peer.server.close()
})

test('JR-12 session/cancel, session/close, session/resume and the protocol version', async () => {
  const peer = wire(['hang "partial"', 'text "b"', 'text "c"'])
  await peer.initialize()
  await peer.prompt('s1', 'A')
  await peer.saw('s1', 'assistant/chunk', 2)
  const [cancelled, prompted, closed, resumed, refusal] = peer.batch(
    ['session/cancel', { sessionId: 's1', cause: 'user', keepInbox: true }],
    ['session/prompt', promptOf('s1', 'B', { messageId: 'B' })],
    ['session/close', { sessionId: 's1' }],
    ['session/resume', { sessionId: 's1', wake: true }],
    ['initialize', { protocolVersion: 99 }],
  )
  expect((await cancelled)!.result).toEqual({ effect: 'aborted', turn: 1, discarded: [] })
  // It is answered when the command was applied, not after convergence.
  const answered = peer.said.findIndex(({ id }) => id === 3)
  const ended = (turn: number) => (said: Said) =>
    said.params?.event?.type === 'turn/end' && said.params.event.data.turn === turn
  expect(peer.said.findIndex(ended(1))).toSatisfy((at: number) => at === -1 || at > answered)
  expect((await prompted)!.result).toEqual({ messageId: 'B' })
  expect((await closed)!.result).toEqual({})
  expect((await resumed)!.result).toEqual({ pending: [], parked: null })
  expect(turnEnds(peer)).toEqual(['turn/end 1 aborted:user', 'turn/end 2 completed'])
  expect(peer.said.findIndex(ended(2))).toBeLessThan(peer.said.findIndex(({ id }) => id === 5))
  expect(await refusal).toEqual(
    refused(-32602, 'UNSUPPORTED_PROTOCOL', { supported: { min: 1, max: 1 } }),
  )
  expect(await peer.prompt('s1', 'C')).toHaveProperty('result')
  await peer.saw('s1', 'turn/end', 3)
  await peer.server.close()
})

test('JR-12 (keepInbox) what waits is kept by session/close and told by session/resume', async () => {
  const peer = wire(['hang "partial"', 'text "b"'])
  await peer.initialize()
  await peer.prompt('s1', 'A')
  await peer.saw('s1', 'assistant/chunk', 2)
  await peer.prompt('s1', 'B', { messageId: 'B' })
  expect(await peer.ask('session/close', { sessionId: 's1', keepInbox: true })).toMatchObject({
    result: {},
  })
  const { result } = await peer.ask('session/resume', { sessionId: 's1' })
  expect(result).toEqual({
    pending: [
      {
        messageId: 'B',
        placement: 'queued',
        list: 'next-turn',
        wake: true,
        message: { id: 'B', role: 'user', content: [text('B')], source: { kind: 'user' } },
      },
    ],
    parked: { reason: 'resume', ids: ['B'] },
  })
  expect(await peer.ask('session/resume', { sessionId: 's1' })).toEqual(
    refused(-32000, 'SESSION_LIVE', { sessionId: 's1' }),
  )
  await peer.ask('session/close', { sessionId: 's1', keepInbox: true })
  await peer.ask('session/resume', { sessionId: 's1', wake: true })
  await peer.saw('s1', 'turn/end', 2)
  expect(turnEnds(peer).at(-1)).toBe('turn/end 2 completed')
  await peer.server.close()
})

test('a close that would wait too long cuts what runs', async () => {
  const peer = wire(['hang "partial"'])
  await peer.initialize()
  await peer.prompt('s1', 'A')
  await peer.saw('s1', 'assistant/chunk', 2)
  await peer.prompt('s1', 'B')
  expect(await peer.ask('session/close', { sessionId: 's1', graceMs: 0 })).toMatchObject({
    result: {},
  })
  expect(turnEnds(peer)).toEqual(['turn/end 1 aborted:disposed'])
  expect(peer.server.registry.list()).toEqual([])
  await peer.server.close()
})

test('JR-13 the queue shows every placement, and one unknown placement rejects only its entry', async () => {
  const peer = wire(['hang "x"'])
  await peer.initialize()
  await peer.prompt('s1', 'A')
  await peer.prompt('s1', 'B', { messageId: 'B' })
  await peer.ask('session/steer', promptOf('s1', 'S', { messageId: 'S' }))
  await peer.ask('session/inject', promptOf('s1', 'X', { messageId: 'X', plugin: 'clock' }))
  const { result } = await peer.ask('session/inbox', { sessionId: 's1' })
  const shown = result!['pending'] as { messageId: string; placement: string }[]
  expect(shown.map(({ messageId, placement }) => `${messageId} ${placement}`)).toEqual([
    'S steering',
    'X context',
    'B queued',
  ])
  const newer = { pending: [shown[0], { ...shown[1], placement: 'levitating' }, shown[2]] }
  const told: string[] = []
  const read = readQueue(newer, (message) => told.push(message))
  expect(read.pending.map(({ messageId }) => messageId)).toEqual(['S', 'B'])
  expect(told).toEqual([expect.stringContaining('pending[1].placement must be one of')])
  await peer.server.close()
})

it('keeps the order of what is asked about one session, also while it is created', async () => {
  const peer = wire(['text "never"', 'text "never"'])
  const [, prompted, cancelled, again] = peer.batch(
    ['initialize', { protocolVersion: 1, cwd: '.', provider: 'mock', model: 'm' }],
    ['session/prompt', promptOf('s1', 'A', { messageId: 'A' })],
    ['session/cancel', { sessionId: 's1' }],
    ['session/cancel', { sessionId: 's1' }],
  )
  expect((await prompted)!.result).toEqual({ messageId: 'A' })
  expect((await cancelled)!.result).toMatchObject({ effect: 'aborted', turn: 1 })
  expect((await again)!.result).toMatchObject({ effect: 'none' })
  await peer.server.close()
})
