/**
 * The whole state of the transcript, fold by fold.
 *
 * @module
 */
import { describe, expect, it } from 'vitest'
import type { SeqRange, StepAt, StoredEvent } from '../../src/events/event.ts'
import type { AssistantMessage, CallRef, Outcome } from '../../src/events/message.ts'
import { fold } from '../../src/projections/projection.ts'
import {
  transcript,
  type Transcript,
  type TranscriptEntry,
} from '../../src/projections/transcript.ts'
import { textMessage } from '../support/log-writer.ts'
import { stored } from '../support/stored.ts'

const FIRST: StepAt = { turn: 1, step: 1 }
const SECOND: StepAt = { turn: 1, step: 2 }
const OK: Outcome = { kind: 'ok', content: [] }
const ref = (key: string): CallRef => ({ key, index: 0, providerId: 'p' })
const asks = (...keys: string[]): AssistantMessage => ({
  role: 'assistant',
  content: keys.map((key) => ({
    type: 'tool-call',
    call: ref(key),
    name: `t-${key}`,
    arguments: '',
  })),
})

const step = (seq: number, at = SECOND) => stored('step/start', at, seq)
const user = (seq: number) =>
  stored('user/message', { ...FIRST, message: textMessage(`u${seq}`) }, seq)
const says = (seq: number, message: AssistantMessage, at = FIRST) =>
  stored('assistant/message', { ...at, message }, seq)
const call = (seq: number, key: string) =>
  stored('tool/call', { ...FIRST, call: ref(key), name: `c-${key}`, arguments: '' }, seq)
const result = (seq: number, key: string, at = FIRST) =>
  stored('tool/result', { ...at, call: ref(key), outcome: OK }, seq)
const sum = (seq: number, from: number, to: number) =>
  stored(
    'compaction/summary',
    { turn: null, range: { from, to }, message: textMessage(`s${seq}`) },
    seq,
  )

const spoken = (seq: number, message: AssistantMessage, at = FIRST): TranscriptEntry => ({
  seq,
  time: 1000 + seq,
  ...at,
  kind: 'assistant',
  message,
  interrupted: false,
  transformedBy: null,
})
const told = (seq: number, key: string, name: string, unit: number | null): TranscriptEntry => ({
  seq,
  time: 1000 + seq,
  ...FIRST,
  kind: 'tool',
  call: ref(key),
  name,
  outcome: OK,
  unit,
})
const says0 = spoken(0, asks('a'))

interface Row {
  readonly name: string
  readonly events: readonly StoredEvent[]
  readonly entries: readonly TranscriptEntry[]
  readonly called?: Transcript['called']
}

const ENTRIES: readonly Row[] = [
  {
    name: 'messages of users and of context keep their turn and step',
    events: [user(0), stored('context/message', { turn: 2, message: textMessage('X') }, 1)],
    entries: [
      { seq: 0, time: 1000, ...FIRST, kind: 'user', message: textMessage('u0') },
      { seq: 1, time: 1001, turn: 2, step: null, kind: 'context', message: textMessage('X') },
    ],
  },
  {
    name: 'a message of the model may be interrupted, and changed by a gate',
    events: [
      stored(
        'assistant/message',
        { ...FIRST, message: asks(), interrupted: true, transformedBy: 'gate' },
        0,
      ),
    ],
    entries: [
      { ...spoken(0, asks()), interrupted: true, transformedBy: 'gate' },
    ] as TranscriptEntry[],
  },
  {
    name: 'an outcome belongs to the first message of all',
    events: [says(0, asks('a')), result(1, 'a')],
    entries: [says0, told(1, 'a', 't-a', 0)],
  },
  {
    name: 'a late outcome belongs to the message of its own step, not to a later one',
    events: [says(0, asks('a')), says(1, asks('b'), SECOND), result(2, 'a')],
    entries: [says0, spoken(1, asks('b'), SECOND), told(2, 'a', 't-a', 0)],
  },
  {
    name: 'a late outcome belongs to the message of its own turn, not to the same step of a later one',
    events: [says(0, asks('a')), says(1, asks('b'), { turn: 2, step: 1 }), result(2, 'a')],
    entries: [says0, spoken(1, asks('b'), { turn: 2, step: 1 }), told(2, 'a', 't-a', 0)],
  },
  {
    name: 'an outcome without a message has its name from its own call, and no unit',
    events: [call(0, 'a'), call(1, 'b'), result(2, 'b')],
    entries: [told(2, 'b', 'c-b', null)],
    called: [
      { key: 'a', name: 'c-a' },
      { key: 'b', name: 'c-b' },
    ],
  },
  {
    name: 'an outcome that neither message nor call names has no name',
    events: [says(0, asks('a')), result(1, 'x')],
    entries: [says0, told(1, 'x', '', null)],
  },
  {
    name: 'a new step forgets the calls of the last one',
    events: [step(0, FIRST), call(1, 'a'), step(2), call(3, 'b')],
    entries: [],
    called: [{ key: 'b', name: 'c-b' }],
  },
]

