/**
 * The schemas take what docs/events.md promises, word for word, and each field says what it is.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type GenericSchema, is } from 'valibot'
import { describe, expect, it } from 'vitest'
import { eventsPage } from '../../scripts/events-page.ts'
import { meaningOf } from '../../scripts/schema-words.ts'
import { coreCatalogue } from '../../src/events/catalogue.ts'
import type { NewEvent } from '../../src/events/event.ts'
import { chunk as chunkSchema } from '../../src/events/schemas/chunk.schema.ts'
import * as parts from '../../src/events/schemas/parts.ts'
import { schemas } from '../../src/events/schemas.ts'
import {
  answer,
  called,
  callRef,
  claimed,
  compaction,
  continued,
  decided,
  discarded,
  inserted,
  moved,
  opened,
  requestFailed,
  turnEnd,
} from './sample.ts'

const FINISHES = ['stop', 'tool-calls', 'max-tokens', 'content-filter', 'error', 'aborted', 'other']

const sectionsOf = (page: string): string[] =>
  page.slice(page.indexOf('## The events')).split('\n##')

describe('the schemas', () => {
  it('are those of docs/events.md', () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/events.md'), 'utf8')
    expect(sectionsOf(eventsPage())).toEqual(sectionsOf(page))
  })
})

interface Parts {
  readonly entries?: Readonly<Record<string, GenericSchema>>
  readonly item?: GenericSchema
  readonly wrapped?: GenericSchema
  readonly options?: readonly GenericSchema[]
}

/** The sentence beside what `path` leads to: through options and lists, which have no name. */
function sentence(schema: GenericSchema, path: readonly string[]): string {
  const [key, ...rest] = path
  if (key === undefined) return meaningOf(schema)
  const { entries, item, wrapped, options = [] } = schema as Parts
  const field = entries?.[key]
  if (field !== undefined) return sentence(field, rest)
  return [item, wrapped, ...options]
    .filter((part) => typeof part === 'object')
    .map((part) => sentence(part, path))
    .join('')
}

const at = (schema: GenericSchema, path: string): string => sentence(schema, path.split('.'))

describe('a field that docs/events.md names without a sentence', () => {
  it.each<[path: string, text: string, schema: GenericSchema]>([
    ['from', 'First seq.', parts.seqRange],
    ['to', 'Last seq.', parts.seqRange],
    ['data', 'Base64; either this or `url`.', parts.file],
    ['plugin', 'Name of the plugin; may be empty.', parts.source],
    ['id', 'Id of a message.', parts.message],
    ['metadata', "The sender's own facts; never shown to the model.", parts.message],
    ['key', 'Unique in the session.', parts.call],
    ['index', 'Position among the calls of its step, from 0.', parts.call],
    ['providerId', "The provider's id; may repeat.", parts.call],
    ['code', 'Classified code.', parts.failure],
    ['status', 'HTTP status of the provider.', parts.failure],
    ['retryAfterMs', 'Wait that the provider asks for, in ms.', parts.failure],
    ['concludes', 'The tool asked to end the turn after this step.', parts.outcome],
    ['value', "The tool's structured value.", parts.outcome],
    ['code', 'A code of turnwise or of a classified failure.', parts.outcome],
    ['repeatable', 'Calling it again is safe.', parts.outcome],
    ['id', "The provider's call id.", chunkSchema],
    ['name', "The tool's name.", chunkSchema],
    ['raw', "The provider's own word.", chunkSchema],
    ['failure', 'Why it failed.', chunkSchema],
    ['tools.parameters', 'JSON Schema of the arguments.', schemas['request/header']],
    ['question.tool', 'Name of the tool.', schemas['approval/asked']],
    [
      'question.arguments',
      'Parsed arguments, or the raw text where that failed.',
      schemas['approval/asked'],
    ],
    [
      'question.expiresAt',
      'When it expires unanswered, ms since the epoch.',
      schemas['approval/asked'],
    ],
  ])('says what it is: %s, %s', (path, text, schema) => {
    expect(at(schema, path)).toBe(text)
  })

  it('says it wherever the field stands', () => {
    const block = 'Number of the block in its attempt, from 0.'
    expect(at(chunkSchema, 'block')).toBe(block.repeat(5))
    const replay = 'Private data of the provider, sent back unchanged.'
    expect(at(parts.assistantMessage, 'content.replay')).toBe(replay.repeat(3))
    expect(meaningOf(parts.content.item.options[0])).toBe('Plain text.')
  })
})

