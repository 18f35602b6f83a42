/**
 * Hostile input: whatever a client writes, it is answered or passed over, nothing dies, and the next prompt works.
 */
import { PassThrough } from 'node:stream'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { checkLog } from '../../../src/events/enclosure.ts'
import { behind, type Behind, cwd, finish } from './editor.ts'

interface Said {
  readonly id?: unknown
  readonly result?: { readonly sessionId?: string }
  readonly error?: { readonly code: number; readonly message: string }
}

/** Somebody who writes lines by hand. */
class Stranger {
  readonly said: Said[] = []
  readonly stage: Behind
  private rest = ''
  private asked = 0
  private readonly watchers = new Set<() => void>()

  constructor(stage: Behind) {
    this.stage = stage
    stage.fromAgent.setEncoding('utf8').on('data', (piece: string) => {
      const lines = (this.rest + piece).split('\n')
      this.rest = lines.pop() ?? ''
      for (const line of lines) this.said.push(JSON.parse(line) as Said)
      for (const watch of this.watchers) watch()
    })
  }

  write(text: string | Uint8Array): void {
    this.stage.toAgent.write(text)
  }

  until(fits: (said: Said) => boolean): Promise<Said> {
    return new Promise((resolve) => {
      const watch = (): void => {
        const found = this.said.find(fits)
        if (found !== undefined) resolve(found)
      }
      this.watchers.add(watch)
      watch()
    })
  }

  ask(method: string, params?: unknown): Promise<Said> {
    this.asked += 1
    const id = `asked-${this.asked}`
    this.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    return this.until((said) => said.id === id)
  }

  async session(): Promise<string> {
    await this.ask('initialize', { protocolVersion: 1 })
    const { result } = await this.ask('session/new', { cwd, mcpServers: [] })
    return result?.sessionId ?? ''
  }
}

const stranger = async (script: readonly string[], options = {}): Promise<Stranger> =>
  new Stranger(await behind(script, options))

const end = ({ stage }: Stranger): Promise<void> =>
  finish({ ...stage, client: { close: () => stage.toAgent.end() } })

const text = (words: string) => ({ type: 'text', text: words })

beforeEach(() => {
  // The package says on standard error what it passes over.
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  vi.restoreAllMocks()
})

describe('a line that is no message', () => {
  it.each([
    ['{"jsonrpc":', -32700],
    ['hello', -32700],
    ['\u{FFFD}', -32700],
    ['[{"jsonrpc":"2.0","id":1,"method":"initialize"}]', -32600],
    ['42', -32600],
    ['null', -32600],
    ['{}', -32600],
    ['{"jsonrpc":"1.0","id":7,"method":"initialize"}', -32600],
    [`"${'x'.repeat(3000)}"`, -32600],
  ])('%s', async (line, code) => {
    const it = await stranger(['text "one"'], { maxLineBytes: 2000 })
    it.write(`${line}\n`)
    expect((await it.until(({ id }) => id === null)).error?.code).toBe(code)
    const sessionId = await it.session()
    const answer = await it.ask('session/prompt', { sessionId, prompt: [text('A')] })
    expect(answer.result).toEqual({ stopReason: 'end_turn' })
    await end(it)
  })

  it('blank lines, answers to nothing and unknown notifications are passed over', async () => {
    const it = await stranger([])
    it.write('\n   \n\r\n')
    it.write('{"jsonrpc":"2.0","id":99,"result":{}}\n')
    it.write('{"jsonrpc":"2.0","method":"no/such","params":{}}\n')
    it.write('{"jsonrpc":"2.0","method":"session/cancel","params":{}}\n')
    it.write('{"jsonrpc":"2.0","method":"session/cancel"}\n')
    expect(await it.session()).not.toBe('')
    expect(it.said).toHaveLength(2)
    await end(it)
  })

  it('characters in two pieces survive, and bytes that are none are refused', async () => {
    const it = await stranger(['text "one"'])
    const sessionId = await it.session()
    const params = { sessionId, prompt: [text('Grüße 🐑')] }
    const bytes = Buffer.from(
      `${JSON.stringify({ jsonrpc: '2.0', id: 'split', method: 'session/prompt', params })}\n`,
    )
    for (const byte of bytes) it.write(Buffer.from([byte]))
    expect((await it.until(({ id }) => id === 'split')).result).toEqual({ stopReason: 'end_turn' })
    it.write(Buffer.from([0x22, 0xff, 0xfe, 0x22, 0x0a]))
    expect((await it.until(({ id }) => id === null)).error?.code).toBe(-32700)
    await end(it)
  })
})

