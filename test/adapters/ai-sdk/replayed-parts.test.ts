/**
 * Private data of providers goes back as it came, and never alone.
 */
import { describe, expect, it } from 'vitest'
import { promptOf } from '../../../src/adapters/ai-sdk/prompt.ts'
import type { SpecVersion } from '../../../src/adapters/ai-sdk/index.ts'
import type { AssistantBlock, ProviderBlock } from '../../../src/events/message.ts'
import { requestOf } from '../../support/provider-models.ts'

const prompt = (content: readonly AssistantBlock[], version: SpecVersion = 'v4') =>
  promptOf(requestOf({ messages: [{ role: 'assistant', content }] }), version)
const typesOf = (content: readonly AssistantBlock[]): unknown[] =>
  prompt(content).flatMap((message) =>
    (message.content as readonly { type: string }[]).map(({ type }) => type),
  )

const signed = { anthropic: { signature: 'sig' } }
const item = (id: string) => ({ openai: { itemId: id } })
const call: AssistantBlock = {
  type: 'tool-call',
  call: { key: '1.1.0', index: 0, providerId: 'c' },
  name: 'weather',
  arguments: '{}',
}

describe('reasoning', () => {
  it('goes back with its private data, in front of what it led to', () => {
    expect(prompt([{ type: 'reasoning', text: 'hm', replay: signed }, call])).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'hm', providerOptions: signed },
          { type: 'tool-call', toolCallId: 'c', toolName: 'weather', input: {} },
        ],
      },
    ])
  })

  it('without a text goes back for its private data alone', () => {
    expect(typesOf([{ type: 'reasoning', text: '', replay: signed }, call])).toEqual([
      'reasoning',
      'tool-call',
    ])
    expect(typesOf([{ type: 'reasoning', text: '' }, call])).toEqual(['tool-call'])
  })

  it('at the end of a message is not sent: it was cut off from what it led to', () => {
    expect(
      typesOf([
        { type: 'text', text: 'a' },
        { type: 'reasoning', text: 'hm', replay: signed },
      ]),
    ).toEqual(['text'])
    expect(prompt([{ type: 'reasoning', text: 'hm', replay: signed }])).toEqual([])
  })

  it('that the provider stores is not sent before a text that it does not store', () => {
    const reasoning: AssistantBlock = { type: 'reasoning', text: 'hm', replay: item('rs_1') }
    expect(typesOf([reasoning, { type: 'text', text: 'half' }])).toEqual(['text'])
    expect(typesOf([reasoning, { type: 'text', text: 'a', replay: item('msg_1') }])).toEqual([
      'reasoning',
      'text',
    ])
    expect(typesOf([reasoning, reasoning, call])).toEqual(['reasoning', 'reasoning', 'tool-call'])
  })
})

const provider = (kind: string, value: object): ProviderBlock => ({
  type: 'provider',
  kind,
  value: value as never,
})

describe('what the provider made', () => {
  const search = provider('tool-call', {
    toolCallId: 'ws',
    toolName: 'web_search',
    input: '{"q":1}',
    providerExecuted: true,
    providerMetadata: item('ws'),
  })
  const found = provider('tool-result', {
    toolCallId: 'ws',
    toolName: 'web_search',
    result: { hits: 2 },
  })
  const failed = provider('tool-result', {
    toolCallId: 'ws',
    toolName: 'web_search',
    result: 'no',
    isError: true,
  })

  it('calls and their results go back inside the message', () => {
    const [message] = prompt([search, found])
    expect(message?.content).toEqual([
      {
        type: 'tool-call',
        toolCallId: 'ws',
        toolName: 'web_search',
        input: { q: 1 },
        providerExecuted: true,
        providerOptions: item('ws'),
      },
      {
        type: 'tool-result',
        toolCallId: 'ws',
        toolName: 'web_search',
        output: { type: 'json', value: { hits: 2 } },
      },
    ])
    expect(prompt([search, failed])[0]?.content[1]).toMatchObject({
      output: { type: 'error-json', value: 'no' },
    })
  })

  it('a call without its result is sent only if the model waits for calls beside it', () => {
    expect(typesOf([{ type: 'text', text: 'a' }, search])).toEqual(['text'])
    expect(typesOf([search, call])).toEqual(['tool-call', 'tool-call'])
  })

  it.each(['v3', 'v4'] as const)('what it asks to approve is answered with no, %s', (version) => {
    const question = provider('tool-approval-request', { approvalId: 'ap', toolCallId: 'ws' })
    expect(prompt([search, question], version)[1]).toEqual({
      role: 'tool',
      content: [
        {
          type: 'tool-approval-response',
          approvalId: 'ap',
          approved: false,
          reason: expect.stringContaining('not approved') as string,
        },
      ],
    })
  })

  it('custom blocks and files of reasoning go back in version 4 only', () => {
    const custom = provider('custom', { kind: 'openai.compaction', providerMetadata: item('cmp') })
    const url = provider('reasoning-file', {
      mediaType: 'text/plain',
      data: { type: 'url', url: 'https://example.org/' },
    })
    expect(prompt([custom, url])[0]?.content).toEqual([
      { type: 'custom', kind: 'openai.compaction', providerOptions: item('cmp') },
      {
        type: 'reasoning-file',
        mediaType: 'text/plain',
        data: { type: 'url', url: new URL('https://example.org/') },
      },
    ])
    expect(prompt([custom, url], 'v3')).toEqual([])
  })

  it('sources and unknown kinds stay here, files go back', () => {
    const source = provider('source', { url: 'https://example.org/' })
    const image: AssistantBlock = { type: 'image', mediaType: 'image/png', data: 'QQ==' }
    expect(typesOf([source, provider('constructor', {}), image])).toEqual(['file'])
  })
})
