/**
 * The client and a real server process: cases of owned runs, across the wire.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it, test } from 'vitest'
import type { RunResult } from '../../../src/actors/agent-handle.ts'
import { TurnwiseClient } from '../../../src/protocols/client/client.ts'
import { printReason } from '../../../src/testing/print-event.ts'

const SERVER = join(import.meta.dirname, '../../fixtures/wire/scripted-server.ts')
let folder: string
let server: ChildProcess
const clients: TurnwiseClient[] = []
let sessions = 0

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'turnwise-real-'))
  server = spawn(process.execPath, [SERVER, join(folder, 's')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(server.stdout!, 'data')
}, 60_000)
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()))
})
afterAll(async () => {
  server.kill('SIGTERM')
  await once(server, 'close')
  rmSync(folder, { recursive: true, force: true })
})

/** A client with a session of its own, whose model follows a script. */
function scripted(...script: string[]): { client: TurnwiseClient; id: string } {
  const client = new TurnwiseClient({
    server: { path: join(folder, 's') },
    provider: 'mock',
    model: JSON.stringify(script),
  })
  clients.push(client)
  sessions += 1
  return { client, id: `s${sessions}` }
}

const summary = ({ messageId, finalResponse, turns, events }: RunResult): object => ({
  messageId,
  finalResponse,
  turns: turns.map(({ turn, reason }) => `${turn} ${printReason(reason)}`),
  ends: [events[0]?.type, events.at(-1)?.type],
})
const content = (text: string) => ({ contentBlocks: [{ type: 'text', text } as const] })
const fromTo = ['inbox/inserted', 'turn/end']

test('SD-01 run(): the interval goes from the durable insertion of the own message to true quiescence', async () => {
  const { client, id } = scripted('text "one"')
  const result = await client.run(id, 'A', { messageId: 'A' })
  expect(summary(result)).toEqual({
    messageId: 'A',
    finalResponse: 'one',
    turns: ['1 completed'],
    ends: fromTo,
  })
  expect(result.events.map(({ seq }) => seq)).toEqual(result.events.map((_, i) => i))
  expect(result.usage).toEqual({ inputTokens: 1, outputTokens: 1, totalTokens: 2 })
  expect(Object.keys(result).toSorted()).toEqual([
    'events',
    'finalResponse',
    'messageId',
    'sessionId',
    'turns',
    'usage',
  ])
})

test('SD-04 two concurrent runs on one session are serialised, or refused', async () => {
  const { client, id } = scripted('text "one"', 'text "two"')
  const runs = [client.run(id, 'A', { messageId: 'A' }), client.run(id, 'B', { messageId: 'B' })]
  await expect(client.run(id, 'C', { concurrentRuns: 'reject' })).rejects.toMatchObject({
    code: 'RUN_IN_PROGRESS',
  })
  const [a, b] = await Promise.all(runs)
  expect(summary(a!)).toMatchObject({ finalResponse: 'one', turns: ['1 completed'] })
  expect(summary(b!)).toMatchObject({ finalResponse: 'two', turns: ['2 completed'] })
  expect(b!.events[0]!.seq).toBe(a!.events.at(-1)!.seq + 1)
})

test('SD-05 a run spans follow-up turns produced before quiescence', async () => {
  const { client, id } = scripted('call c1 t', 'text "first"', 'text "second"')
  expect(summary(await client.run(id, 'A'))).toMatchObject({
    finalResponse: 'second',
    turns: ['1 completed', '2 completed'],
    ends: fromTo,
  })
})

test('SD-08 and SD-16 failures and cuts are told by the turn ends, and the run resolves', async () => {
  const { client, id } = scripted('error SERVER', 'text "cut" finishing max-tokens')
  expect(summary(await client.run(id, 'A'))).toMatchObject({
    finalResponse: '',
    turns: [expect.stringContaining('1 error:SERVER')],
  })
  expect(summary(await client.run(id, 'B'))).toMatchObject({
    finalResponse: 'cut',
    turns: ['2 max-tokens'],
  })
})

test('SD-15 if the agent is disposed during a run the run settles', async () => {
  const { client, id } = scripted('hang "partial"')
  const run = client.run(id, 'A', {
    observer: ({ method, params }) => {
      if (method !== 'session.event' || params.event.type !== 'assistant/chunk') return
      if (params.event.data.chunk.kind === 'text-delta')
        client.call('session/close', { sessionId: id, graceMs: 0 }).catch(() => {})
    },
  })
  expect(summary(await run)).toMatchObject({
    finalResponse: 'partial',
    turns: ['1 aborted:disposed'],
    ends: fromTo,
  })
})

test('SD-06 and SD-19 sequential runs do not overlap, and each is its own interval', async () => {
  const { client, id } = scripted('text "one"', 'text "two"')
  const a = await client.run(id, 'A')
  const b = await client.run(id, 'B')
  const seqs = [...a.events, ...b.events].map(({ seq }) => seq)
  expect(seqs).toEqual(seqs.map((_, i) => i))
})