describe('a request that makes no sense', () => {
  it.each([
    ['no/such', {}, -32601],
    ['session/prompt', {}, -32602],
    ['session/prompt', undefined, -32602],
    ['session/prompt', { sessionId: 7, prompt: [] }, -32602],
    ['session/prompt', { sessionId: 'unknown', prompt: [text('A')] }, -32002],
    ['session/new', {}, -32602],
    ['session/new', { cwd: 1, mcpServers: [] }, -32602],
    ['session/new', { cwd: '', mcpServers: [] }, -32602],
    ['session/load', { sessionId: null, cwd, mcpServers: [] }, -32602],
    ['session/close', { sessionId: 'unknown' }, -32002],
    ['session/set_mode', { sessionId: 'unknown', modeId: 'x' }, -32601],
  ])('%s %j', async (method, params, code) => {
    const it = await stranger([])
    await it.session()
    expect((await it.ask(method, params)).error?.code).toBe(code)
    await end(it)
  })

  it.each([
    [[]],
    [[{ type: 'video', data: 'AAAA' }]],
    [[{ type: 'audio', data: 'AAAA', mimeType: 'audio/wav' }]],
    [[text('A'), { type: 'constructor' }]],
    [[{ type: 'text' }]],
    [[{ type: 'image', data: 7, mimeType: 'image/png' }]],
    [[{ type: 'resource', resource: {} }]],
    [[text('  \n ')]],
    [['A']],
    [[null]],
    ['A'],
  ])('a prompt of %j is refused as a whole', async (prompt) => {
    const it = await stranger(['text "one"'])
    const sessionId = await it.session()
    expect((await it.ask('session/prompt', { sessionId, prompt })).error?.code).toBe(-32602)
    const agent = it.stage.agentOf(sessionId)
    expect(agent.log.length).toBe(0)
    const answer = await it.ask('session/prompt', { sessionId, prompt: [text('A')] })
    expect(answer.result).toEqual({ stopReason: 'end_turn' })
    await end(it)
  })

  it('blocks that are understood arrive as content', async () => {
    const it = await stranger(['text "one"'], {
      hide: (words: string) => words.replace('key', '***'),
    })
    const sessionId = await it.session()
    await it.ask('session/prompt', {
      sessionId,
      prompt: [
        text('my key'),
        { type: 'image', data: 'AAAA', mimeType: 'image/png' },
        { type: 'resource_link', name: 'a.ts', uri: 'file:///a.ts' },
        { type: 'resource', resource: { uri: 'file:///b.ts', text: 'const b = 1' } },
        { type: 'resource', resource: { uri: 'file:///c.bin', blob: 'AAAA' } },
      ],
    })
    const [first] = it.stage.agentOf(sessionId).log.read()
    expect(first?.type === 'inbox/inserted' && first.data.message.content).toEqual([
      text('my ***'),
      { type: 'image', mediaType: 'image/png', data: 'AAAA' },
      text('[a.ts](file:///a.ts)'),
      text('<resource uri="file:///b.ts">\nconst b = 1\n</resource>'),
      {
        type: 'file',
        mediaType: 'application/octet-stream',
        data: 'AAAA',
        name: 'file:///c.bin',
      },
    ])
    await end(it)
  })
})

