/**
 * What a language model is asked, in the words of each version.
 */
import { describe, expect, it } from 'vitest'
import { promptOf } from '../../../src/adapters/ai-sdk/prompt.ts'
import type { SpecVersion } from '../../../src/adapters/ai-sdk/index.ts'
import type { HistoryEntry } from '../../../src/actors/model.port.ts'
import type { AssistantBlock, CallRef, ContentBlock, Outcome } from '../../../src/events/message.ts'
import { requestOf } from '../../support/provider-models.ts'

const VERSIONS: readonly SpecVersion[] = ['v2', 'v3', 'v4']
const text = (words: string): ContentBlock & { type: 'text' } => ({ type: 'text', text: words })
const user = (...content: ContentBlock[]): HistoryEntry => ({
  id: 'u',
  role: 'user',
  content,
  source: { kind: 'user' },
})
const assistant = (...content: AssistantBlock[]): HistoryEntry => ({ role: 'assistant', content })
const ref = (n: number, providerId = `c${n}`): CallRef => ({
  key: `1.1.${n}`,
  index: n,
  providerId,
})
const call = (n: number, args = '{"n":1}', more: object = {}): AssistantBlock => ({
  type: 'tool-call',
  call: ref(n),
  name: 'weather',
  arguments: args,
  ...more,
})
const result = (n: number, outcome: Outcome): HistoryEntry => ({
  role: 'tool',
  call: ref(n),
  name: 'weather',
  outcome,
})
const ok = (...content: ContentBlock[]): Outcome => ({ kind: 'ok', content })
const prompt = (messages: readonly HistoryEntry[], version: SpecVersion = 'v4', system?: string) =>
  promptOf(requestOf({ messages, ...(system !== undefined && { system }) }), version)

describe.each(VERSIONS)('a conversation, %s', (version) => {
  it('is the system prompt, then each message with its blocks', () => {
    const replay = { openai: { itemId: 'msg_1' } }
    const messages = [
      user(text('A')),
      user(text('B'), text('')),
      assistant({ type: 'text', text: 'C', replay }, call(0)),
      result(0, ok(text('sunny'))),
      user(),
    ]
    expect(prompt(messages, version, 'Be kind.')).toEqual([
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: [{ type: 'text', text: 'A' }] },
      { role: 'user', content: [{ type: 'text', text: 'B' }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'C', providerOptions: replay },
          { type: 'tool-call', toolCallId: 'c0', toolName: 'weather', input: { n: 1 } },
        ],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'c0',
            toolName: 'weather',
            output: { type: 'text', value: 'sunny' },
          },
        ],
      },
    ])
  })

  it('puts outcomes that follow each other into one message', () => {
    const messages = [
      assistant(call(0), call(1)),
      result(0, ok(text('a'))),
      result(1, ok(text('b'))),
    ]
    expect(prompt(messages, version).map(({ role, content }) => [role, content.length])).toEqual([
      ['assistant', 2],
      ['tool', 2],
    ])
  })

  it('leaves out an outcome without its call', () => {
    expect(prompt([user(text('A')), result(5, ok(text('x')))], version)).toHaveLength(1)
  })
})

/** The fields of the first part of a message. */
const partAt = (
  messages: readonly HistoryEntry[],
  at: number,
  version: SpecVersion = 'v4',
): Readonly<Record<string, unknown>> => {
  const part = prompt(messages, version)[at]?.content[0]
  if (typeof part !== 'object') throw new Error('there is no part')
  return part
}
const outputOf = (outcome: Outcome, version: SpecVersion): unknown =>
  partAt([assistant(call(0)), result(0, outcome)], 1, version)['output']

