/**
 * Parts that come whole, the end of a stream, and parts that must not be there.
 */
import { describe, expect, it } from 'vitest'
import { fromAiSdk, type SpecVersion, type StreamPart } from '../../../src/adapters/ai-sdk/index.ts'
import { fakeModel, finishPart } from '../../support/fake-language-model.ts'
import { hear } from '../../support/heard.ts'

const VERSIONS: readonly SpecVersion[] = ['v2', 'v3', 'v4']
const heardOf = (version: SpecVersion, parts: readonly (StreamPart | Error)[]) =>
  hear(fromAiSdk(fakeModel(version, parts)))
const wholeOf = async (part: StreamPart, version: SpecVersion = 'v4') => {
  const heard = await heardOf(version, [part, finishPart(version)])
  expect(heard.failure).toBeUndefined()
  return heard.chunks.slice(0, -2)
}

describe('what the provider made whole', () => {
  const executed = {
    type: 'tool-call',
    toolCallId: 'ws_1',
    toolName: 'web_search',
    input: '{}',
    providerExecuted: true,
  }

  it.each([
    executed,
    { type: 'tool-result', toolCallId: 'ws_1', toolName: 'web_search', result: { hits: [1] } },
    { type: 'source', sourceType: 'url', id: 's', url: 'https://example.org/', title: 'Example' },
    { type: 'tool-approval-request', approvalId: 'a', toolCallId: 'ws_1' },
    { type: 'custom', kind: 'openai.compaction', providerMetadata: { openai: { x: 1 } } },
    { type: 'reasoning-file', mediaType: 'text/plain', data: { type: 'data', data: 'QQ==' } },
  ])('$type is a provider chunk', async (part) => {
    const { type, ...value } = part
    expect(await wholeOf(part)).toEqual([{ kind: 'provider', type, value }])
  })

  it('a call that the provider runs leaves no block, also where its start does not say so', async () => {
    const start = { type: 'tool-input-start', id: 'ws_1', toolName: 'web_search' }
    const delta = { type: 'tool-input-delta', id: 'ws_1', delta: '{}' }
    for (const providerExecuted of [true, undefined]) {
      const heard = await heardOf('v3', [
        { ...start, providerExecuted },
        delta,
        executed,
        finishPart('v3'),
      ])
      expect(heard.chunks.map(({ kind }) => kind)).toEqual(['provider', 'usage', 'finish'])
    }
  })

  it.each([
    ['v2', 'QQ==', { data: 'QQ==' }],
    ['v2', new Uint8Array([65]), { data: 'QQ==' }],
    ['v3', Buffer.from('A'), { data: 'QQ==' }],
    ['v4', { type: 'data', data: new Uint8Array([65]) }, { data: 'QQ==' }],
    [
      'v4',
      { type: 'url', url: new URL('https://example.org/a.png') },
      { url: 'https://example.org/a.png' },
    ],
  ] as const)('a file, %s, %j', async (version, data, held) => {
    expect(await wholeOf({ type: 'file', mediaType: 'image/png', data }, version)).toEqual([
      { kind: 'file', file: { type: 'image', mediaType: 'image/png', ...held } },
    ])
  })

  it.each([
    { type: 'stream-start', warnings: [] },
    { type: 'response-metadata', id: 'r' },
    { type: 'raw', rawValue: { x: 1 } },
    { type: 'ping' },
    { type: 'tool-result', toolCallId: 'i', toolName: 'image', result: {}, preliminary: true },
  ])('$type is no chunk, but onPart sees it', async (part) => {
    const seen: StreamPart[] = []
    const model = fromAiSdk(fakeModel('v4', [part, finishPart('v4')]), {
      onPart(given) {
        seen.push(given)
        throw new Error('an observer changes nothing')
      },
    })
    const heard = await hear(model)
    expect(heard.chunks.map(({ kind }) => kind)).toEqual(['usage', 'finish'])
    expect(seen).toEqual([part, finishPart('v4')])
  })
})