it('what comes in one piece is heard in its order, however many handlers stand before each method', async () => {
  const it = await stranger(['text "one"'])
  const sessionId = await it.session()
  const line = (id: string, method: string): string =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method, params: { sessionId, cwd, mcpServers: [] } })}\n`
  it.write(line('close', 'session/close') + line('load', 'session/load'))
  await it.until(({ id }) => id === 'close')
  await it.until(({ id }) => id === 'load')
  const answer = await it.ask('session/prompt', { sessionId, prompt: [text('A')] })
  expect(answer.result).toEqual({ stopReason: 'end_turn' })
  await end(it)
})

it('a prompt of megabytes is taken, and one beyond the bound is passed over', async () => {
  const it = await stranger(['text "one"'], { maxLineBytes: 8_000_000 })
  const sessionId = await it.session()
  const huge = (size: number) => ({ sessionId, prompt: [text('x'.repeat(size))] })
  void it.ask('session/prompt', huge(9_000_000))
  expect((await it.until(({ id }) => id === null)).error?.message).toContain('too long')
  expect((await it.ask('session/prompt', huge(7_000_000))).result).toEqual({
    stopReason: 'end_turn',
  })
  await end(it)
})

it('an input that breaks off is a client that has gone', async () => {
  const it = await stranger(['hang "x"'])
  const sessionId = await it.session()
  const agent = it.stage.agentOf(sessionId)
  void it.ask('session/prompt', { sessionId, prompt: [text('A')] })
  it.stage.toAgent.destroy(new Error('broken pipe'))
  await it.stage.connection.closed
  expect(agent.status).toBe('disposed')
  checkLog(agent.log.read())
  await it.stage.acp.close()
})

it('an output that nobody reads holds nobody: the connection ends all the same', async () => {
  const stage = await behind(['text "one"'], {})
  const input = new PassThrough()
  // It takes a line and never says that it was handed on.
  const connection = stage.acp.connect({ input, output: { write: () => false } })
  const ask = (id: number, method: string, params: object): boolean =>
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
  ask(1, 'initialize', { protocolVersion: 1 })
  const made = new Promise<void>((resolve) => {
    stage.acp.registry.listen(({ type }) => type === 'session-start' && resolve())
  })
  ask(2, 'session/new', { cwd, mcpServers: [] })
  await made
  const [agent] = stage.acp.registry.list()
  ask(3, 'session/prompt', { sessionId: agent?.id, prompt: [text('A')] })
  await new Promise<void>((resolve) => {
    agent?.subscribe({}, ({ type }) => type === 'turn/end' && resolve())
  })
  input.end()
  await connection.closed
  expect(agent?.status).toBe('disposed')
  await stage.acp.close()
})

const METHODS = [
  'initialize',
  'session/new',
  'session/load',
  'session/prompt',
  'session/cancel',
  'x',
]

it('two thousand seeded lines: every whole request is answered once, and no session is lost', async () => {
  const it = await stranger(Array.from({ length: 3000 }, () => 'text "y"'))
  const sessionId = await it.session()
  const anything = fc.oneof(
    fc.json(),
    fc.record(
      {
        jsonrpc: fc.constantFrom('2.0', '2.0', '1.0'),
        method: fc.constantFrom(...METHODS),
        params: fc.oneof(
          fc.record({
            sessionId: fc.constantFrom(sessionId, 'unknown'),
            prompt: fc.array(fc.oneof(fc.constant(text('A')), fc.jsonValue()), { maxLength: 2 }),
          }),
          fc.jsonValue(),
        ),
      },
      { requiredKeys: ['method'] },
    ),
    fc.string(),
  )
  const lines = fc.sample(anything, { numRuns: 2000, seed: 20_261 })
  const ids = new Set<string>()
  for (const [at, line] of lines.entries()) {
    const id = `n${at}`
    if (typeof line === 'string') it.write(`${line.replaceAll('\n', ' ')}\n`)
    else {
      it.write(`${JSON.stringify({ ...line, id })}\n`)
      if ('jsonrpc' in line && line.jsonrpc === '2.0') ids.add(id)
    }
  }
  expect((await it.ask('session/list', {})).error).toBeUndefined()
  await Promise.all([...ids].map((id) => it.until((said) => said.id === id)))
  const answers = it.said.filter(({ id }) => ids.has(id as string))
  expect(answers).toHaveLength(ids.size)
  expect(it.stage.agentOf(sessionId).status).toBe('idle')
  const last = await it.ask('session/prompt', { sessionId, prompt: [text('A')] })
  expect(last.result).toEqual({ stopReason: 'end_turn' })
  await end(it)
})
