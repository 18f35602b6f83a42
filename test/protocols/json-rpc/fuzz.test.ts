/**
 * Hostile input: whatever bytes come, the server answers or passes over as the protocol says, never dies, and loses no
 * session. Seeded, so that a failure can be played again.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { memoryStore } from '../../../src/sessions/memory-store.ts'
import { checkLog } from '../../../src/events/enclosure.ts'
import { Peer, type Said, wire } from './peer.ts'

const CASES = 10_000
const OF_PROCESS = 400

/** Numbers in [0, 1) that are the same for the same seed. */
function random(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const METHODS = [
  'initialize',
  'session/prompt',
  'session/prompt',
  'session/steer',
  'session/inject',
  'session/cancel',
  'session/close',
  'session/resume',
  'session/fork',
  'session/list',
  'session/inbox',
  'session/approvals',
  'session/approve',
  'session/events',
  'session/projection',
  'session/subscribe',
  'session/unsubscribe',
  'session/whenIdle',
  'inbox/append',
  'inbox/replace',
  'inbox/remove',
  'inbox/move',
  'inbox/clear',
  '__proto__',
  'toString',
  '',
]
const PROJECTIONS = [
  'inbox',
  'history',
  'transcript',
  'turns',
  'usage',
  'status',
  'lineage',
  'nope',
]

/** Lines of a stranger: some good, most not. */
class Stranger {
  readonly asked = new Set<string | number>()
  private readonly next: () => number
  /** Its ids are none of those that a peer uses. */
  private count = 1000

  constructor(seed: number) {
    this.next = random(seed)
  }

  pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.next() * items.length)] as T
  }

  chance(of: number): boolean {
    return this.next() < of
  }

  /** A value that no parameter asks for. */
  junk(depth = 0): unknown {
    const leaf = this.pick<unknown>([
      null,
      true,
      -0,
      -1,
      1.5,
      2 ** 53,
      1e308,
      '',
      '\u0000',
      '../..',
      'ü🐑',
      '\ud800',
    ])
    if (depth > 3 || this.chance(0.5)) return leaf
    return this.chance(0.5)
      ? Array.from({ length: Math.floor(this.next() * 4) }, () => this.junk(depth + 1))
      : { [this.pick(['__proto__', 'constructor', 'sessionId', 'x', ''])]: this.junk(depth + 1) }
  }

  params(method: string): unknown {
    if (this.chance(0.15)) return this.junk()
    const params: Record<string, unknown> = {
      sessionId: this.pick(['a', 'b', 'c', 'd']),
      ...this.fitting(method),
    }
    if (this.chance(0.25)) params[this.pick(Object.keys(params))] = this.junk()
    if (this.chance(0.05)) params[`x${Math.floor(this.next() * 9)}`] = this.junk()
    return params
  }

  private fitting(method: string): Record<string, unknown> {
    const contentBlocks = [{ type: 'text', text: this.pick(['A', 'ü🐑', 'x'.repeat(2000)]) }]
    if (method === 'initialize')
      return {
        sessionId: undefined,
        protocolVersion: 1,
        cwd: '.',
        provider: this.pick(['mock', 'nope']),
        model: 'm',
      }
    if (method === 'inbox/append')
      return { contentBlocks, list: this.pick(['next-turn', 'next-step']) }
    if (method === 'inbox/replace') return { contentBlocks, id: 'm1' }
    if (method === 'inbox/move') return { id: 'm1', to: 'next-step', index: 3 }
    if (method === 'inbox/remove') return { id: 'm1' }
    if (method === 'session/projection') return { name: this.pick(PROJECTIONS), messageId: 'm1' }
    if (method === 'session/approve') return { call: 'c1', answer: 'allow' }
    if (method === 'session/close') return { graceMs: 0, keepInbox: this.chance(0.5) }
    if (method === 'session/cancel') return { cause: 'user', keepInbox: this.chance(0.5) }
    if (method === 'session/events') return { from: 0, limit: 3 }
    if (/prompt|steer|inject/.test(method))
      return this.chance(0.2) ? { contentBlocks, messageId: 'm1' } : { contentBlocks }
    return {}
  }

  /** One line, or what is meant to be none. */
  line(): string {
    if (this.chance(0.12))
      return this.pick([
        '',
        '{',
        '[]',
        '42',
        'null',
        '"',
        '{"jsonrpc":"2.0"',
        'GET / HTTP/1.1',
        '\u0000',
        '{}',
        '[{}]',
        '}{',
      ])
    this.count += 1
    const id = this.chance(0.1) ? `s${this.count}` : this.count
    const method = this.chance(0.03) ? this.junk() : this.pick(METHODS)
    const body = { jsonrpc: '2.0', id, method, params: this.params(String(method)) }
    const text = JSON.stringify(body)
    if (this.chance(0.05)) return text.slice(0, Math.floor(this.next() * text.length))
    if (this.chance(0.03)) return JSON.stringify({ ...body, id: this.junk() })
    if (this.chance(0.03)) return JSON.stringify({ jsonrpc: '2.0', method, params: body.params })
    if (this.chance(0.003)) return `${'['.repeat(50_000)}${']'.repeat(50_000)}`
    if (this.chance(0.002)) return JSON.stringify({ ...body, junk: 'x'.repeat(300_000) })
    this.asked.add(id)
    return text
  }

  /** Lines in pieces that are cut anywhere, and put together anyhow. */
  *pieces(cases: number): Generator<Buffer> {
    let rest = Buffer.alloc(0)
    for (let i = 0; i < cases; i += 1) {
      rest = Buffer.concat([rest, Buffer.from(`${this.line()}${this.pick(['\n', '\n', '\r\n'])}`)])
      if (this.chance(0.4)) continue
      const cut = this.chance(0.5) ? rest.length : Math.floor(this.next() * rest.length)
      yield rest.subarray(0, cut)
      rest = rest.subarray(cut)
    }
    yield rest
  }
}

