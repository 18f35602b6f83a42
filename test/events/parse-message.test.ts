import { describe, expect, it } from 'vitest'
import type { Cause, MessageInput } from '../../src/events/message.ts'
import { parseCause, parseMessage, parseSource } from '../../src/events/parse-message.ts'
import { thrownBy, unlistable } from './thrown-by.ts'

const user = { kind: 'user' } as const
const parse = (input: unknown) => parseMessage(input as MessageInput, () => 'new-id', user)
const frozen = (value: unknown): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (Object.isFrozen(value) && Object.values(value).every(frozen))

describe('a message that enters', () => {
  it('may be a text', () => {
    expect(parse('hi')).toEqual({
      id: 'new-id',
      role: 'user',
      content: [{ type: 'text', text: 'hi' }],
      source: user,
    })
    expect(frozen(parse('hi'))).toBe(true)
  })

  it('may be blocks', () => {
    const image = { type: 'image', mediaType: 'image/png', data: 'AAAA' }
    const file = { type: 'file', mediaType: 'text/plain', url: 'u', name: '' }
    expect(parse([image, file]).content).toEqual([image, file])
  })

  it('M1: is a frozen copy that keeps id, source and metadata, and freezes nothing of the caller', () => {
    const input = {
      id: 'own',
      role: 'user',
      content: [{ type: 'text', text: 'x' }],
      source: { kind: 'plugin', plugin: '', round: 7 },
      metadata: { trace: ['a'] },
    }
    const message = parse(input)
    expect(message).toEqual(input)
    expect(frozen(message)).toBe(true)
    expect(
      Object.isFrozen(input.content) ||
        Object.isFrozen(input.source) ||
        Object.isFrozen(input.metadata),
    ).toBe(false)
  })

  it('takes undefined fields as left out', () => {
    expect(
      parse({
        content: 'x',
        id: undefined,
        role: undefined,
        source: undefined,
        metadata: undefined,
      }),
    ).toEqual(parse('x'))
  })

  it.each([
    ['nothing', undefined, 'it must be an object, found undefined'],
    ['a number', 7, 'it must be an object, found 7'],
    ['an empty id', { id: '', content: 'x' }, 'id must be a non-empty string, found ""'],
    [
      'another role',
      { role: 'assistant', content: 'x' },
      'role must be one of user, found "assistant"',
    ],
    ['no content', { id: 'a' }, 'content must be lossless JSON, found undefined'],
    [
      'an unknown field',
      { content: 'x', text: 'y' },
      'it must be an object of id, role, content, source, metadata only, found {"text":"y"}',
    ],
    [
      'an unknown block',
      [{ type: 'video' }],
      'content[0].type must be one of text, file, image, found "video"',
    ],
    [
      'a block without text',
      { content: [{ type: 'text' }] },
      'content[0].text must be a string, found undefined',
    ],
    [
      'a block with more',
      [{ type: 'text', text: 'a', bold: true }],
      'content[0] must be an object of type, text only',
    ],
    [
      'a file of nowhere',
      [{ type: 'file', mediaType: 'a/b' }],
      'content[0] must be a file with either data or url',
    ],
    [
      'a file of two places',
      [{ type: 'file', mediaType: 'a/b', data: '', url: 'u' }],
      'content[0] must be a file with either data or url',
    ],
    [
      'a file of no type',
      [{ type: 'file', mediaType: '', data: '' }],
      'content[0].mediaType must be a non-empty string, found ""',
    ],
    [
      'a file of no text',
      [{ type: 'file', mediaType: 'a/b', data: 1 }],
      'content[0].data must be a string, found 1',
    ],
    [
      'a file of no address',
      [{ type: 'image', mediaType: 'a/b', url: '' }],
      'content[0].url must be a non-empty string, found ""',
    ],
    [
      'a file with a name that is none',
      [{ type: 'file', mediaType: 'a/b', url: 'u', name: 1 }],
      'content[0].name must be a string, found 1',
    ],
    [
      'a file with more',
      [{ type: 'file', mediaType: 'a/b', url: 'u', size: 1 }],
      'content[0] must be an object of type, mediaType, data, url, name only, found {"size":1}',
    ],
    ['a block that is none', ['a'], 'content[0] must be an object, found "a"'],
    ['content that is none', { content: 1 }, 'content must be an array, found 1'],
    [
      'an unknown source',
      { content: 'x', source: { kind: 'robot' } },
      'source.kind must be one of user, plugin',
    ],
    [
      'a source with a loss',
      { content: 'x', source: { kind: 'user', at: new Date(0) } },
      'source.at must be lossless JSON, found an instance of Date',
    ],
    [
      'metadata with a loss',
      { content: 'x', metadata: { a: [1n] } },
      'metadata.a[0] must be lossless JSON, found a bigint',
    ],
  ])('M2: is refused with %s, naming where and what', (_what, input, text) => {
    expect(thrownBy(() => parse(input))).toMatchObject({
      code: 'INVALID_MESSAGE',
      summary: expect.stringContaining(
        `expected a text, content blocks or a message, but ${text}`,
      ) as string,
      cause: { name: 'ShapeError' },
    })
  })

  it('lets through what an input, or who makes ids, throws', () => {
    const { value, error } = unlistable()
    const noIds = (): never => {
      throw error
    }
    expect(thrownBy(() => parseMessage(['a'] as never, noIds, user))).toBe(error)
    expect(thrownBy(() => parse({ content: 'x', metadata: value }))).toBe(error)
    expect(thrownBy(() => parseSource({ kind: 'user', value }))).toBe(error)
    expect(thrownBy(() => parseCause({ kind: 'user', value } as never))).toBe(error)
  })

  it('keeps every kind of source', () => {
    for (const kind of ['user', 'plugin', 'tool', 'model', 'goal', 'child'])
      expect(parseSource({ kind })).toEqual({ kind })
  })

  it.each<[source: unknown, text: string]>([
    [1, 'source must be an object, found 1'],
    [
      { kind: 'robot' },
      'source.kind must be one of user, plugin, tool, model, goal, child, found "robot"',
    ],
    [{ kind: 'plugin', plugin: 1 }, 'source.plugin must be a string, found 1'],
    [{ kind: 'user', at: 1n }, 'source.at must be lossless JSON, found a bigint'],
  ])('refuses the source %#', (source, text) => {
    expect(thrownBy(() => parseSource(source))).toMatchObject({
      code: 'INVALID_MESSAGE',
      summary: `expected a source, but ${text}; nothing was written.`,
      cause: { name: 'ShapeError' },
    })
  })
})

