/**
 * Every part of a stream, in the words of each version, and the chunks it becomes.
 */
import { describe, expect, it } from 'vitest'
import { fromAiSdk, type SpecVersion, type StreamPart } from '../../../src/adapters/ai-sdk/index.ts'
import type { Chunk } from '../../../src/events/chunk.ts'
import { fakeModel, finishPart } from '../../support/fake-language-model.ts'
import { hear } from '../../support/heard.ts'

const VERSIONS: readonly SpecVersion[] = ['v2', 'v3', 'v4']
const heardOf = (version: SpecVersion, parts: readonly (StreamPart | Error)[]) =>
  hear(fromAiSdk(fakeModel(version, parts)))

/** Chunks of the parts, without usage and finish. */
async function chunksOf(
  parts: readonly StreamPart[],
  version: SpecVersion = 'v4',
): Promise<readonly Chunk[]> {
  const heard = await heardOf(version, [...parts, finishPart(version)])
  expect(heard.failure).toBeUndefined()
  return heard.chunks.filter(({ kind }) => kind !== 'usage' && kind !== 'finish')
}

describe.each(VERSIONS)('text and reasoning, %s', (version) => {
  it('are blocks that open with their first text and keep the private data of all their parts', async () => {
    const chunks = await chunksOf(
      [
        { type: 'stream-start', warnings: [{ type: 'other', message: 'w' }] },
        { type: 'response-metadata', id: 'r', timestamp: new Date(0), modelId: 'm' },
        { type: 'reasoning-start', id: '0', providerMetadata: { openai: { itemId: 'rs_1' } } },
        { type: 'reasoning-delta', id: '0', delta: 'think' },
        {
          type: 'reasoning-delta',
          id: '0',
          delta: '',
          providerMetadata: { openai: { sig: 'a', no: undefined } },
        },
        { type: 'reasoning-end', id: '0', providerMetadata: { openai: { sig: 'b' } } },
        { type: 'text-start', id: '0' },
        { type: 'text-delta', id: '0', delta: 'Hel' },
        { type: 'text-delta', id: '0', delta: '' },
        { type: 'text-delta', id: '0', delta: 'lo' },
        { type: 'text-end', id: '0' },
      ],
      version,
    )
    expect(chunks).toEqual([
      { kind: 'block-start', block: 0, type: 'reasoning' },
      { kind: 'reasoning-delta', block: 0, text: 'think' },
      { kind: 'block-end', block: 0, replay: { openai: { itemId: 'rs_1', sig: 'b' } } },
      { kind: 'block-start', block: 1, type: 'text' },
      { kind: 'text-delta', block: 1, text: 'Hel' },
      { kind: 'text-delta', block: 1, text: 'lo' },
      { kind: 'block-end', block: 1 },
    ])
  })

  it('without a text are nothing, unless they carry private data', async () => {
    const chunks = await chunksOf(
      [
        { type: 'text-start', id: '0' },
        { type: 'text-delta', id: '0', delta: '' },
        { type: 'text-end', id: '0' },
        {
          type: 'reasoning-start',
          id: '1',
          providerMetadata: { anthropic: { redactedData: 'x' } },
        },
        { type: 'reasoning-end', id: '1' },
      ],
      version,
    )
    expect(chunks).toEqual([
      { kind: 'block-start', block: 0, type: 'reasoning' },
      { kind: 'block-end', block: 0, replay: { anthropic: { redactedData: 'x' } } },
    ])
  })

  it('may use one id twice, lack their start, or be left open at the finish', async () => {
    const chunks = await chunksOf(
      [
        { type: 'text-delta', id: 'a', delta: '1' },
        { type: 'text-end', id: 'a' },
        { type: 'text-start', id: 'a' },
        { type: 'text-delta', id: 'a', delta: '2' },
        { type: 'text-end', id: 'never-started' },
      ],
      version,
    )
    expect(chunks).toEqual([
      { kind: 'block-start', block: 0, type: 'text' },
      { kind: 'text-delta', block: 0, text: '1' },
      { kind: 'block-end', block: 0 },
      { kind: 'block-start', block: 1, type: 'text' },
      { kind: 'text-delta', block: 1, text: '2' },
      { kind: 'block-end', block: 1 },
    ])
  })
})

const start = { type: 'tool-input-start', id: 'c', toolName: 'weather' }
const delta = (text: string) => ({ type: 'tool-input-delta', id: 'c', delta: text })
const inputEnd = { type: 'tool-input-end', id: 'c' }
const call = (input: string, more: object = {}) => ({
  type: 'tool-call',
  toolCallId: 'c',
  toolName: 'weather',
  input,
  ...more,
})

