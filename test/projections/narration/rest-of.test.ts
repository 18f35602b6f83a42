/**
 * What of a message is still to be told, by what was streamed of it.
 */
import { describe, expect, it } from 'vitest'
import type { AssistantBlock, ToolCallBlock } from '../../../src/events/message.ts'
import {
  argumentsLeft,
  restOf,
  type ToldBlock,
} from '../../../src/projections/narration/rest-of.ts'
import type { Told } from '../../../src/projections/narration/told.ts'
import { says, thinks } from './story.ts'

type Spoken = 'text' | 'reasoning'
const told = (id: string, text: string, open = false, type: Spoken = 'text'): ToldBlock => ({
  block: { id, type },
  text,
  open,
})
const whole = (text: string, type: Spoken = 'text'): Told[] => [
  { kind: 'block-start', id: 'new', type },
  { kind: 'delta', id: 'new', type, text },
  { kind: 'block-end', id: 'new', type },
]
const onward = (id: string, text: string, type: Spoken = 'text'): Told[] => [
  { kind: 'delta', id, type, text },
]

interface Case {
  readonly block: AssistantBlock
  readonly streamed: ToldBlock[]
  readonly rest: Told[]
  /** Ids of the streams that are left for the blocks behind it. */
  readonly left?: string[]
}

describe('what is left of a block', () => {
  it.each<readonly [string, Case]>([
    ['nothing was streamed', { block: says('Hi.'), streamed: [], rest: whole('Hi.') }],
    [
      'reasoning was not streamed',
      { block: thinks('hm'), streamed: [], rest: whole('hm', 'reasoning') },
    ],
    ['it was told whole', { block: says('Hi.'), streamed: [told('a', 'Hi.')], rest: [] }],
    [
      'it was told whole and is open',
      { block: says('Hi.'), streamed: [told('a', 'Hi.', true)], rest: [] },
    ],
    [
      'it was begun and is open',
      { block: says('Hi.'), streamed: [told('a', 'H', true)], rest: onward('a', 'i.') },
    ],
    [
      'reasoning was begun and is open',
      {
        block: thinks('hm'),
        streamed: [told('a', 'h', true, 'reasoning')],
        rest: onward('a', 'm', 'reasoning'),
      },
    ],
    [
      'it was begun and is closed',
      { block: says('Hi.'), streamed: [told('a', 'H')], rest: whole('i.') },
    ],
    [
      'it was opened without a word',
      { block: says('Hi.'), streamed: [told('a', '', true)], rest: onward('a', 'Hi.') },
    ],
    [
      'other streams follow',
      { block: says('Hi.'), streamed: [told('a', 'Hi.'), told('b', 'Hi.')], rest: [], left: ['b'] },
    ],
    [
      'a blank stream stands before it',
      { block: says('Hi.'), streamed: [told('a', '\n'), told('b', 'Hi.')], rest: [], left: ['a'] },
    ],
    [
      'an empty stream is open before it',
      {
        block: says('Hi.'),
        streamed: [told('a', '', true), told('b', 'H'), told('c', 'Hi.')],
        rest: [],
        left: ['a', 'b'],
      },
    ],
    [
      'only reasoning said the same',
      {
        block: says('Hi.'),
        streamed: [told('a', 'Hi.', true, 'reasoning')],
        rest: whole('Hi.'),
        left: ['a'],
      },
    ],
    ['it is empty', { block: says(''), streamed: [told('a', 'Hi.')], rest: [], left: ['a'] }],
    [
      'it is a file',
      {
        block: { type: 'file', mediaType: 'text/csv', data: 'YQ==' },
        streamed: [told('a', '')],
        rest: [{ kind: 'file', file: { type: 'file', mediaType: 'text/csv', data: 'YQ==' } }],
        left: ['a'],
      },
    ],
    [
      'it is an image',
      {
        block: { type: 'image', mediaType: 'image/png', url: 'u' },
        streamed: [],
        rest: [{ kind: 'file', file: { type: 'image', mediaType: 'image/png', url: 'u' } }],
      },
    ],
    [
      'it is the provider’s own',
      { block: { type: 'provider', kind: 'source', value: 1 }, streamed: [], rest: [] },
    ],
  ])('where %s', (_, { block, streamed, rest, left = [] }) => {
    const streams = [...streamed]
    expect(restOf(block, 'new', streams)).toEqual(rest)
    expect(streams.map(({ block: { id } }) => id)).toEqual(left)
  })
})

const call: ToolCallBlock = {
  type: 'tool-call',
  call: { key: '1.1.1', index: 1, providerId: 'c' },
  name: 'pay',
  arguments: '{"v":1}',
}
const begun = (key: string, text: string, open: boolean): ToldBlock => ({
  block: { id: `block ${key}`, type: 'tool-call', call: key },
  text,
  open,
})

describe('what is left of the arguments of a call', () => {
  it.each<readonly [string, ToldBlock[], string]>([
    ['nothing was streamed', [], ''],
    ['another call was begun', [begun('1.1.0', '{"v"', true)], ''],
    ['it is closed', [begun('1.1.1', '{"v"', false)], ''],
    ['it was told whole', [begun('1.1.1', '{"v":1}', true)], ''],
    ['other arguments were told', [begun('1.1.1', '{"w"', true)], ''],
    ['it was begun and is open', [begun('1.1.0', '{', true), begun('1.1.1', '{"v"', true)], ':1}'],
    ['it was opened without a word', [begun('1.1.1', '', true)], '{"v":1}'],
  ])('where %s', (_, streamed, rest) => {
    const block = { id: 'block 1.1.1', type: 'tool-call', call: '1.1.1' } as const
    expect(argumentsLeft(call, streamed)).toEqual(
      rest === '' ? [] : [{ kind: 'delta', ...block, text: rest }],
    )
  })
})
