/**
 * Hostile input: whatever a client writes, it is answered or passed over, nothing dies, and the next prompt works.
 */
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { checkLog } from '../../../src/events/enclosure.ts'
import { behind, cwd } from './editor.ts'
import { end, stranger, text } from './stranger.ts'

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
    const ide = await stranger(['text "one"'], { maxLineBytes: 2000 })
    ide.write(`${line}\n`)
    expect((await ide.until(({ id }) => id === null)).error?.code).toBe(code)
    const sessionId = await ide.session()
    const answer = await ide.ask('session/prompt', { sessionId, prompt: [text('A')] })
    expect(answer.result).toEqual({ stopReason: 'end_turn' })
    await end(ide)
  })

  it('blank lines, answers to nothing and unknown notifications are passed over', async () => {
    const ide = await stranger([])
    ide.write('\n   \n\r\n')
    ide.write('{"jsonrpc":"2.0","id":99,"result":{}}\n')
    ide.write('{"jsonrpc":"2.0","method":"no/such","params":{}}\n')
    ide.write('{"jsonrpc":"2.0","method":"session/cancel","params":{}}\n')
    ide.write('{"jsonrpc":"2.0","method":"session/cancel"}\n')
    expect(await ide.session()).not.toBe('')
    expect(ide.said).toHaveLength(2)
    await end(ide)
  })

  it('characters in two pieces survive, and bytes that are none are refused', async () => {
    const ide = await stranger(['text "one"'])
    const sessionId = await ide.session()
    const params = { sessionId, prompt: [text('Grüße 🐑')] }
    const bytes = Buffer.from(
      `${JSON.stringify({ jsonrpc: '2.0', id: 'split', method: 'session/prompt', params })}\n`,
    )
    for (const byte of bytes) ide.write(Buffer.from([byte]))
    expect((await ide.until(({ id }) => id === 'split')).result).toEqual({ stopReason: 'end_turn' })
    ide.write(Buffer.from([0x22, 0xff, 0xfe, 0x22, 0x0a]))
    expect((await ide.until(({ id }) => id === null)).error?.code).toBe(-32700)
    await end(ide)
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
    const ide = await stranger([])
    await ide.session()
    expect((await ide.ask(method, params)).error?.code).toBe(code)
    await end(ide)
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
    const ide = await stranger(['text "one"'])
    const sessionId = await ide.session()
    expect((await ide.ask('session/prompt', { sessionId, prompt })).error?.code).toBe(-32602)
    const agent = ide.stage.agentOf(sessionId)
    expect(agent.log.length).toBe(0)
    const answer = await ide.ask('session/prompt', { sessionId, prompt: [text('A')] })
    expect(answer.result).toEqual({ stopReason: 'end_turn' })
    await end(ide)
  })

  it('blocks that are understood arrive as content', async () => {
    const ide = await stranger(['text "one"'], {
      hide: (words: string) => words.replace('key', '***'),
    })
    const sessionId = await ide.session()
    await ide.ask('session/prompt', {
      sessionId,
      prompt: [
        text('my key'),
        { type: 'image', data: 'AAAA', mimeType: 'image/png' },
        { type: 'resource_link', name: 'a.ts', uri: 'file:///a.ts' },
        { type: 'resource', resource: { uri: 'file:///b.ts', text: 'const b = 1' } },
        { type: 'resource', resource: { uri: 'file:///c.bin', blob: 'AAAA' } },
      ],
    })
    const [first] = ide.stage.agentOf(sessionId).log.read()
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
    await end(ide)
  })
})

it('what comes in one piece is heard in its order, however many handlers stand before each method', async () => {
  const ide = await stranger(['text "one"'])
  const sessionId = await ide.session()
  const line = (id: string, method: string): string =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method, params: { sessionId, cwd, mcpServers: [] } })}\n`
  ide.write(line('close', 'session/close') + line('load', 'session/load'))
  await ide.until(({ id }) => id === 'close')
  await ide.until(({ id }) => id === 'load')
  const answer = await ide.ask('session/prompt', { sessionId, prompt: [text('A')] })
  expect(answer.result).toEqual({ stopReason: 'end_turn' })
  await end(ide)
})

it('a prompt of megabytes is taken, and one beyond the bound is passed over', async () => {
  const ide = await stranger(['text "one"'], { maxLineBytes: 8_000_000 })
  const sessionId = await ide.session()
  const huge = (size: number) => ({ sessionId, prompt: [text('x'.repeat(size))] })
  void ide.ask('session/prompt', huge(9_000_000))
  expect((await ide.until(({ id }) => id === null)).error?.message).toContain('too long')
  expect((await ide.ask('session/prompt', huge(7_000_000))).result).toEqual({
    stopReason: 'end_turn',
  })
  await end(ide)
})

it('an input that breaks off is a client that has gone', async () => {
  const ide = await stranger(['hang "x"'])
  const sessionId = await ide.session()
  const agent = ide.stage.agentOf(sessionId)
  void ide.ask('session/prompt', { sessionId, prompt: [text('A')] })
  ide.stage.toAgent.destroy(new Error('broken pipe'))
  await ide.stage.connection.closed
  expect(agent.status).toBe('disposed')
  checkLog(agent.log.read())
  await ide.stage.acp.close()
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
