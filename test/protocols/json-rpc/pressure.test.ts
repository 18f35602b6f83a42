/**
 * Back-pressure: readers that are slow, or do not read at all, and requests beyond what a server takes.
 */
import { expect, it } from 'vitest'
import type { StoredEvent } from '../../../src/events/event.ts'
import { LineSplitter } from '../../../src/protocols/json-rpc/line-splitter.ts'
import { Outbox } from '../../../src/protocols/json-rpc/outbox.ts'
import { settle, virtualClock } from '../../../src/testing/virtual-clock.ts'
import { promptOf, type Said, text, wire } from './peer.ts'

/** A reader that takes a write only when it is told to. */
class SlowReader {
  readonly lines: Said[] = []
  readonly writes: string[] = []
  private readonly dones: (() => void)[] = []

  write(chunk: string, done: () => void): void {
    this.writes.push(chunk)
    for (const line of chunk.trimEnd().split('\n')) this.lines.push(JSON.parse(line) as Said)
    this.dones.push(done)
  }

  async takeAll(): Promise<void> {
    await settle(1)
    while (this.dones.length > 0) {
      this.dones.shift()?.()
      await settle(1)
    }
  }
}

const log = (words: string) => ({
  at: (seq: number) => ({ seq, type: 'x', data: { words } }) as unknown as StoredEvent,
})

it('holds positions, not events, for a reader that does not read: nothing grows but numbers', async () => {
  const reader = new SlowReader()
  const outbox = new Outbox(reader)
  const long = log('x'.repeat(10_000))
  for (let seq = 0; seq < 50_000; seq += 1) outbox.event('s1', long, seq)
  await settle()
  // About a megabyte is on its way; the rest is one range.
  expect(reader.writes.join('').length).toBeLessThan(1_300_000)
  expect(outbox.length).toBe(1)
  expect(outbox.clogged).toBe(false)
})

it('tells a reader that lags every event and the last status, and the others all in order', async () => {
  const reader = new SlowReader()
  const outbox = new Outbox(reader)
  const logs = Array.from({ length: 5 }, () => log('x'.repeat(20_000)))
  for (let round = 0; round < 2000; round += 1) {
    const id = `s${round % 5}`
    const seq = Math.floor(round / 5)
    outbox.status(id, 'running')
    outbox.event(id, logs[round % 5]!, seq)
    outbox.status(id, 'idle')
    if (round % 100 === 0) await settle(1)
  }
  expect(outbox.length).toBeLessThan(1100)
  const flushed = outbox.flushed()
  await reader.takeAll()
  await flushed
  for (let i = 0; i < 5; i += 1) {
    const own = reader.lines.filter(({ params }) => params.sessionId === `s${i}`)
    const seqs = own.flatMap(({ params }) => (params.event === undefined ? [] : [params.event.seq]))
    expect(seqs).toEqual(Array.from({ length: 400 }, (_, seq) => seq))
    expect(own.at(-1)!.params.status).toBe('idle')
  }
  const statuses = reader.lines.filter(({ method }) => method === 'session.status')
  expect(statuses.length).toBeLessThan(2000)
})

it('keeps everything in order for a reader that keeps up', async () => {
  const reader = new SlowReader()
  const outbox = new Outbox(reader)
  for (let seq = 0; seq < 500; seq += 1) {
    outbox.event('s1', log('x'), seq)
    outbox.line(`{"id":${seq}}\n`)
  }
  await reader.takeAll()
  const order = reader.lines.map(({ id, params }) => id ?? params.event.seq)
  expect(order).toEqual(Array.from({ length: 1000 }, (_, i) => Math.floor(i / 2)))
  expect(outbox.length).toBe(0)
})

it('stops asking while answers are left lying, and lets go of a reader that is gone', async () => {
  const reader = new SlowReader()
  const outbox = new Outbox(reader)
  for (let i = 0; i < 60; i += 1) {
    outbox.line(`${JSON.stringify({ id: i, result: 'x'.repeat(100_000) })}\n`)
    await settle(1)
  }
  expect(outbox.clogged).toBe(true)
  const roomy = outbox.roomy()
  outbox.close()
  await roomy
  expect(outbox.length).toBe(0)
  outbox.line('{}\n')
  expect(outbox.length).toBe(0)
})

