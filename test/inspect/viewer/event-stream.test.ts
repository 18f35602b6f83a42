/**
 * The stream of a log: long payloads, living agents, long logs, and readers that are slow, many or gone.
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { describe, expect, it, test } from 'vitest'
import { createAgent } from '../../../src/actors/agent.ts'
import type { StoredEvent } from '../../../src/events/event.ts'
import { BATCH_EVENTS, type LiveState } from '../../../src/inspect/viewer/wire.ts'
import { openFileLog } from '../../../src/log/file-log.ts'
import { createMemoryLog } from '../../../src/log/memory-log.ts'
import { inbox } from '../../../src/projections/inbox.ts'
import { fold } from '../../../src/projections/projection.ts'
import { script } from '../../../src/testing/script.ts'
import { scriptedModel } from '../../../src/testing/scripted-model.ts'
import { TURN } from '../../cli/stored-logs.ts'
import {
  agents,
  ask,
  at,
  folder,
  follow,
  idOf,
  open,
  place,
  putLog,
  useViewer,
} from './viewer-rig.ts'

useViewer()

describe('a long payload', () => {
  const long = 'x'.repeat(100_000)

  it('is shortened in the batch, folds the same, and comes whole when it is asked for', async () => {
    const log = createMemoryLog({ id: 'a' })
    const agent = createAgent({ log, model: scriptedModel([]) })
    agent.inject({ id: 'm1', content: long, metadata: { big: long } })
    const viewer = await open({ agents: [agent] })
    const reader = await follow(viewer, 'a')
    const [event] = await reader.caughtUp()
    expect(event?.shortened).toBeGreaterThan(200_000)
    expect(JSON.stringify(event).length).toBeLessThan(2000)
    const folded = fold(inbox, [event as StoredEvent])
    expect(folded.nextStep.map(({ message }) => message.id)).toEqual(['m1'])
    expect(await ask(viewer, '/api/agents/a/events/0')).toEqual(log.at(0))
    expect((await fetch(at(viewer, '/api/agents/a/events/1'))).status).toBe(404)
    await agent.dispose()
  })
})

describe('a living agent', () => {
  it('is followed event by event, with its status beside them', async () => {
    const model = scriptedModel([[script.gate('go'), script.text('one')]])
    const agent = createAgent({ id: 'a', model })
    const viewer = await open({ agents: () => [agent] })
    const reader = await follow(viewer, 'a')
    expect(await reader.next<LiveState>('live')).toEqual({
      status: 'idle',
      activity: 'idle',
      open: { turn: null, step: null, attempt: null, calls: [] },
    })
    agent.followup('A')
    while ((await reader.next<LiveState>('live')).open.step === null);
    model.release('go')
    while ((await reader.next<LiveState>('live')).status !== 'idle');
    expect(reader.events).toEqual(agent.log.read())
    await agent.dispose()
    while ((await reader.next<LiveState>('live')).status !== 'disposed');
    expect(await agents(viewer)).toMatchObject([{ id: 'a', status: 'disposed' }])
  })

  it('is listed once, though its file lies in a folder that is shown', async () => {
    const log = await openFileLog(putLog('a', TURN))
    const agent = createAgent({ log, model: scriptedModel([]) })
    const twin = createAgent({ id: 'a', model: scriptedModel([]) })
    const viewer = await open({ agents: [agent, twin], logs: [folder] })
    expect((await agents(viewer)).map(({ id, kind }) => [id, kind])).toEqual([
      ['a', 'live'],
      ['a~2', 'live'],
    ])
    await agent.dispose()
  })

  it('is not disturbed by a list that throws', async () => {
    const viewer = await open({
      agents: () => {
        throw new Error('no list today')
      },
    })
    expect(await ask(viewer, '/api/agents')).toEqual({
      error: { code: 'UNKNOWN', message: 'no list today' },
    })
  })
})

/** A log of `count` events: turns of one message, one step and ten chunks each. */
function putLongLog(count: number): string {
  const lines = [JSON.stringify({ id: 'long', formatVersion: 1, createdAt: 0 })]
  const add = (type: string, data: object): void => {
    lines.push(JSON.stringify({ seq: lines.length - 1, time: lines.length, type, data }))
  }
  for (let turn = 1; lines.length <= count; turn += 1) {
    const message = {
      id: `m${turn}`,
      role: 'user',
      content: [{ type: 'text', text: `Ask ${turn}` }],
      source: { kind: 'user' },
    }
    add('inbox/inserted', { target: 'next-turn', index: 0, message, wake: true, actor: 'caller' })
    add('turn/start', { turn })
    add('inbox/claimed', { turn, nextStep: [], nextTurn: [message.id] })
    add('step/start', { turn, step: 1 })
    add('user/message', { turn, step: 1, message })
    for (let block = 0; block < 10; block += 1)
      add('assistant/chunk', {
        turn,
        step: 1,
        attempt: 1,
        chunk: { kind: 'text-delta', block: 0, text: 'word ' },
      })
    add('assistant/message', {
      turn,
      step: 1,
      message: { role: 'assistant', content: [{ type: 'text', text: 'word '.repeat(10) }] },
    })
    add('step/end', { turn, step: 1 })
    add('turn/end', { turn, reason: { kind: 'completed' }, uncommitted: [] })
  }
  writeFileSync(place('long'), `${lines.slice(0, count + 1).join('\n')}\n`)
  return place('long')
}

