/**
 * Endings: shutdown, cancel, close and resume.
 */
import { expect, test } from 'vitest'
import { memoryStore } from '../../../src/sessions/memory-store.ts'
import { createRegistry } from '../../../src/sessions/registry.ts'
import { deferred } from '../../support/deferred.ts'
import { serveJsonRpc } from '../../../src/protocols/json-rpc/server.ts'
import { Peer, promptOf, refused, type Said, text, turnEnds, wire } from './peer.ts'

const ended = (turn: number) => (said: Said) =>
  said.params?.event?.type === 'turn/end' && said.params.event.data.turn === turn

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
  // What came before the shutdown is taken, and cut as what runs is.
  expect(await pending).toHaveProperty('result.messageId')
  expect([(await one)!.result, (await two)!.result]).toEqual([{}, {}])
  const answered = peer.said.findIndex(({ id }) => id === 4)
  const closed = peer.said.findIndex(ended(1))
  expect(closed).toBeGreaterThan(-1)
  expect(closed).toBeLessThan(answered)
  expect(turnEnds(peer)).toEqual(['turn/end 1 aborted:disposed'])
  expect(turnEnds(peer, 's2')).toEqual([expect.stringContaining('turn/end 1 aborted:disposed')])
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

/** A request, and then nothing for ever. */
async function* shutdownOnly(): AsyncGenerator<string> {
  yield '{"jsonrpc":"2.0","id":1,"method":"shutdown"}\n'
  await new Promise(() => {})
}

test('a server ends although its input cannot be ended from here', async () => {
  const peer = new Peer()
  await serveJsonRpc({ input: shutdownOnly(), output: peer.output, prepare: () => ({}) })
  expect(await peer.until(({ id }) => id === 1)).toMatchObject({ result: {} })
})