describe('the end of a stream', () => {
  const known = {
    inputTokens: 10,
    outputTokens: 5,
    totalTokens: 15,
    reasoningTokens: 2,
    cacheReadTokens: 4,
  }
  const usage = {
    v2: known,
    v3: { ...known, cacheWriteTokens: 1 },
    v4: { ...known, cacheWriteTokens: 1 },
  }
  const REASONS = [
    ['stop', 'stop'],
    ['tool-calls', 'tool-calls'],
    ['length', 'max-tokens'],
    ['content-filter', 'content-filter'],
    ['other', 'other'],
    ['constructor', 'other'],
  ] as const
  it.each(
    VERSIONS.flatMap((version) => REASONS.map(([word, reason]) => ({ version, word, reason }))),
  )('$version, $word is $reason, with its usage', async ({ version, word, reason }) => {
    const { chunks } = await heardOf(version, [finishPart(version, word)])
    expect(chunks).toEqual([
      { kind: 'usage', usage: usage[version] },
      { kind: 'finish', reason, raw: word },
    ])
  })

  it('says nothing of a usage that is not known', async () => {
    const unknown = { inputTokens: undefined, outputTokens: undefined, totalTokens: undefined }
    const finish = { type: 'finish', finishReason: 'stop', usage: unknown }
    expect((await heardOf('v2', [finish])).chunks).toEqual([
      { kind: 'finish', reason: 'stop', raw: 'stop' },
    ])
  })

  it('is taken once: nothing behind it is heard', async () => {
    const late = { type: 'text-delta', id: '0', delta: 'late' }
    const heard = await heardOf('v3', [finishPart('v3'), late, finishPart('v3'), new Error('late')])
    expect(heard).toMatchObject({ text: '', finishes: 1, late: 0, thrown: false })
  })

  it.each([
    ['v2', finishPart('v2', 'unknown')],
    ['v3', { ...finishPart('v3'), finishReason: { unified: 'other', raw: undefined } }],
    ['v4', { ...finishPart('v4'), finishReason: { unified: 'interrupted', raw: undefined } }],
    ['v4', { type: 'finish' }],
  ] as const)('without a reason is a TRANSPORT failure, %s', async (version, finish) => {
    const heard = await heardOf(version, [{ type: 'text-delta', id: '0', delta: 'half' }, finish])
    expect(heard).toMatchObject({ reason: 'error', failure: { code: 'TRANSPORT' }, finishes: 1 })
  })

  it.each(VERSIONS)('without a finish is a TRANSPORT failure, %s', async (version) => {
    const heard = await heardOf(version, [{ type: 'text-delta', id: '0', delta: 'half' }])
    expect(heard).toMatchObject({ thrown: true, failure: { code: 'TRANSPORT' }, finishes: 0 })
  })

  it.each([
    ['insufficient_system_resource', 'SERVER'],
    ['error', 'UNKNOWN'],
  ])('with the reason error (%s) is %s', async (raw, code) => {
    const heard = await heardOf('v3', [finishPart('v3', 'error', raw)])
    expect(heard.chunks.at(-1)).toMatchObject({
      kind: 'finish',
      reason: 'error',
      raw,
      failure: { code },
    })
    expect(heard.usage).toEqual(usage.v3)
  })
})

describe('an error part fails the attempt', () => {
  const overloaded = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
  const vague = { type: 'error', error: new Error('something') }

  it.each(VERSIONS)('whatever comes later, and usage is kept, %s', async (version) => {
    const heard = await heardOf(version, [overloaded, finishPart(version)])
    expect(heard).toMatchObject({
      reason: 'error',
      failure: { code: 'SERVER', message: 'Overloaded' },
      usage: { inputTokens: 10 },
      finishes: 1,
    })
  })

  it('and of several the first that says more than UNKNOWN is told', async () => {
    const limit = { type: 'error', error: { type: 'rate_limit_error', message: 'slow' } }
    const heard = await heardOf('v3', [vague, overloaded, limit, finishPart('v3', 'error')])
    expect(heard.failure).toEqual({ code: 'SERVER', message: 'Overloaded' })
  })

  it('also where the stream breaks behind it, or just ends', async () => {
    for (const rest of [[new Error('terminated')], []]) {
      const heard = await heardOf('v3', [overloaded, ...rest])
      expect(heard).toMatchObject({
        thrown: true,
        failure: { code: 'SERVER', message: 'Overloaded' },
      })
    }
  })

  it('with the request id of the answer', async () => {
    const model = fakeModel('v3', [vague, finishPart('v3', 'error')], { 'X-Request-Id': 'req_9' })
    const { failure } = await hear(fromAiSdk(model))
    expect(failure).toEqual({ code: 'UNKNOWN', message: 'something', requestId: 'req_9' })
  })
})

describe('parts that must not be there', () => {
  it('an unknown type fails the attempt', async () => {
    for (const type of ['video-delta', 'constructor']) {
      const heard = await heardOf('v4', [{ type }, finishPart('v4')])
      expect(heard).toMatchObject({ thrown: true, failure: { code: 'UNKNOWN' } })
      expect(heard.failure?.message).toContain(`unknown type '${type}'`)
    }
  })

  it.each([
    { type: 'text-delta', id: '0' },
    { type: 'tool-call', toolCallId: 'c', toolName: 'weather', input: { a: 1 } },
    { type: 'file', mediaType: 'image/png', data: 7 },
    'text' as unknown as StreamPart,
    {} as StreamPart,
  ])('%j fails the attempt as TRANSPORT', async (part) => {
    const heard = await heardOf('v3', [part, finishPart('v3')])
    expect(heard).toMatchObject({ thrown: true, failure: { code: 'TRANSPORT' } })
  })
})
