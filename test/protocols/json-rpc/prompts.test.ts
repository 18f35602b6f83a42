/**
 * Prompts: receipts, creations that are shared, sessions that come back, order.
 */
import { expect, it, test } from 'vitest'
import { memoryStore } from '../../../src/sessions/memory-store.ts'
import { createRegistry } from '../../../src/sessions/registry.ts'
import { readQueue } from '../../../src/protocols/json-rpc/queue.ts'
import { promptOf, refused, type Said, text, turnEnds, wire } from './peer.ts'

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

/** What was said, in a word. */
const words = ({ method, params, id }: Said): string =>
  method === 'session.event'
    ? params.event.type
    : method === undefined
      ? `answer ${id}`
      : params.status

test('SD-03 on the wire: insertion, running, turn/start and claim come before the receipt', async () => {
  const peer = wire(['text "one"'])
  await peer.initialize()
  const receipt = await peer.prompt('s1', 'A')
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
