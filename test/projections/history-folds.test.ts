/**
 * The whole state of the history, fold by fold: entries, the seqs of their events, and the message at the tail.
 *
 * @module
 */
import { describe, expect, it } from 'vitest'
import type { SeqRange, StoredEvent } from '../../src/events/event.ts'
import type { HistoryEntry } from '../../src/events/history-entry.ts'
import type {
  AssistantBlock,
  AssistantMessage,
  CallRef,
  Outcome,
} from '../../src/events/message.ts'
import { entriesWithin, history, historyView } from '../../src/projections/history.ts'
import { fold } from '../../src/projections/projection.ts'
import { textMessage } from '../support/log-writer.ts'
import { stored } from '../support/stored.ts'

const AT = { turn: 1, step: 1 }
const ref = (key: string): CallRef => ({ key, index: 0, providerId: 'p' })
const text = (words: string) => ({ type: 'text', text: words }) as const
const asks = (...keys: string[]): AssistantMessage => ({
  role: 'assistant',
  content: keys.map((key) => ({
    type: 'tool-call',
    call: ref(key),
    name: `t-${key}`,
    arguments: '',
  })),
})
const ok = (words: string): Outcome => ({ kind: 'ok', content: [text(words)] })

const user = (seq: number, id: string) =>
  stored('user/message', { ...AT, message: textMessage(id) }, seq)
const says = (seq: number, message: AssistantMessage) =>
  stored('assistant/message', { ...AT, message }, seq)
const result = (seq: number, key: string, outcome: Outcome = ok(key)) =>
  stored('tool/result', { ...AT, call: ref(key), outcome }, seq)
const sum = (seq: number, range: SeqRange, id = 'SUM') =>
  stored('compaction/summary', { turn: null, range, message: textMessage(id) }, seq)

const shown = (key: string, outcome: Outcome = ok(key)): HistoryEntry => ({
  role: 'tool',
  call: ref(key),
  name: `t-${key}`,
  outcome,
})

interface Row {
  readonly name: string
  readonly events: readonly StoredEvent[]
  /** Entries with the seqs of their events. */
  readonly entries: readonly (readonly [seq: number, entry: HistoryEntry])[]
  readonly tail: AssistantMessage | null
}

