/**
 * Somebody who writes lines of which most are wrong, the same ones for the same seed.
 *
 * @module
 */

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

const NO_LINES = [
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
]

/** Lines of a stranger: some good, most not. */
export class Stranger {
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
    const list = this.pick(['next-turn', 'next-step'])
    const keepInbox = this.chance(0.5)
    const known: Record<string, Record<string, unknown>> = {
      initialize: {
        sessionId: undefined,
        protocolVersion: 1,
        cwd: '.',
        provider: this.pick(['mock', 'nope']),
        model: '[]',
      },
      'session/prompt': { contentBlocks },
      'session/steer': { contentBlocks, messageId: 'm1' },
      'session/inject': { contentBlocks },
      'session/projection': { name: this.pick(PROJECTIONS), messageId: 'm1' },
      'session/approve': { call: 'c1', answer: 'allow' },
      'session/close': { graceMs: 0, keepInbox },
      'session/cancel': { cause: 'user', keepInbox },
      'session/events': { from: 0, limit: 3 },
      'inbox/append': { contentBlocks, list },
      'inbox/replace': { contentBlocks, id: 'm1' },
      'inbox/move': { id: 'm1', to: list, index: 3 },
      'inbox/remove': { id: 'm1' },
    }
    return (Object.hasOwn(known, method) ? known[method] : undefined) ?? {}
  }

  /** One line, or what is meant to be none. */
  line(): string {
    if (this.chance(0.12)) return this.pick(NO_LINES)
    this.count += 1
    const id = this.chance(0.1) ? `s${this.count}` : this.count
    const method = this.chance(0.03) ? this.junk() : this.pick(METHODS)
    const body = { jsonrpc: '2.0', id, method, params: this.params(String(method)) }
    const text = JSON.stringify(body)
    const damaged = this.damaged(body, text)
    if (damaged === undefined) this.asked.add(id)
    return damaged ?? text
  }

  /** A line with something wrong about all of it, now and then. */
  private damaged(body: object, text: string): string | undefined {
    if (this.chance(0.05)) return text.slice(0, Math.floor(this.next() * text.length))
    if (this.chance(0.03)) return JSON.stringify({ ...body, id: this.junk() })
    if (this.chance(0.03)) return JSON.stringify({ ...body, id: undefined })
    if (this.chance(0.003)) return `${'['.repeat(50_000)}${']'.repeat(50_000)}`
    if (this.chance(0.002)) return JSON.stringify({ ...body, junk: 'x'.repeat(300_000) })
    return undefined
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