describe.each(VERSIONS)('tool calls, %s', (version) => {
  const opened = { kind: 'block-start', block: 0, type: 'tool-call', id: 'c', name: 'weather' }

  it('stream their arguments and end with the private data of the call', async () => {
    const replay = { openai: { itemId: 'fc_1' } }
    const parts = [
      start,
      delta('{"a"'),
      delta(':1}'),
      inputEnd,
      call('{"a":1}', { providerMetadata: replay }),
    ]
    expect(await chunksOf(parts, version)).toEqual([
      opened,
      { kind: 'tool-call-delta', block: 0, text: '{"a"' },
      { kind: 'tool-call-delta', block: 0, text: ':1}' },
      { kind: 'block-end', block: 0, replay },
    ])
  })

  it('that come whole are a block with one delta', async () => {
    expect(await chunksOf([call('{"a":1}')], version)).toEqual([
      opened,
      { kind: 'tool-call-delta', block: 0, text: '{"a":1}' },
      { kind: 'block-end', block: 0 },
    ])
  })

  it('without arguments are a block without delta', async () => {
    expect(await chunksOf([start, inputEnd, call('')], version)).toEqual([
      opened,
      { kind: 'block-end', block: 0 },
    ])
  })

  it('of which the end was not streamed get the rest', async () => {
    expect(await chunksOf([start, delta('{"a"'), call('{"a":1}')], version)).toEqual([
      opened,
      { kind: 'tool-call-delta', block: 0, text: '{"a"' },
      { kind: 'tool-call-delta', block: 0, text: ':1}' },
      { kind: 'block-end', block: 0 },
    ])
  })

  it('that say the same in other words keep what was streamed', async () => {
    const chunks = await chunksOf([start, delta('{"a":1, "b":2}'), call('{"b":2,"a":1}')], version)
    expect(chunks.at(-2)).toEqual({ kind: 'tool-call-delta', block: 0, text: '{"a":1, "b":2}' })
  })

  it('that contradict their pieces fail the attempt', async () => {
    const heard = await heardOf(version, [
      start,
      delta('{"a":1}'),
      call('{"a":2}'),
      finishPart(version),
    ])
    expect(heard).toMatchObject({ finishes: 0, failure: { code: 'TRANSPORT' } })
  })

  it('may repeat an id', async () => {
    const chunks = await chunksOf([call('{"a":1}'), call('{"a":2}')], version)
    expect(chunks.map((chunk) => 'block' in chunk && chunk.block)).toEqual([0, 0, 0, 1, 1, 1])
  })

  it('that were cut by the token limit stay open', async () => {
    const heard = await heardOf(version, [start, delta('{"a'), finishPart(version, 'length')])
    expect(heard.calls).toEqual([{ id: 'c', name: 'weather', arguments: '{"a', ended: false }])
    expect(heard).toMatchObject({ reason: 'max-tokens', finishes: 1, late: 0 })
  })

  it.each(['stop', 'tool-calls', 'content-filter'])(
    'half of which came before %s fail the attempt',
    async (reason) => {
      const heard = await heardOf(version, [start, delta('{"a'), finishPart(version, reason)])
      expect(heard).toMatchObject({ reason: 'error', failure: { code: 'TRANSPORT' }, finishes: 1 })
    },
  )

  it('of a tool that was not offered are shown when they are whole', async () => {
    const other = { toolName: 'other' }
    const chunks = await chunksOf(
      [{ ...start, ...other }, delta('{"a":1}'), inputEnd, call('{"a":1}', other)],
      version,
    )
    expect(chunks).toEqual([
      { ...opened, name: 'other' },
      { kind: 'tool-call-delta', block: 0, text: '{"a":1}' },
      { kind: 'block-end', block: 0 },
    ])
    const cut = [{ ...start, ...other }, delta('{"a'), finishPart(version, 'length')]
    expect((await heardOf(version, cut)).calls).toMatchObject([{ arguments: '{"a', ended: false }])
  })
})

describe('calls with a plain text for arguments', () => {
  it.each([[['SELECT "a"', '\n;']], [['\uD83D', '\uDE00!']], [[]]])(
    'stream %j as the pieces of a JSON string',
    async (pieces) => {
      const text = pieces.join('')
      const heard = await heardOf('v4', [
        { ...start, inputEncoding: 'text' },
        ...pieces.map(delta),
        call(JSON.stringify(text)),
        finishPart('v4', 'tool-calls'),
      ])
      expect(heard.failure).toBeUndefined()
      expect(JSON.parse(heard.calls[0]?.arguments ?? '')).toBe(text)
    },
  )

  it('that does not say so stay a plain text', async () => {
    const heard = await heardOf('v3', [
      start,
      delta('SELECT 1'),
      call('"SELECT 1"'),
      finishPart('v3'),
    ])
    expect(heard.calls).toMatchObject([{ arguments: 'SELECT 1', ended: true }])
  })
})