it('does not hold the agent for a peer that reads nothing, and tells it everything once it does', async () => {
  const peer = wire(Array.from({ length: 60 }, () => 'text "one"'))
  await peer.initialize()
  peer.output.pause()
  for (let i = 0; i < 60; i += 1) void peer.prompt('s1', 'x'.repeat(50_000), { messageId: `m${i}` })
  while (peer.server.registry.get('s1') === undefined) await settle(1)
  const agent = peer.server.registry.get('s1')!
  while (agent.log.ledger.lastTurn < 60) await agent.whenIdle()
  expect(peer.events('s1').length).toBeLessThan(agent.log.length)
  peer.output.resume()
  await peer.saw('s1', 'turn/end', 60)
  expect(peer.events('s1').map(({ seq }) => seq)).toEqual(agent.log.read().map(({ seq }) => seq))
  expect(peer.said.filter(({ result }) => result !== undefined)).toHaveLength(61)
  await peer.server.close()
})

it('answers what is too much with OVERLOADED, and a cancel all the same', async () => {
  const peer = wire(['hang "x"'], { limits: { maxInFlight: 2, maxPending: 2, maxSessions: 1 } })
  await peer.initialize()
  await peer.prompt('s1', 'A')
  await peer.saw('s1', 'assistant/chunk', 2)
  await peer.prompt('s1', 'B')
  await peer.prompt('s1', 'C')
  const overloaded = { error: { code: -32000, data: { code: 'OVERLOADED' } } }
  expect(await peer.prompt('s1', 'D')).toMatchObject(overloaded)
  expect(await peer.prompt('s2', 'A')).toMatchObject(overloaded)
  const idle = { sessionId: 's1' }
  const [one, two, three] = peer.batch(
    ['session/whenIdle', idle],
    ['session/whenIdle', idle],
    ['session/whenIdle', idle],
  )
  expect(await three).toMatchObject(overloaded)
  expect(await peer.ask('session/cancel', { sessionId: 's1' })).toMatchObject({
    result: { effect: 'aborted' },
  })
  expect([(await one)!.result, (await two)!.result]).toEqual([{}, {}])
  await peer.server.close()
})

it('passes a line over that is too long, says so, and goes on', async () => {
  const peer = wire([], { limits: { maxLineBytes: 1000 } })
  peer.write(`{"jsonrpc":"2.0","id":1,"method":"session/list","junk":"${'x'.repeat(5000)}"}\n`)
  expect(await peer.until(({ id }) => id === null)).toMatchObject({
    error: { code: -32600, data: { code: 'INVALID_REQUEST' } },
  })
  expect(await peer.initialize()).toHaveProperty('result')
  expect(peer.said).toHaveLength(2)
  await peer.server.close()
})

it('ends although a peer does not read, and a close although a model hangs', async () => {
  const clock = virtualClock()
  const peer = wire(['hang "x"'], { clock })
  await peer.initialize()
  await peer.prompt('s1', 'A')
  await peer.saw('s1', 'assistant/chunk', 2)
  const closed = peer.ask('session/close', { sessionId: 's1', graceMs: 3000 })
  await settle()
  await clock.advance(2999)
  expect(peer.server.registry.list()).toHaveLength(1)
  await clock.advance(1)
  expect(await closed).toMatchObject({ result: {} })
  peer.output.pause()
  peer.server
    .connect({ input: (async function* () {})(), output: { write: () => {} } })
    .catch(() => {})
  const ended = peer.server.close()
  await settle()
  await clock.advance(5000)
  await ended
})

it('keeps what a subscription missed: from a position, and only what was asked for', async () => {
  const peer = wire(['text "one"', 'text "two"'])
  await peer.initialize({ notifications: 'subscribed' })
  await peer.prompt('s1', 'A')
  await peer.ask('session/whenIdle', { sessionId: 's1' })
  expect(peer.events('s1')).toEqual([])
  await peer.ask('session/subscribe', { sessionId: 's1', from: 3 })
  await peer.prompt('s1', 'B')
  await peer.saw('s1', 'turn/end', 2)
  const { log: stored } = peer.server.registry.get('s1')!
  expect(peer.events('s1').map(({ seq }) => seq)).toEqual(stored.read(3).map(({ seq }) => seq))
  await peer.ask('session/unsubscribe', { sessionId: 's1' })
  const before = peer.said.length
  await peer.ask('session/inject', { sessionId: 's1', contentBlocks: [text('X')] })
  expect(peer.said).toHaveLength(before + 1)
  await peer.server.close()
  expect(promptOf('s1', 'A')).toHaveProperty('sessionId', 's1')
})

it('cuts lines anywhere, in bounded memory', () => {
  const lines: string[] = []
  let long = 0
  const splitter = new LineSplitter(
    { line: (bytes) => lines.push(Buffer.from(bytes).toString()), tooLong: () => (long += 1) },
    8,
  )
  for (const byte of Buffer.from('ab\nü\n\n123456789\n12345678\r\nlast'))
    splitter.push(Buffer.of(byte))
  splitter.end()
  expect(lines).toEqual(['ab', 'ü', '', 'last'])
  expect(long).toBe(2)
})
