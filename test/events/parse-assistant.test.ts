import { describe, expect, it } from 'vitest'
import type { AssistantMessage } from '../../src/events/message.ts'
import { checkAssistantMessage } from '../../src/events/parse-assistant.ts'
import { callRef } from './sample.ts'
import { thrownBy } from './thrown-by.ts'

const call = (index: number) =>
  ({ type: 'tool-call', call: callRef(index), name: 't', arguments: '{}' }) as const
const first = call(0)
const original: AssistantMessage = { role: 'assistant', content: [first, call(1)] }
const rewrite = (...content: unknown[]) =>
  checkAssistantMessage({ role: 'assistant', content }, original)
const calls = (...content: unknown[]) =>
  rewrite(...content).content.flatMap((block) => (block.type === 'tool-call' ? block.call : []))

describe('a rewritten assistant message', () => {
  it('may hold blocks of every kind, as they are', () => {
    const blocks = [
      { type: 'text', text: 'a', replay: { signature: 's' } },
      { type: 'reasoning', text: '', replay: null },
      { type: 'file', mediaType: 'a/b', data: '' },
      { type: 'image', mediaType: 'image/png', url: 'u', name: 'n' },
      { type: 'provider', kind: 'search', value: { hits: 1 } },
      { ...call(0), replay: 's' },
    ]
    const message = rewrite(...blocks)
    expect(message).toEqual({ role: 'assistant', content: blocks })
    expect([message, message.content, ...message.content].every(Object.isFrozen)).toBe(true)
  })

  it('keeps who its calls are, and numbers them again only where one left', () => {
    const [kept] = calls(call(0))
    expect(kept).toBe(first.call)
    const moved = calls(call(1), { type: 'text', text: 'a' }, call(0))
    expect(moved).toEqual([
      { ...callRef(1), index: 0 },
      { ...callRef(0), index: 1 },
    ])
    expect(moved.every((ref) => Object.isFrozen(ref))).toBe(true)
  })

  it.each<[message: unknown, text: string]>([
    [undefined, 'message must be lossless JSON, found undefined'],
    [
      { role: 'assistant', content: [1n] },
      'message.content[0] must be lossless JSON, found a bigint',
    ],
    [7, 'message must be an object, found 7'],
    [
      { role: 'assistant', content: [], id: 1 },
      'message must be an object of role, content only, found {"id":1}',
    ],
    [{ content: [] }, 'role must be one of assistant, found undefined'],
    [{ role: 'assistant', content: 'a' }, 'content must be an array, found "a"'],
  ])('is refused whole: %#', (message, text) => {
    expect(thrownBy(() => checkAssistantMessage(message, original))).toMatchObject({
      name: 'ShapeError',
      message: text,
    })
  })

  it.each<[block: unknown, text: string]>([
    ['a', ' must be an object, found "a"'],
    [
      { type: 'video' },
      '.type must be one of text, reasoning, tool-call, file, image, provider, found "video"',
    ],
    [{ type: 'text' }, '.text must be a string, found undefined'],
    [{ type: 'reasoning', text: 1 }, '.text must be a string, found 1'],
    [
      { type: 'text', text: '', a: 1 },
      ' must be an object of type, text, replay only, found {"a":1}',
    ],
    [
      { type: 'image', mediaType: 'a/b' },
      ' must be a file with either data or url, found {"type":"image","mediaType":"a/b"}',
    ],
    [{ type: 'file', mediaType: '' }, '.mediaType must be a non-empty string, found ""'],
    [{ type: 'provider', kind: '', value: 1 }, '.kind must be a non-empty string, found ""'],
    [
      { type: 'provider', kind: 'k', value: 1, a: 1 },
      ' must be an object of type, kind, value only, found {"a":1}',
    ],
    [
      { ...call(0), a: 1 },
      ' must be an object of type, call, name, arguments, replay only, found {"a":1}',
    ],
    [{ ...call(0), call: 1 }, '.call must be an object, found 1'],
    [
      { ...call(0), call: {} },
      '.call.key must be a call of the original message, each once, found undefined',
    ],
    [call(2), '.call.key must be a call of the original message, each once, found "1.1.2"'],
    [call(1), '.call.key must be a call of the original message, each once, found "1.1.1"'],
    [{ ...call(0), name: '' }, '.name must be a non-empty string, found ""'],
    [{ ...call(0), arguments: {} }, '.arguments must be a string, found {}'],
  ])('is refused for a block: %#', (block, text) => {
    expect(thrownBy(() => rewrite(call(1), block))).toMatchObject({
      name: 'ShapeError',
      message: `content[1]${text}`,
    })
  })
})