describe('a cause', () => {
  it('is one frozen object', () => {
    const cause = parseCause('user')
    expect(cause).toEqual({ kind: 'user' })
    expect(frozen(cause)).toBe(true)
  })

  it('keeps further fields, as a copy', () => {
    const given = { kind: 'hook', why: { tool: 'rm' } } as const
    const cause = parseCause(given)
    expect(cause).toEqual(given)
    expect(frozen(cause)).toBe(true)
    expect(cause).not.toBe(given)
  })

  it.each<[cause: unknown, text: string]>([
    ['disposed', 'cause must be one of user, parent, hook, found "disposed"'],
    ['nobody', 'cause must be one of user, parent, hook, found "nobody"'],
    [{ kind: 'disposed' }, 'cause.kind must be one of user, parent, hook, found "disposed"'],
    [{}, 'cause.kind must be one of user, parent, hook, found undefined'],
    [null, 'cause must be an object, found null'],
    [undefined, 'cause must be lossless JSON, found undefined'],
    [{ kind: 'user', at: undefined }, 'cause.at must be lossless JSON, found undefined'],
  ])('is refused as %j', (input, text) => {
    expect(thrownBy(() => parseCause(input as Cause))).toMatchObject({
      code: 'INVALID_OPTION',
      summary: `expected a cause, but ${text}; nothing was written.`,
      cause: { name: 'ShapeError' },
    })
  })
})