test('SD-13 and SD-14 plain prompts are not held back by a run; what they add belongs to the interval', async () => {
  const { client, id } = scripted('hang "zero"', 'text "one"', 'text "two"')
  await client.call('session/prompt', { sessionId: id, ...content('Z') })
  const run = client.run(id, 'A', { messageId: 'A' })
  await client.call('session/prompt', { sessionId: id, ...content('B') })
  while ((await client.call('session/inbox', { sessionId: id })).pending.length < 2);
  await client.call('session/cancel', { sessionId: id, keepInbox: true, resume: true })
  expect(summary(await run)).toMatchObject({
    messageId: 'A',
    finalResponse: 'two',
    turns: ['1 aborted:user', '2 completed', '3 completed'],
  })
})

test('SD-21 context inserted by another producer does not start the interval', async () => {
  const { client, id } = scripted('text "zero"', 'text "one"')
  await client.run(id, 'Z')
  await client.call('session/inject', { sessionId: id, ...content('X'), messageId: 'X' })
  const { events } = await client.run(id, 'A', { messageId: 'A' })
  expect(events[0]).toMatchObject({ type: 'inbox/inserted', data: { message: { id: 'A' } } })
  expect(events.find(({ type }) => type === 'inbox/claimed')).toMatchObject({
    data: { nextStep: ['X'], nextTurn: ['A'] },
  })
})

test('SD-22 if the own message is replaced before it is claimed the run still settles at quiescence', async () => {
  const { client, id } = scripted('hang "x"', 'text "two"')
  await client.call('session/prompt', { sessionId: id, ...content('A') })
  const run = client.run(id, 'B', { messageId: 'B' })
  const edit = { sessionId: id, id: 'B', messageId: 'B2', ...content('B2') }
  while (!(await client.call('inbox/replace', edit)).applied);
  await client.call('session/cancel', { sessionId: id, keepInbox: true, resume: true })
  expect(summary(await run)).toMatchObject({
    messageId: 'B',
    finalResponse: 'two',
    turns: ['1 aborted:user', '2 completed'],
  })
})

test('children are announced across the wire, and belong to whoever watches their root', async () => {
  const { client, id } = scripted('call c1 child', 'text "done"')
  const heard: string[] = []
  await client.run(id, 'A', {
    observer: ({ method, params }) => {
      if (method === 'child.started') heard.push(`${params.parent} > ${params.child}`)
      if (method === 'session.event' && params.sessionId === 'c1') heard.push(params.event.type)
    },
  })
  expect(heard).toEqual([`${id} > c1`, 'inbox/inserted', 'inbox/discarded', 'cancel/requested'])
})

test('an approval is asked and answered across the wire', async () => {
  const { client, id } = scripted('call c1 ask', 'text "done"')
  const asked: Promise<unknown>[] = []
  const { turns, events } = await client.run(id, 'A', {
    observer: ({ method, params }) => {
      if (method !== 'session.event' || params.event.type !== 'approval/asked') return
      const { key } = params.event.data.call
      asked.push(
        client.call('session/approve', { sessionId: id, call: key, answer: 'allow', by: 'Ann' }),
      )
    },
  })
  expect(asked).toHaveLength(1)
  expect(turns).toHaveLength(1)
  expect(events.find(({ type }) => type === 'approval/decided')).toMatchObject({
    data: { answer: 'allow', by: 'Ann' },
  })
  await expect(
    client.call('session/approve', { sessionId: id, call: 'c1', answer: 'allow' }),
  ).rejects.toMatchObject({ code: 'APPROVAL_CLOSED', rpcCode: -32000 })
})

it('owns a process: started by the first request, ended for good by close', async () => {
  const client = new TurnwiseClient({
    server: { command: process.execPath, args: [SERVER] },
    provider: 'mock',
    model: JSON.stringify(['text "one"']),
  })
  const { finalResponse } = await client.run('s1', 'A')
  expect(finalResponse).toBe('one')
  const rest = client.subscribe()
  await client.close()
  // `shutdown` ended the session before the process ended.
  const heard: string[] = []
  await expect(
    (async () => {
      for await (const { method } of rest) heard.push(method)
    })(),
  ).rejects.toMatchObject({ code: 'TRANSPORT_CLOSED' })
  expect(heard).toEqual(['session.status'])
})

it('says which provider is not known, and starts anew when asked again', async () => {
  const client = new TurnwiseClient({
    server: { path: join(folder, 's') },
    provider: 'nope',
    model: '[]',
  })
  for (let attempt = 0; attempt < 2; attempt += 1)
    await expect(client.start()).rejects.toMatchObject({ code: 'UNKNOWN_PROVIDER' })
  await client.close()
})