test('100,000 events are caught up within seconds, in batches that stay small', async () => {
  const viewer = await open({ logs: [putLongLog(100_000)] })
  const started = performance.now()
  const id = await idOf(viewer)
  const reader = await follow(viewer, id)
  const events = await reader.caughtUp()
  const ms = performance.now() - started
  expect(events).toHaveLength(100_000)
  expect(events.every(({ seq }, index) => seq === index)).toBe(true)
  const batches = reader.seen.flatMap(({ event, data }) =>
    event === 'batch' ? [data as unknown[]] : [],
  )
  expect(Math.max(...batches.map((batch) => batch.length))).toBeLessThanOrEqual(BATCH_EVENTS)
  expect(ms).toBeLessThan(20_000)
}, 60_000)

/** Opens a stream and reads nothing of it. */
async function unread(port: number, id: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.pause()
  socket.write(`GET /api/agents/${id}/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`)
  return socket
}

test('a reader that does not read costs no more than a batch, and nobody else waits', async () => {
  const log = createMemoryLog({ id: 'a' })
  let reads = 0
  const counted = Object.create(log, {
    read: { value: (from: number, to: number) => ((reads += 1), log.read(from, to)) },
  }) as typeof log
  const agent = createAgent({ id: 'a', log: counted, model: scriptedModel([]) })
  const text = randomBytes(8000).toString('hex')
  for (let nth = 0; nth < 4000; nth += 1)
    agent.inject({ id: `m${nth}`, content: text.slice(0, 15_000) })
  const viewer = await open({ agents: [agent] })
  reads = 0
  const slow = await unread(viewer.port, 'a')
  const reader = await follow(viewer, 'a')
  expect(await reader.caughtUp()).toHaveLength(4000)
  // The kernel took a few batches of the slow one; the other read all of them.
  const all = reader.seen.filter(({ event }) => event === 'batch').length
  expect(reads).toBeLessThan(all * 1.5)
  const ended = once(slow, 'close')
  await viewer.close()
  slow.resume()
  await ended
  await agent.dispose()
})

test('closing ends streams that are open', async () => {
  const viewer = await open({ logs: [putLog('a', TURN)] })
  const reader = await follow(viewer, await idOf(viewer))
  await reader.caughtUp()
  const over = reader.more().catch(() => false)
  await viewer.close()
  expect(await over).toBe(false)
})

test('beyond a hundred streams a reader is asked to come back', async () => {
  const viewer = await open({ logs: [putLog('a', TURN)] })
  const id = await idOf(viewer)
  const readers = await Promise.all(Array.from({ length: 100 }, () => follow(viewer, id)))
  expect((await fetch(at(viewer, `/api/agents/${id}/events`))).status).toBe(503)
  for (const reader of readers) reader.close()
})
