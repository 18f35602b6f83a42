/**
 * `initialize` and what is refused: who answers, what is checked, which error says what.
 */
import { expect, test } from 'vitest'
import { memoryStore } from '../../../src/sessions/memory-store.ts'
import { deferred } from '../../support/deferred.ts'
import { promptOf, refused, text, wire } from './peer.ts'

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
