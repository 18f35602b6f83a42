import { describe, expect, expectTypeOf, it } from 'vitest'
import { safeParse } from 'valibot'
import type { Chunk } from '../../src/events/chunk.ts'
import { MalformedChunkError, parseChunk } from '../../src/events/parse-chunk.ts'
import { chunk as chunkSchema } from '../../src/events/schemas/chunk.schema.ts'
import { thrownBy } from './thrown-by.ts'

const TOKENS = [
  'inputTokens',
  'outputTokens',
  'totalTokens',
  'reasoningTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
]

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

const start = { kind: 'block-start', block: 0, type: 'tool-call', name: 't' }
const failing = (failure: object): object => ({
  kind: 'finish',
  reason: 'error',
  failure: { code: 'SERVER', message: 'm', ...failure },
})

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

  it.each<[given: object, chunk: Chunk]>([
    [
      { kind: 'block-end', block: 0, text: 'a' },
      { kind: 'block-end', block: 0 },
    ],
    [
      { kind: 'block-start', block: 0, type: 'reasoning', text: 'a', name: 't', id: 'c' },
      { kind: 'block-start', block: 0, type: 'reasoning' },
    ],
    [
      {
        kind: 'finish',
        reason: 'error',
        raw: undefined,
        failure: { code: 'SERVER', message: '', status: undefined, more: 1 },
      },
      { kind: 'finish', reason: 'error', failure: { code: 'SERVER', message: '' } },
    ],
    [
      { kind: 'finish', reason: 'stop', failure: undefined },
      { kind: 'finish', reason: 'stop' },
    ],
    [
      { kind: 'block-end', block: 0, replay: undefined },
      { kind: 'block-end', block: 0 },
    ],
  ])('%# keeps the fields of its kind only', (given, chunk) => {
    expect(parseChunk(given)).toStrictEqual(chunk)
  })

  it.each(['stop', 'tool-calls', 'max-tokens', 'content-filter', 'error', 'aborted', 'other'])(
    'may finish by %s',
    (reason) => {
      expect(parseChunk({ kind: 'finish', reason })).toEqual({ kind: 'finish', reason })
    },
  )

  it('never freezes what the adapter holds', () => {
    const replay = { a: [1] }
    parseChunk({ kind: 'block-end', block: 0, replay })
    expect(Object.isFrozen(replay)).toBe(false)
  })

  it.each<[value: unknown, text: string]>([
    [undefined, 'the chunk must be an object, found undefined'],
    [null, 'the chunk must be an object, found null'],
    ['text', 'the chunk must be an object, found "text"'],
    [
      { kind: 'delta' },
      'kind must be one of text-delta, reasoning-delta, tool-call-delta, block-start, block-end, file, provider, usage, finish, found "delta"',
    ],
    [{ kind: '', block: 0, text: 'a' }, 'kind must be one of '],
    [{ kind: '__proto__' }, 'kind must be one of '],
    [{ kind: 'text-delta', block: 0 }, 'text must be a string, found undefined'],
    [{ kind: 'text-delta', block: -1, text: 'a' }, 'block must be an integer from 0 on, found -1'],
    [{ kind: 'reasoning-delta', block: 0.5, text: 'a' }, 'block must be an integer from 0 on'],
    [{ kind: 'tool-call-delta', text: 'a' }, 'block must be an integer from 0 on'],
    [{ ...start, block: '0' }, 'block must be an integer from 0 on, found "0"'],
    [{ ...start, type: 'audio' }, 'type must be one of text, reasoning, tool-call, found "audio"'],
    [{ ...start, name: undefined }, 'name must be a string, found undefined'],
    [{ ...start, id: 7 }, 'id must be a string, found 7'],
    [{ kind: 'block-end' }, 'block must be an integer from 0 on, found undefined'],
    [
      { kind: 'block-end', block: 0, replay: () => 1 },
      'replay must be lossless JSON, found a function',
    ],
    [{ kind: 'file' }, 'file must be lossless JSON, found undefined'],
    [{ kind: 'file', file: 'a' }, 'file must be an object, found "a"'],
    [{ kind: 'file', file: { type: 'text' } }, 'file.type must be one of file, image'],
    [{ kind: 'file', file: { type: 'file' } }, 'file.mediaType must be a non-empty string'],
    [{ kind: 'provider', type: '', value: 1 }, 'type must be a non-empty string, found ""'],
    [{ kind: 'provider', type: 'x' }, 'value must be lossless JSON, found undefined'],
    [{ kind: 'usage' }, 'usage must be an object, found undefined'],
    ...TOKENS.map((key): [value: unknown, text: string] => [
      { kind: 'usage', usage: { [key]: Number.NaN } },
      `usage.${key} must be a number from 0 on, found NaN`,
    ]),
    [{ kind: 'finish', reason: 'done' }, 'reason must be one of stop, tool-calls, max-tokens, '],
    [{ kind: 'finish', reason: 'stop', raw: 1 }, 'raw must be a string, found 1'],
    [{ kind: 'finish', reason: 'stop', failure: 1 }, 'failure must be an object, found 1'],
    [failing({ code: '' }), 'failure.code must be a non-empty string, found ""'],
    [failing({ message: 1 }), 'failure.message must be a string, found 1'],
    [failing({ status: '529' }), 'failure.status must be a number from 0 on, found "529"'],
    [failing({ retryAfterMs: -1 }), 'failure.retryAfterMs must be a number from 0 on, found -1'],
    [failing({ requestId: 1 }), 'failure.requestId must be a string, found 1'],
  ])('%j is a malformed stream: a failure that may be retried', (value, text) => {
    const error = thrownBy(() => parseChunk(value))
    expect(error).toBeInstanceOf(MalformedChunkError)
    expect(error).toMatchObject({
      name: 'MalformedChunkError',
      code: 'TRANSPORT',
      message: expect.stringContaining(`the model streamed a malformed chunk: ${text}`) as string,
      cause: { name: 'ShapeError' },
    })
  })

  it('lets through what a chunk throws itself', () => {
    const error = new Error('of its own')
    const value = {
      get kind(): string {
        throw error
      },
    }
    expect(thrownBy(() => parseChunk(value))).toBe(error)
  })

  it('is typed', () => {
    expectTypeOf(parseChunk).returns.toEqualTypeOf<Chunk>()
  })
})
