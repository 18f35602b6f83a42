/**
 * The blocks of one attempt: what its chunks become, whole, cut and unfinished.
 */
import { describe, expect, it } from 'vitest'
import { StreamedBlocks } from '../../src/actors/streamed-blocks.ts'
import type { Chunk } from '../../src/events/chunk.ts'

type Part = Parameters<StreamedBlocks['add']>[0]

const AT = { turn: 2, step: 3 }
const FILE = Object.freeze({ type: 'file', mediaType: 'text/plain', data: 'YQ==' } as const)
const replay = { signed: 'x' }

const streamed = (chunks: readonly Part[]): StreamedBlocks => {
  const blocks = new StreamedBlocks()
  for (const chunk of chunks) blocks.add(chunk)
  return blocks
}

type Kind = 'text' | 'reasoning' | 'tool-call'
const start = (block: number, type: Kind, more: { id?: string; name?: string } = {}): Part => ({
  kind: 'block-start',
  block,
  type,
  ...more,
})
const delta = (block: number, type: Kind, text: string): Part => ({
  kind: `${type}-delta`,
  block,
  text,
})
const end = (
  block: number,
  more: { replay?: Extract<Chunk, { kind: 'block-end' }>['replay'] } = {},
) => ({ kind: 'block-end', block, ...more }) as Part

/** A call as it stands in a message. */
const call = (index: number, providerId: string, name: string, args: string) => ({
  type: 'tool-call',
  call: { key: `2.3.${index}`, index, providerId },
  name,
  arguments: args,
})

const CASES: readonly (readonly [string, readonly Part[], readonly object[]])[] = [
  ['nothing', [], []],
  [
    'deltas of a block, joined',
    [start(0, 'text'), delta(0, 'text', 'a'), delta(0, 'text', 'b'), end(0)],
    [{ type: 'text', text: 'ab' }],
  ],
  [
    'deltas without a start',
    [delta(0, 'reasoning', 'r'), delta(1, 'text', 't'), delta(2, 'tool-call', '{}')],
    [{ type: 'reasoning', text: 'r' }, { type: 'text', text: 't' }, call(0, '', '', '{}')],
  ],
  [
    'blocks that are streamed at once, in the order of their starts',
    [
      start(1, 'tool-call', { id: 'x', name: 'a' }),
      start(0, 'tool-call', { id: 'y', name: 'b' }),
      delta(0, 'tool-call', '0'),
      delta(1, 'tool-call', '1'),
    ],
    [call(0, 'x', 'a', '1'), call(1, 'y', 'b', '0')],
  ],
  [
    'what is whole, between texts',
    [
      delta(0, 'text', 'a'),
      { kind: 'file', file: FILE },
      { kind: 'provider', type: 'source', value: 7 },
      delta(1, 'text', 'b'),
    ],
    [
      { type: 'text', text: 'a' },
      FILE,
      { type: 'provider', kind: 'source', value: 7 },
      { type: 'text', text: 'b' },
    ],
  ],
  [
    'what must be sent back with a block, also with an empty one',
    [
      delta(0, 'text', 'a'),
      end(0, { replay }),
      start(1, 'reasoning'),
      end(1, { replay }),
      start(2, 'tool-call', { id: 'x', name: 'a' }),
      end(2, { replay }),
    ],
    [
      { type: 'text', text: 'a', replay },
      { type: 'reasoning', text: '', replay },
      { ...call(0, 'x', 'a', ''), replay },
    ],
  ],
  [
    'the last thing that must be sent back, and nothing of an end without one',
    [delta(0, 'text', 'a'), end(0, { replay: 1 }), end(0, { replay: 2 }), end(0)],
    [{ type: 'text', text: 'a', replay: 2 }],
  ],
  ['nothing of empty blocks', [start(0, 'text'), end(0), start(1, 'reasoning'), end(1)], []],
  ['nothing of an end without its block', [end(4, { replay })], []],
]

describe('a message', () => {
  it.each(CASES)('holds %s', (_, chunks, content) => {
    const message = streamed(chunks).message(AT, false)
    expect(message).toStrictEqual({ role: 'assistant', content })
    expect([message, message.content, ...message.content].every(Object.isFrozen)).toBe(true)
  })

  it.each(CASES)('that was cut holds %s, but no call', (_, chunks, content) => {
    const { content: kept } = streamed(chunks).message(AT, true)
    expect(kept).toStrictEqual(content.filter((block) => !('call' in block)))
  })
})

it('calls are numbered in the order of the model, and frozen', () => {
  const blocks = streamed([
    delta(0, 'text', 'a'),
    start(1, 'tool-call', { id: 'x', name: 'a' }),
    delta(1, 'tool-call', '{"n":'),
    delta(1, 'tool-call', '1}'),
    { kind: 'file', file: FILE },
    start(2, 'tool-call', { id: 'x', name: 'b' }),
  ])
  const calls = blocks.calls(AT)
  expect(calls).toStrictEqual([
    { call: { key: '2.3.0', index: 0, providerId: 'x' }, name: 'a', arguments: '{"n":1}' },
    { call: { key: '2.3.1', index: 1, providerId: 'x' }, name: 'b', arguments: '' },
  ])
  expect(calls.every((each) => Object.isFrozen(each.call))).toBe(true)
})

describe('the visible prefix', () => {
  it('is the text and reasoning that is not blank', () => {
    const prefix = streamed([
      delta(0, 'reasoning', 'why '),
      end(0, { replay }),
      delta(1, 'text', ' \n'),
      delta(2, 'text', 'half'),
      delta(3, 'tool-call', '{'),
      { kind: 'file', file: FILE },
    ]).prefix()
    expect(prefix).toStrictEqual({
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'why ', replay },
        { type: 'text', text: 'half' },
      ],
    })
    expect([Object.isFrozen(prefix), Object.isFrozen(prefix?.content)]).toEqual([true, true])
  })

  it.each<[string, Part[]]>([
    ['nothing', []],
    ['blank text', [delta(0, 'text', ' ')]],
    ['a call', [delta(0, 'tool-call', '{}')]],
    ['a file', [{ kind: 'file', file: FILE }]],
  ])('is none where %s was streamed', (_, chunks) => {
    expect(streamed(chunks).prefix()).toBeUndefined()
  })
})

describe('an attempt', () => {
  it.each<[boolean, string, Part[]]>([
    [true, 'nothing', []],
    [true, 'blank text and reasoning', [delta(0, 'text', ' '), delta(1, 'reasoning', '\n')]],
    [false, 'text', [delta(0, 'text', ' '), delta(1, 'text', 'a')]],
    [false, 'reasoning', [delta(0, 'reasoning', 'a')]],
    [false, 'a call without arguments', [start(0, 'tool-call')]],
    [false, 'a file', [{ kind: 'file', file: FILE }]],
    [false, 'what a provider made', [{ kind: 'provider', type: 's', value: null }]],
  ])('is empty: %s, of %s', (empty, _, chunks) => {
    expect(streamed(chunks).empty).toBe(empty)
  })

  it.each<[boolean, string, Part[]]>([
    [true, 'begun', [start(0, 'tool-call')]],
    [true, 'begun behind one that ended', [start(0, 'tool-call'), end(0), start(1, 'tool-call')]],
    [false, 'ended', [start(0, 'tool-call'), end(0)]],
    [false, 'never begun', [start(0, 'text'), { kind: 'file', file: FILE }]],
  ])('has an open call: %s, of one that was %s', (open, _, chunks) => {
    expect(streamed(chunks).hasOpenCall).toBe(open)
  })
})