describe('outcomes', () => {
  const image = { type: 'image', mediaType: 'image/png', data: 'QQ==' } as const
  const linked = {
    type: 'file',
    mediaType: 'text/csv',
    url: 'https://example.org/a.csv',
    name: 'a',
  } as const

  it.each([
    ['v2', { type: 'error-text', value: 'not allowed' }],
    ['v3', { type: 'execution-denied', reason: 'not allowed' }],
    ['v4', { type: 'execution-denied', reason: 'not allowed' }],
  ] as const)('a denial, %s', (version, output) => {
    expect(
      outputOf({ kind: 'denied', by: 'me', reason: 'not allowed', content: [] }, version),
    ).toEqual(output)
  })

  it.each(VERSIONS)('a failure is its text, and a mark for each file, %s', (version) => {
    const failed: Outcome = {
      kind: 'error',
      code: 'TIMEOUT',
      content: [text('Error: late'), image],
    }
    expect(outputOf(failed, version)).toEqual({
      type: 'error-text',
      value: 'Error: late\n[image image/png]',
    })
    expect(outputOf({ ...failed, content: [] }, version)).toEqual({
      type: 'error-text',
      value: 'TIMEOUT',
    })
  })

  it.each([
    [
      'v2',
      [
        { type: 'media', data: 'QQ==', mediaType: 'image/png' },
        { type: 'text', text: 'https://example.org/a.csv' },
      ],
    ],
    [
      'v3',
      [
        { type: 'image-data', data: 'QQ==', mediaType: 'image/png' },
        { type: 'file-url', url: 'https://example.org/a.csv', mediaType: 'text/csv' },
      ],
    ],
    [
      'v4',
      [
        { type: 'file', data: { type: 'data', data: 'QQ==' }, mediaType: 'image/png' },
        {
          type: 'file',
          data: { type: 'url', url: new URL('https://example.org/a.csv') },
          mediaType: 'text/csv',
          filename: 'a',
        },
      ],
    ],
  ] as const)('files beside text, %s', (version, files) => {
    expect(outputOf(ok(text('see'), image, linked), version)).toEqual({
      type: 'content',
      value: [{ type: 'text', text: 'see' }, ...files],
    })
  })
})

describe('files of a user', () => {
  const file = { type: 'file', mediaType: 'application/pdf', name: 'a.pdf' } as const

  it.each([
    ['v2', { ...file, data: 'QQ==' }, 'QQ=='],
    ['v3', { ...file, url: 'https://example.org/a.pdf' }, new URL('https://example.org/a.pdf')],
    ['v3', { ...file, url: 'data:application/pdf;base64,QQ==' }, 'QQ=='],
    ['v4', { ...file, data: 'QQ==' }, { type: 'data', data: 'QQ==' }],
    [
      'v4',
      { ...file, url: 'https://example.org/a' },
      { type: 'url', url: new URL('https://example.org/a') },
    ],
  ] as const)('%s, %j', (version, block, data) => {
    expect(partAt([user(block)], 0, version)).toEqual({
      type: 'file',
      mediaType: 'application/pdf',
      filename: 'a.pdf',
      data,
    })
  })

  it('without data or an absolute url fail the request', () => {
    expect(() => partAt([user({ ...file, url: 'a.pdf' })], 0, 'v3')).toThrow(
      /needs data or an absolute url/,
    )
  })
})

const inputOf = (args: string, more: object = {}): unknown =>
  partAt([assistant(call(0, args, more))], 0)['input']

describe('arguments of a call are sent as an object', () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    ['', {}],
    ['{"a":', { invalid_arguments: '{"a":' }],
    ['[1]', { invalid_arguments: '[1]' }],
    ['"text"', { invalid_arguments: '"text"' }],
  ])('%j', (args, input) => {
    expect(inputOf(args)).toEqual(input)
  })
  it('but a text stays one where the provider has made the call', () => {
    expect(inputOf('"SELECT 1"', { replay: { openai: { itemId: 'ct_1' } } })).toBe('SELECT 1')
  })
})

describe('ids of calls', () => {
  it('are unique, although a provider repeats its own or gives none', () => {
    const messages = [
      assistant(
        call(0, '{}', { call: ref(0, 'x') }),
        call(1, '{}', { call: ref(1, 'x') }),
        call(2, '{}', { call: ref(2, '') }),
      ),
      result(1, ok(text('b'))),
      result(0, ok(text('a'))),
      assistant(call(3, '{}', { call: ref(3, 'x_2') })),
    ]
    const ids = prompt(messages).map(({ content }) =>
      typeof content === 'string' ? [] : content.map((part) => part['toolCallId']),
    )
    expect(ids).toEqual([['x', 'x_2', 'call'], ['x_2', 'x'], ['x_2_2']])
  })
})
