/**
 * The client against servers that misbehave, each a process of its own.
 */
import { join } from 'node:path'
import { expect, it, test } from 'vitest'
import {
  RefusedError,
  RequestTimeoutError,
  SdkProtocolError,
  TransportClosedError,
} from '../../../src/protocols/client/client-errors.ts'
import type { Notification } from '../../../src/protocols/json-rpc/notifications.ts'
import { against, FAKE, folder, graces, isAlive, notes, pids } from './fakes.ts'

test.each([
  ['no envelope', 'event must be an object'],
  ['no content', 'message.content must be an array'],
  ['no kind', 'reason.kind must be one of'],
  ['no receipt', 'a receipt'],
])('SD-09 malformed wire data is a protocol error: %s', async (kind, why) => {
  const client = against(kind)
  const failure = await client.run('s1', 'A').catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(SdkProtocolError)
  expect(failure).toHaveProperty('code', 'PROTOCOL_ERROR')
  expect(String(failure)).toContain(why)
  // The subscription is released, and the client goes on.
  expect(await client.call('session/list', {})).toEqual({ sessions: [] })
})

test.each(['odd blocks', 'odd discard'])(
  'SD-09 wire data that is wrong further inside ends its run and nothing else: %s',
  async (kind) => {
    const client = against(kind)
    await expect(client.run('s1', 'A')).rejects.toThrow(SdkProtocolError)
    expect(await client.call('session/list', {})).toEqual({ sessions: [] })
  },
)

test('SD-09 initialize without serverInfo is a protocol error, and its process is gone', async () => {
  const client = against('no identity')
  await expect(client.start()).rejects.toThrow(SdkProtocolError)
  expect(pids().map(isAlive)).toEqual([false])
})

const word = (notification: Notification): string => {
  const { method, params } = notification
  if (method === 'child.started') return `${method} ${params.parent}>${params.child}`
  return method === 'session.event' ? `${params.sessionId} ${params.event.type}` : method
}

test('SD-10 events of descendants are not part of the result; their notifications reach the observer', async () => {
  const heard: Notification[] = []
  const { events, finalResponse, turns } = await against('lineage').run('s1', 'A', {
    observer: (notification) => heard.push(notification),
  })
  expect(events.map(({ type }) => type)).toEqual([
    'inbox/inserted',
    'assistant/message',
    'turn/end',
  ])
  expect(finalResponse).toBe('of s1')
  expect(turns).toEqual([{ turn: 1, reason: { kind: 'completed' } }])
  expect(heard.filter(({ method }) => method !== 'session.status').map(word)).toEqual([
    's1 inbox/inserted',
    'child.started s1>c1',
    'child.started c1>c2',
    'c1 assistant/message',
    'c2 assistant/message',
    's1 assistant/message',
    's1 turn/end',
  ])
})

test('SD-11 the runtime dies during a run: exit code and stderr are named, what came before stays readable', async () => {
  const client = against('dies')
  await client.start()
  const before = client.subscribe()
  const failure = await client.run('s1', 'A').catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(TransportClosedError)
  expect(failure).toMatchObject({ exit: 3, stderr: 'kaput', code: 'TRANSPORT_CLOSED' })
  expect(String(failure)).toMatch(/exit code 3.*kaput/)
  expect((await before.next()).value).toMatchObject({ method: 'session.event' })
  await expect(before.next()).rejects.toBe(failure)
  expect(await before.next()).toEqual({ done: true, value: undefined })
  await expect(client.subscribe().next()).rejects.toBe(failure)
  await expect(client.call('session/list', {})).rejects.toBe(failure)
})

test('SD-12 a request timeout abandons the wait, not the work', async () => {
  const client = against('late', { requestTimeoutMs: 20 })
  await client.start()
  const failure = await client.run('s1', 'A').catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(RequestTimeoutError)
  expect(failure).toMatchObject({ method: 'session/prompt', code: 'REQUEST_TIMEOUT' })
  // The late answer harms nobody.
  expect(await client.call('session/list', {}, { timeoutMs: 10_000 })).toEqual({ sessions: [] })
})