describe('a word of a stored event', () => {
  it.each<[event: NewEvent, field: string, words: readonly unknown[]]>([
    [opened(), 'how', ['resume', 'fork']],
    [inserted('A'), 'target', ['next-turn', 'next-step']],
    [inserted('A'), 'mark', ['restored', 'recovered']],
    [discarded('A'), 'reason', ['removed', 'cleared', 'replaced', 'disposed', 'rejected']],
    [turnEnd(1), 'parks', ['blocked', 'error', 'loop']],
    [continued('1.1'), 'decision', ['continue', 'stop']],
    [requestFailed('1.1'), 'action', ['retry', 'fail']],
    [answer('1.1'), 'interrupted', [true]],
    [answer('1.1'), 'finish', FINISHES],
    [called('1.1'), 'repeatable', [true]],
    [decided('1.1'), 'answer', ['allow', 'deny', 'cancelled', 'expired']],
    [compaction('end', null, 0, 1), 'outcome', ['completed', 'failed', 'aborted']],
  ])('is one of those that are known: %#', ({ type, data }, field, words) => {
    const fault = (word: unknown) => coreCatalogue.fault(type, { ...data, [field]: word })
    expect(words.map(fault)).toEqual(words.map(() => undefined))
    for (const other of ['', 'other-word', false, null])
      expect(fault(other)).toMatch(new RegExp(`^${field}: Invalid type: Expected .+ but received `))
  })

  it.each<[where: string, schema: GenericSchema, values: readonly object[]]>([
    [
      'a turn end',
      schemas['turn/end'],
      [
        { kind: 'completed' },
        { kind: 'max-tokens' },
        { kind: 'blocked', by: 'p', reason: 'no' },
        { kind: 'aborted', cause: { kind: 'disposed', at: 1 } },
        { kind: 'error', code: 'SERVER', message: 'm', attempts: 2 },
        { kind: 'limit', which: 'tokens', used: 2, allowed: 1 },
        { kind: 'interrupted' },
      ].map((reason) => ({ turn: 1, reason, uncommitted: [] })),
    ],
    [
      'an outcome',
      parts.outcome,
      [
        { kind: 'ok', content: [], concludes: true, value: null },
        { kind: 'error', code: 'TIMEOUT', content: [], repeatable: true },
        { kind: 'denied', by: 'p', reason: 'no', content: [] },
      ],
    ],
    [
      'an assistant message',
      parts.assistantMessage,
      [
        { type: 'text', text: 'a', replay: 1 },
        { type: 'reasoning', text: 'a' },
        { type: 'tool-call', call: callRef(0), name: 't', arguments: '{}' },
        { type: 'image', mediaType: 'image/png', url: 'u' },
        { type: 'provider', kind: 'search', value: [] },
      ].map((block) => ({ role: 'assistant', content: [block] })),
    ],
  ])('tells the kinds of %s apart', (_where, schema, values) => {
    expect(values.map((value) => is(schema, value))).toEqual(values.map(() => true))
  })
})

describe('a name in a stored event', () => {
  it.each<[what: string, schema: GenericSchema, value: object]>([
    [
      'the id of a message',
      schemas['inbox/moved'],
      { ...moved('', 'next-turn', 'next-step').data },
    ],
    ['a claimed id', schemas['inbox/claimed'], { ...claimed(1, ['']).data }],
    ['the key of a call', parts.call, { ...callRef(0), key: '' }],
    ['the code of a failure', parts.failure, { code: '', message: 'm' }],
    ['the type of a file', parts.file, { type: 'file', mediaType: '', url: 'u' }],
  ])('is not empty: %s', (_what, schema, value) => {
    expect(is(schema, value)).toBe(false)
  })
})

describe('a field that holds any JSON', () => {
  it.each([[null], ['a'], [1], [true], [[]], [{}]])('takes %j', (value) => {
    expect(is(parts.json, value)).toBe(true)
  })

  it('must be there', () => {
    expect(coreCatalogue.fault('goal/change', { goal: 'g', revision: 0 })).toContain('change: ')
    expect(coreCatalogue.fault('goal/change', { goal: 'g', revision: 0, change: undefined })).toBe(
      'change: Expected JSON',
    )
    expect(is(parts.json, () => 1)).toBe(false)
  })
})