const ROWS: readonly Row[] = [
  {
    name: 'a message of the model is the tail',
    events: [user(0, 'A'), says(1, asks('a'))],
    entries: [
      [0, textMessage('A')],
      [1, asks('a')],
    ],
    tail: asks('a'),
  },
  {
    name: 'the tail stays so behind its outcomes',
    events: [user(0, 'A'), says(1, asks('a', 'b')), result(2, 'a')],
    entries: [
      [0, textMessage('A')],
      [1, asks('a', 'b')],
      [2, shown('a')],
    ],
    tail: asks('a', 'b'),
  },
  {
    name: 'a message of the user ends the tail',
    events: [says(0, asks('a')), result(1, 'a'), user(2, 'B')],
    entries: [
      [0, asks('a')],
      [1, shown('a')],
      [2, textMessage('B')],
    ],
    tail: null,
  },
  {
    name: 'an outcome of the message at the tail is shown, whatever it says',
    events: [
      says(0, asks('a')),
      result(1, 'a', { kind: 'error', code: 'ARGUMENTS_CUT', content: [] }),
    ],
    entries: [
      [0, asks('a')],
      [1, shown('a', { kind: 'error', code: 'ARGUMENTS_CUT', content: [] })],
    ],
    tail: asks('a'),
  },
  {
    name: 'a late outcome goes behind the first entry, and the tail is what stands last',
    events: [says(0, asks('a', 'b')), result(1, 'a'), user(2, 'B'), result(3, 'b')],
    entries: [
      [0, asks('a', 'b')],
      [1, shown('a')],
      [3, shown('b')],
      [2, textMessage('B')],
    ],
    tail: null,
  },
  {
    name: 'a late outcome leaves a later message of the model the tail, also behind its outcomes',
    events: [says(0, asks('a')), user(1, 'B'), says(2, asks('b')), result(3, 'b'), result(4, 'a')],
    entries: [
      [0, asks('a')],
      [4, shown('a')],
      [1, textMessage('B')],
      [2, asks('b')],
      [3, shown('b')],
    ],
    tail: asks('b'),
  },
  {
    name: 'an outcome rewritten by a summary keeps its seq, its kind and what else it says',
    events: [
      says(0, asks('a')),
      result(1, 'a', { kind: 'denied', by: 'gate', reason: 'no', content: [text('long')] }),
      sum(2, { from: 1, to: 1 }),
    ],
    entries: [
      [0, asks('a')],
      [1, shown('a', { kind: 'denied', by: 'gate', reason: 'no', content: [text('SUM')] })],
    ],
    tail: asks('a'),
  },
  {
    name: 'an ok outcome rewritten by a summary loses its value and gains nothing',
    events: [
      says(0, asks('a')),
      result(1, 'a', { kind: 'ok', content: [text('long')], value: 7 }),
      sum(2, { from: 1, to: 1 }),
    ],
    entries: [
      [0, asks('a')],
      [1, shown('a', { kind: 'ok', content: [text('SUM')] })],
    ],
    tail: asks('a'),
  },
  {
    name: 'an ok outcome rewritten by a summary still concludes',
    events: [
      says(0, asks('a')),
      result(1, 'a', { kind: 'ok', content: [text('long')], concludes: true }),
      sum(2, { from: 0, to: 2 }, 'X'),
      says(3, asks('b')),
      result(4, 'b', { kind: 'ok', content: [text('long')], concludes: true }),
      sum(5, { from: 4, to: 4 }),
    ],
    entries: [
      [2, textMessage('X')],
      [3, asks('b')],
      [4, shown('b', { kind: 'ok', content: [text('SUM')], concludes: true })],
    ],
    tail: asks('b'),
  },
  {
    name: 'a summary of everything leaves no tail',
    events: [user(0, 'A'), says(1, asks('a')), result(2, 'a'), sum(3, { from: 0, to: 2 })],
    entries: [[3, textMessage('SUM')]],
    tail: null,
  },
  {
    name: 'a summary stands where the first of what it replaces stood, although something between stays',
    events: [
      user(0, 'A'),
      user(1, 'B'),
      user(2, 'C'),
      sum(3, { from: 0, to: 0 }, 'SUM1'),
      sum(4, { from: 2, to: 3 }, 'SUM2'),
    ],
    entries: [
      [4, textMessage('SUM2')],
      [1, textMessage('B')],
    ],
    tail: null,
  },
]

describe('the state of the history', () => {
  it.each(ROWS)('$name', ({ events, entries, tail }) => {
    const state = fold(history, events)
    expect(historyView(state)).toStrictEqual(entries.map(([, entry]) => entry))
    expect(state.seqs.toArray()).toEqual(entries.map(([seq]) => seq))
    expect(state.length).toBe(entries.length)
    expect(state.tail).toEqual(tail)
  })

  const THOUGHT: AssistantBlock = { type: 'reasoning', text: '' }
  it.each<[string, StoredEvent]>([
    ['an empty thought', says(9, { role: 'assistant', content: [THOUGHT, text('')] })],
    ['an outcome of a call that no message holds', result(9, 'x')],
    [
      'the outcome of a cut call',
      result(9, 'x', { kind: 'error', code: 'ARGUMENTS_CUT', content: [] }),
    ],
  ])('%s changes nothing', (_, event) => {
    const before = fold(history, [user(0, 'A'), says(1, asks('a'))])
    expect(history.evolve(before, event)).toBe(before)
  })
})

describe('what a summary of a range would replace', () => {
  const LOG = [user(0, 'A'), says(1, asks('a', 'b')), result(2, 'a'), result(3, 'b'), user(4, 'B')]
  it.each<[string, SeqRange, number[]]>([
    ['one message of a user', { from: 0, to: 0 }, [0]],
    [
      'a message of the model, with its outcomes although the range ends before them',
      { from: 1, to: 1 },
      [1, 2, 3],
    ],
    ['one outcome alone', { from: 2, to: 2 }, [2]],
    ['nothing, for outcomes without their message', { from: 2, to: 3 }, []],
    ['no outcomes of a message before the range', { from: 3, to: 4 }, [4]],
    ['all', { from: 0, to: 9 }, [0, 1, 2, 3, 4]],
    ['nothing behind the end', { from: 5, to: 9 }, []],
  ])('%s', (_, range, seqs) => {
    const entries = historyView(fold(history, LOG))
    expect(entriesWithin(fold(history, LOG), range)).toEqual(
      seqs.map((seq) => ({ seq, entry: entries[seq] })),
    )
  })
})