describe('the entries of a transcript', () => {
  it.each(ENTRIES)('$name', ({ events, entries, called = [] }) => {
    const { entries: list, ...rest } = fold(transcript, events)
    expect(list.toArray()).toStrictEqual(entries)
    expect(rest).toStrictEqual({ length: entries.length, replaced: [], called })
  })

  it('the start of a step without calls before it changes nothing', () => {
    const before = fold(transcript, [user(0)])
    expect(transcript.evolve(before, step(1))).toBe(before)
  })
})

interface Summary {
  readonly name: string
  readonly events: readonly StoredEvent[]
  /** What the last summary says the text of. */
  readonly of: { seq: number; unit: number } | null
  readonly replaced: readonly (SeqRange & { by: number; outcomeOnly: boolean })[]
}

const SUMMARIES: readonly Summary[] = [
  {
    name: 'one outcome, with more behind the range',
    events: [says(0, asks('a', 'b')), result(1, 'a'), result(2, 'b'), user(3), sum(4, 1, 1)],
    of: { seq: 1, unit: 0 },
    replaced: [{ from: 1, to: 1, by: 4, outcomeOnly: true }],
  },
  {
    name: 'two outcomes',
    events: [says(0, asks('a', 'b')), result(1, 'a'), result(2, 'b'), sum(3, 1, 2)],
    of: null,
    replaced: [{ from: 1, to: 2, by: 3, outcomeOnly: false }],
  },
  {
    name: 'one message',
    events: [user(0), user(1), sum(2, 1, 1)],
    of: null,
    replaced: [{ from: 1, to: 1, by: 2, outcomeOnly: false }],
  },
  {
    name: 'an outcome and a summary that stands for itself',
    events: [user(0), says(1, asks('a')), sum(2, 0, 0), result(3, 'a'), sum(4, 2, 3)],
    of: null,
    replaced: [
      { from: 0, to: 0, by: 2, outcomeOnly: false },
      { from: 2, to: 3, by: 4, outcomeOnly: false },
    ],
  },
  {
    name: 'an outcome and the summary of an outcome, which is part of that one',
    events: [says(0, asks('a')), result(1, 'a'), sum(2, 1, 1), sum(3, 1, 2)],
    of: { seq: 1, unit: 0 },
    replaced: [
      { from: 1, to: 1, by: 2, outcomeOnly: true },
      { from: 1, to: 2, by: 3, outcomeOnly: true },
    ],
  },
  {
    name: 'an outcome behind a replaced message, which stays replaced',
    events: [
      says(0, asks('a')),
      user(1),
      user(2),
      user(3),
      sum(4, 2, 2),
      result(5, 'a'),
      sum(6, 3, 4),
      sum(7, 2, 5),
    ],
    of: { seq: 5, unit: 0 },
    replaced: [
      { from: 2, to: 2, by: 4, outcomeOnly: false },
      { from: 3, to: 4, by: 6, outcomeOnly: false },
      { from: 2, to: 5, by: 7, outcomeOnly: true },
    ],
  },
  {
    name: 'a range that holds an earlier one, which then says nothing more',
    events: [user(0), user(1), user(2), sum(3, 1, 1), sum(4, 0, 3)],
    of: null,
    replaced: [{ from: 0, to: 3, by: 4, outcomeOnly: false }],
  },
  {
    name: 'a range that holds the end of an earlier one, or its beginning',
    events: [user(0), user(1), user(2), user(3), user(4), sum(5, 1, 3), sum(6, 0, 2), sum(7, 3, 4)],
    of: null,
    replaced: [
      { from: 1, to: 3, by: 5, outcomeOnly: false },
      { from: 0, to: 2, by: 6, outcomeOnly: false },
      { from: 3, to: 4, by: 7, outcomeOnly: false },
    ],
  },
  {
    name: 'a range that holds the rewriting of an outcome, which is remembered',
    events: [says(0, asks('a')), result(1, 'a'), sum(2, 1, 1), user(3), sum(4, 0, 3)],
    of: null,
    replaced: [
      { from: 1, to: 1, by: 2, outcomeOnly: true },
      { from: 0, to: 3, by: 4, outcomeOnly: false },
    ],
  },
]

it.each(SUMMARIES)('a summary may replace $name', ({ events, of, replaced }) => {
  const state = fold(transcript, events)
  expect(state.entries.at(-1)).toMatchObject({ kind: 'summary', of })
  expect(state.replaced).toEqual(replaced)
})
