/**
 * No secret of the environment passes, whole or in pieces, in an answer or in a failure.
 */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ModelError } from '../../src/actors/model.port.ts'
import type { Model } from '../../src/actors/model.port.ts'
import { HIDDEN, HiddenStream, Secrets } from '../../src/cli/secrets.ts'
import { modelWithout, toolWithout } from '../../src/cli/without-secrets.ts'
import { defineTool } from '../../src/adapters/define-tool.ts'
import type { Chunk } from '../../src/events/chunk.ts'
import { callTool } from './tools/call-tool.ts'

const KEY = 'sk-abc-123456'
const secrets = new Secrets({ OPENAI_API_KEY: KEY })

describe('Secrets', () => {
  it('knows keys of providers, other long secrets and passwords in addresses, and no ordinary words', () => {
    const known = new Secrets({
      ANTHROPIC_API_KEY: ' short1 ',
      GITHUB_TOKEN: 'ghp_0123456789',
      MY_TOKEN: 'short',
      HTTPS_PROXY: 'http://me:p%40ssword@proxy:1',
      HOME: '/home/somebody-long',
    })
    expect(known.hide('short1 ghp_0123456789 short p%40ssword p@ssword /home/somebody-long')).toBe(
      `${HIDDEN} ${HIDDEN} short ${HIDDEN} ${HIDDEN} /home/somebody-long`,
    )
    expect(new Secrets({ OPENAI_API_KEY: '' }).none).toBe(true)
  })

  it('hides in every corner of a JSON value', () => {
    const value = { [KEY]: [`a ${KEY}`, 1, null, { deep: KEY }] }
    expect(JSON.stringify(secrets.hideIn(value))).not.toContain(KEY)
    expect(secrets.hideIn({ a: [1, 'x', null] })).toEqual({ a: [1, 'x', null] })
  })

  it('hides a secret that holds another one whole', () => {
    const both = new Secrets({ OPENAI_API_KEY: 'abcdef', DEEPSEEK_API_KEY: 'xxabcdefxx' })
    expect(both.hide('xxabcdefxx abcdef')).toBe(`${HIDDEN} ${HIDDEN}`)
  })
})

describe('HiddenStream', () => {
  it('hides a secret however the text is cut, and loses nothing else', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(KEY, 'sk-', 'sk-abc', 'x', ' ', '-123456')),
        fc.infiniteStream(fc.integer({ min: 1, max: 9 })),
        (parts, sizes) => {
          const text = parts.join('')
          const stream = new HiddenStream(secrets)
          let out = ''
          for (let at = 0; at < text.length;) {
            const size = sizes.next().value ?? 1
            out += stream.push(text.slice(at, at + size))
            at += size
          }
          out += stream.end()
          expect(out).toBe(secrets.hide(text))
        },
      ),
    )
  })
})

const chunksOf = async (model: Model): Promise<Chunk[]> => {
  const request = { provider: 'p', model: 'm', tools: [], messages: [] }
  const signal = new AbortController().signal
  const context = { agent: 'a', turn: 1, step: 1, attempt: 1, signal }
  const chunks: Chunk[] = []
  for await (const chunk of modelWithout(secrets, model).stream(request, context))
    chunks.push(chunk)
  return chunks
}

const modelOf = (chunks: readonly Chunk[], thrown?: unknown): Model => ({
  async *stream() {
    yield* chunks
    await Promise.resolve()
    if (thrown !== undefined) throw thrown
  },
})

describe('a model without secrets', () => {
  it('hides what is streamed in pieces, block by block, before the block ends', async () => {
    const chunks: Chunk[] = [
      { kind: 'block-start', block: 0, type: 'text' },
      { kind: 'text-delta', block: 0, text: 'key sk-abc' },
      { kind: 'text-delta', block: 0, text: '-123456 and sk-' },
      { kind: 'block-end', block: 0 },
      { kind: 'tool-call-delta', block: 1, text: `{"path":"${KEY}"}` },
      { kind: 'finish', reason: 'error', failure: { code: 'AUTH', message: `bad ${KEY}` } },
    ]
    expect(await chunksOf(modelOf(chunks))).toEqual([
      { kind: 'block-start', block: 0, type: 'text' },
      { kind: 'text-delta', block: 0, text: 'key ' },
      { kind: 'text-delta', block: 0, text: `${HIDDEN} and ` },
      { kind: 'text-delta', block: 0, text: 'sk-' },
      { kind: 'block-end', block: 0 },
      { kind: 'tool-call-delta', block: 1, text: `{"path":"${HIDDEN}"}` },
      { kind: 'finish', reason: 'error', failure: { code: 'AUTH', message: `bad ${HIDDEN}` } },
    ])
  })

  it('keeps the class of a failure, hides its text and drops its cause', async () => {
    const thrown = new ModelError(
      { code: 'AUTH', message: `no ${KEY}`, status: 401, requestId: 'r' },
      { cause: new Error(KEY) },
    )
    const error = await chunksOf(modelOf([], thrown)).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(ModelError)
    expect(error).toMatchObject({
      code: 'AUTH',
      message: `no ${HIDDEN}`,
      status: 401,
      requestId: 'r',
    })
    expect((error as Error).cause).toBeUndefined()
    await expect(chunksOf(modelOf([], new Error('x', { cause: new Error(KEY) })))).rejects.toThrow(
      `x: ${HIDDEN}`,
    )
  })
})

describe('a tool without secrets', () => {
  it('hides in answers and in failures', async () => {
    const tell = defineTool({ name: 'tell', run: () => ({ found: [`x${KEY}`] }) })
    const fail = defineTool({ name: 'fail', run: () => Promise.reject(new Error(`no ${KEY}`)) })
    const plain = Object.assign(new Error('plain'), { code: 'TIMEOUT' })
    const other = defineTool({ name: 'other', run: () => Promise.reject(plain) })
    const tools = [tell, fail, other].map((tool) => toolWithout(secrets, tool))
    expect(await callTool(tools, 'tell', {})).toEqual({ found: [`x${HIDDEN}`] })
    await expect(callTool(tools, 'fail', {})).rejects.toThrow(`no ${HIDDEN}`)
    await expect(callTool(tools, 'other', {})).rejects.toBe(plain)
  })
})
