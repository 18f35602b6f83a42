import { describe, expect, expectTypeOf, it } from 'vitest'
import { safeParse } from 'valibot'
import type { Chunk } from '../../src/events/chunk.ts'
import { MalformedChunkError, parseChunk } from '../../src/events/parse-chunk.ts'
import { chunk as chunkSchema } from '../../src/events/schemas/chunk.schema.ts'

const chunks: Chunk[] = [
  { kind: 'block-start', block: 0, type: 'text' },
  { kind: 'block-start', block: 1, type: 'tool-call', id: 'c1', name: 't' },
  { kind: 'block-start', block: 1, type: 'tool-call', name: 't' },
  { kind: 'text-delta', block: 0, text: 'a' },
  { kind: 'reasoning-delta', block: 0, text: '' },
  { kind: 'tool-call-delta', block: 1, text: '{"a' },
  { kind: 'block-end', block: 0 },
  { kind: 'block-end', block: 0, replay: { signature: 'x' } },
  { kind: 'file', file: { type: 'image', mediaType: 'image/png', url: 'https://x' } },
  { kind: 'provider', type: 'source', value: { url: 'u' } },
  { kind: 'usage', usage: { inputTokens: 1, outputTokens: 0 } },
  { kind: 'finish', reason: 'stop' },
  {
    kind: 'finish',
    reason: 'error',
    raw: 'overloaded',
    failure: { code: 'SERVER', message: 'm', status: 529, retryAfterMs: 10, requestId: 'r' },
  },
]

describe('a chunk that enters', () => {
  it.each(chunks.map((chunk) => [JSON.stringify(chunk), chunk] as const))(
    '%s is taken, as a new object',
    (_text, chunk) => {
      const parsed = parseChunk(chunk)
      expect(parsed).toEqual(chunk)
      expect(parsed).not.toBe(chunk)
      expect(safeParse(chunkSchema, parsed).success).toBe(true)
    },
  )

  it('loses unknown fields and unknown numbers', () => {
    expect(parseChunk({ kind: 'text-delta', block: 0, text: 'a', extra: 1 })).toEqual({
      kind: 'text-delta',
      block: 0,
      text: 'a',
    })
    expect(parseChunk({ kind: 'usage', usage: { inputTokens: undefined, cost: 1 } })).toEqual({
      kind: 'usage',
      usage: {},
    })
  })

  it('never freezes what the adapter holds', () => {
    const replay = { a: [1] }
    parseChunk({ kind: 'block-end', block: 0, replay })
    expect(Object.isFrozen(replay)).toBe(false)
  })

  it.each([
    [undefined, 'the chunk must be an object'],
    ['text', 'the chunk must be an object'],
    [{ kind: 'delta' }, 'kind must be one of'],
    [{ kind: '__proto__' }, 'kind must be one of'],
    [{ kind: 'text-delta', block: 0 }, 'text must be a string, found undefined'],
    [{ kind: 'text-delta', block: -1, text: 'a' }, 'block must be an integer from 0 on, found -1'],
    [{ kind: 'reasoning-delta', block: 0.5, text: 'a' }, 'block must be an integer'],
    [
      { kind: 'block-start', block: 0, type: 'audio' },
      'type must be one of text, reasoning, tool-call',
    ],
    [{ kind: 'block-start', block: 0, type: 'tool-call' }, 'name must be a string'],
    [
      { kind: 'block-end', block: 0, replay: () => 1 },
      'replay must be lossless JSON, found a function',
    ],
    [{ kind: 'file', file: { type: 'text' } }, 'file.type must be one of file, image'],
    [{ kind: 'provider', type: 'x' }, 'value must be lossless JSON, found undefined'],
    [
      { kind: 'usage', usage: { inputTokens: Number.NaN } },
      'usage.inputTokens must be a number from 0 on, found NaN',
    ],
    [{ kind: 'finish', reason: 'done' }, 'reason must be one of'],
    [
      { kind: 'finish', reason: 'error', failure: { message: 'm' } },
      'failure.code must be a non-empty string',
    ],
  ])('%j is a malformed stream: a failure that may be retried', (value, text) => {
    expect(() => parseChunk(value)).toThrow(MalformedChunkError)
    expect(() => parseChunk(value)).toThrow(expect.objectContaining({ code: 'TRANSPORT' }))
    expect(() => parseChunk(value)).toThrow(`the model streamed a malformed chunk: ${text}`)
  })

  it('is typed', () => {
    expectTypeOf(parseChunk).returns.toEqualTypeOf<Chunk>()
  })
})