/** Every request that was whole got one answer, and nothing else was answered twice. */
function judge(said: readonly Said[], asked: ReadonlySet<string | number>): void {
  const answers = said.flatMap(({ id }) =>
    id !== undefined && id !== null && asked.has(id) ? [id] : [],
  )
  const unique = new Set(answers)
  expect(answers.length).toBe(unique.size)
  expect([...asked].filter((id) => !unique.has(id))).toEqual([])
  for (const { error, result, id } of said) {
    if (id === undefined) continue
    expect(error === undefined).toBe(result !== undefined)
    if (error !== undefined) {
      expect([-32600, -32601, -32602, -32000]).toContain(error.code)
      expect(error.data.code).toMatch(/^[A-Z_]+$/)
    }
  }
}

const rejections: unknown[] = []
const onRejection = (reason: unknown): void => void rejections.push(reason)
beforeEach(() => {
  rejections.length = 0
  process.on('unhandledRejection', onRejection)
})
afterEach(() => {
  process.off('unhandledRejection', onRejection)
  expect(rejections).toEqual([])
})

const seed = Number(process.env['FUZZ_SEED'] ?? 20_261)

it(`answers or passes over ${CASES} lines, malformed, huge, split and interleaved (seed ${seed})`, async () => {
  const store = memoryStore()
  const script = Array.from({ length: 4000 }, (_, i) => (i % 9 === 4 ? 'hang "x"' : 'text "y"'))
  const peer = wire(script, { store, limits: { maxLineBytes: 200_000 } })
  await peer.initialize()
  peer.said.length = 0
  const stranger = new Stranger(seed)
  for (const piece of stranger.pieces(CASES)) {
    if (!peer.input.write(piece)) await once(peer.input, 'drain')
    if (stranger.chance(0.2)) await new Promise(setImmediate)
  }
  // It is still there, and what hangs can be ended by who knows how.
  const last = await peer.ask('session/list', {})
  expect(last.error?.data.code ?? 'OVERLOADED').toBe('OVERLOADED')
  expect(await peer.ask('shutdown', {})).toMatchObject({ result: {} })
  await peer.server.ended
  await peer.gone
  judge(peer.said, stranger.asked)
  // No session is left live, and each log is sound.
  expect(peer.server.registry.list()).toEqual([])
  const ids = await store.list()
  expect(ids.length).toBeGreaterThan(2)
  for (const id of ids) {
    const { events } = await store.read(id)
    expect(() => checkLog(events)).not.toThrow()
    // Nobody has it open any more.
    await (await store.open(id)).close()
  }
  expect(peer.said.filter(({ error }) => error?.code === -32603)).toEqual([])
}, 60_000)

it(`a process survives ${OF_PROCESS} of them, and exits 0 when its input ends`, async () => {
  const child = spawn(process.execPath, [
    join(import.meta.dirname, '../../fixtures/wire/scripted-server.ts'),
  ])
  child.stderr.resume()
  const peer = new Peer()
  peer.input.pipe(child.stdin)
  child.stdout.pipe(peer.output)
  const exit = once(child, 'close')
  await peer.initialize({ model: JSON.stringify(Array.from({ length: 500 }, () => 'text "y"')) })
  peer.said.length = 0
  const stranger = new Stranger(seed + 1)
  for (const piece of stranger.pieces(OF_PROCESS)) peer.input.write(piece)
  await peer.ask('session/list', {})
  peer.input.end()
  expect((await exit)[0]).toBe(0)
  judge(peer.said, stranger.asked)
}, 60_000)