test('SD-17 a failed initialisation is retried with a fresh process; after close nothing is', async () => {
  const server = { command: process.execPath, args: [FAKE, 'refuses', join(folder, 'notes')] }
  const client = against('', { server })
  const failure = await client.start().catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(RefusedError)
  expect(failure).toMatchObject({ code: 'UNKNOWN_PROVIDER', rpcCode: -32602 })
  expect(pids().map(isAlive)).toEqual([false])
  server.args = [FAKE, 'silent', join(folder, 'notes')]
  const [one, two] = await Promise.all([client.start(), client.start()])
  expect([one, two]).toEqual([one, one])
  expect(one.serverInfo.name).toBe('fake')
  await client.call('session/list', {})
  await Promise.all([client.close(), client.close()])
  await client.close()
  await expect(client.start()).rejects.toThrow(TransportClosedError)
  await expect(client.call('session/list', {})).rejects.toThrow('the client was closed')
  await expect(client.subscribe().next()).rejects.toThrow('the client was closed')
  expect(pids().map(isAlive)).toEqual([false, false])
  expect(notes().filter((line) => line === 'initialize')).toHaveLength(2)
})

test.each([
  ['silent', ['shutdown'], 'cooperative'],
  ['stubborn', ['shutdown', 'eof'], 'never answers shutdown'],
  ['deaf', ['shutdown', 'eof', 'term'], 'ignores the end of its input'],
  ['immortal', ['shutdown', 'eof', 'term'], 'traps SIGTERM'],
  ['stays', ['shutdown', 'eof', 'term'], 'answers and stays'],
])('SD-18 close goes by rungs and resolves only after exit: %s', async (kind, rungs) => {
  const client = against(kind, { graces: kind === 'silent' ? {} : graces })
  await client.start()
  const waiting = client.call('session/prompt', { sessionId: 's1', contentBlocks: [] })
  const parked = client.subscribe().next()
  const settled = Promise.allSettled([waiting, parked])
  await client.close()
  expect(pids().map(isAlive)).toEqual([false])
  const heard = notes().filter((line) => ['shutdown', 'eof', 'term'].includes(line))
  expect(heard).toEqual(rungs)
  for (const one of await settled)
    expect(one).toMatchObject({ status: 'rejected', reason: { code: 'TRANSPORT_CLOSED' } })
})

test('SD-18 a process that has exited gets no signal', async () => {
  const client = against('dies')
  await client.run('s1', 'A').catch(() => {})
  await client.close()
  expect(notes()).not.toContain('term')
  expect(notes()).not.toContain('shutdown')
})

test('SD-02 what came before the insertion is ignored, and the receipt may come before it', async () => {
  const { events } = await against('receipt first').run('s1', 'A')
  expect(events.map(({ seq }) => seq)).toEqual([0, 1])
})

test('SD-13 an idle that somebody ends at once is no rest: the interval goes on', async () => {
  const { turns } = await against('flicker').run('s1', 'A')
  expect(turns.map(({ turn }) => turn)).toEqual([1, 2])
})

test('SD-14 a prompt that is sent behind a run arrives behind it', async () => {
  const client = against('silent')
  await client.start()
  void client.run('s1', 'first').catch(() => {})
  void client
    .call('session/prompt', { sessionId: 's1', contentBlocks: [{ type: 'text', text: 'second' }] })
    .catch(() => {})
  await client.call('session/list', {})
  const prompts = notes().filter((line) => line.startsWith('prompt'))
  expect(prompts).toEqual(['prompt first', 'prompt second'])
})

test('SD-23 a message that was dropped before anybody began with it settles its run', async () => {
  const result = await against('dropped').run('s1', 'A')
  expect(result).toMatchObject({ messageId: 'A', finalResponse: '', turns: [] })
  expect(result.events).toHaveLength(2)
})

test('SD-20 an observer that throws rejects its run, and nothing else', async () => {
  const client = against('receipt first')
  const failure = new Error('I have seen enough')
  const run = client.run('s1', 'A', {
    observer: () => {
      throw failure
    },
  })
  await expect(run).rejects.toBe(failure)
  expect(await client.call('session/list', {})).toEqual({ sessions: [] })
})

test('JR-10 malformed lines are passed over, split characters survive, and the end rejects what waits', async () => {
  const told: string[] = []
  const client = against('noise', { onDiagnostic: (message) => told.push(message) })
  const { messageId, finalResponse } = await client.run('s1', 'A')
  expect([messageId, finalResponse]).toEqual(['Ä', 'über'])
  expect(told).toHaveLength(3)
})

it('gives a run up after its timeout, and takes the next one when it has settled', async () => {
  const client = against('silent')
  await client.start()
  await expect(client.run('s1', 'A', { timeoutMs: 10 })).rejects.toMatchObject({
    code: 'RUN_TIMEOUT',
  })
  await expect(client.run('s1', 'B', { concurrentRuns: 'reject' })).rejects.toMatchObject({
    code: 'RUN_IN_PROGRESS',
  })
})

it('says so where there is no such program', async () => {
  const client = against('', { server: { command: join(folder, 'nothing') } })
  await expect(client.start()).rejects.toMatchObject({ code: 'ENOENT' })
})
