/**
 * The whole state of what was spent, of the records of turns and of a run interval, event by event.
 *
 * @module
 */
import { describe, expect, it } from 'vitest'
import type { StepAt, StoredEvent } from '../../src/events/event.ts'
import type { Usage } from '../../src/events/message.ts'
import { fold } from '../../src/projections/projection.ts'
import { runInterval, type RunInterval } from '../../src/projections/run-interval.ts'
import { addUsage } from '../../src/projections/spending.ts'
import { turns, turnsView, type TurnRecord } from '../../src/projections/turns.ts'
import { usage, usageByTurn, usageOfTurn } from '../../src/projections/usage.ts'
import { REASONS } from '../support/log-script.ts'
import { says, textMessage } from '../support/log-writer.ts'
import { stored } from '../support/stored.ts'
import { unchanged } from '../support/unchanged.ts'

const AT: StepAt = { turn: 2, step: 2 }
const EARLIER: StepAt = { turn: 2, step: 1 }
const LONG_AGO: StepAt = { turn: 1, step: 2 }

const start = (turn: number) => stored('turn/start', { turn }, turn)
const end = (turn: number) =>
  stored('turn/end', { turn, reason: REASONS.completed, uncommitted: [] }, 9)
const report = (part: Usage, at = AT) =>
  stored('assistant/chunk', { ...at, attempt: 1, chunk: { kind: 'usage', usage: part } })
const message = (at = AT, part?: Usage) =>
  stored('assistant/message', { ...at, message: says('x'), ...(part && { usage: part }) })
const close = (at = AT) => stored('step/end', at)
const IN = { inputTokens: 5 }

const record = (turn: number, rest: Partial<TurnRecord> = {}): TurnRecord => ({
  turn,
  from: turn,
  startedAt: 1000 + turn,
  to: null,
  endedAt: null,
  reason: null,
  steps: 0,
  claimed: [],
  uncommitted: [],
  injection: false,
  parks: null,
  usage: {},
  ...rest,
})
const insert = (id: string) =>
  stored(
    'inbox/inserted',
    { target: 'next-turn', index: 0, message: textMessage(id), wake: true, actor: 'a' },
    4,
  )

describe('a sum', () => {
  it.each<[string, Usage, Usage, Usage]>([
    [
      'adds each number to its own',
      { inputTokens: 1, outputTokens: 2 },
      { outputTokens: 3 },
      { inputTokens: 1, outputTokens: 5 },
    ],
    ['takes every number', {}, numbers(1), numbers(1)],
    ['adds every number', numbers(1), numbers(2), numbers(3)],
    ['learns a zero', {}, { inputTokens: 0 }, { inputTokens: 0 }],
  ])('%s', (_, left, right, sum) => {
    expect(addUsage(left, right)).toStrictEqual(sum)
    expect(Object.isFrozen(addUsage(left, right))).toBe(true)
  })

  it.each<[string, Usage]>([
    ['nothing', {}],
    ['a zero to a known number', { inputTokens: 0 }],
  ])('that adds %s is the same object', (_, right) => {
    expect(addUsage(IN, right)).toBe(IN)
  })
})

function numbers(n: number): Usage {
  return {
    inputTokens: n,
    outputTokens: n,
    totalTokens: n,
    reasoningTokens: n,
    cacheReadTokens: n,
    cacheWriteTokens: n,
  }
}

describe('usage', () => {
  const OPEN = [start(1), start(2)]
  it.each<[string, StoredEvent[], Usage, [Usage, Usage], Usage | null]>([
    ['is reported and not booked while the attempt runs', [report(IN)], {}, [{}, {}], IN],
    ['is booked by the message of its own step', [report(IN), message()], IN, [{}, IN], null],
    [
      'is not booked by the message of an earlier step',
      [report(IN), message(EARLIER)],
      {},
      [{}, {}],
      IN,
    ],
    [
      'is not booked by the same step of an earlier turn',
      [report(IN), message(LONG_AGO)],
      {},
      [{}, {}],
      IN,
    ],
    ['is booked by the end of its step', [report(IN), close()], IN, [{}, IN], null],
    ['is booked to an earlier turn', [message(LONG_AGO, IN)], IN, [IN, {}], null],
    [
      'of zero is booked to a turn that knew none',
      [message(LONG_AGO, IN), message(AT, { inputTokens: 0 })],
      IN,
      [IN, { inputTokens: 0 }],
      null,
    ],
  ])('%s', (_, events, total, [first, second], reported) => {
    const state = fold(usage, [...OPEN, ...events])
    expect(state.total).toStrictEqual(total)
    expect(usageByTurn(state)).toStrictEqual([
      { turn: 1, usage: first },
      { turn: 2, usage: second },
    ])
    expect(state.reported).toStrictEqual(reported === null ? [] : [{ ...AT, usage: reported }])
    expect([1, 2].map((turn) => usageOfTurn(state, turn))).toStrictEqual([first, second])
  })

  it('of a turn that is not known is empty', () => {
    expect(usageOfTurn(usage.initial, 1)).toEqual({})
    expect(usageOfTurn(fold(usage, OPEN), 3)).toEqual({})
  })

  it('of no known turn counts in the total', () => {
    expect(fold(usage, [message(AT, IN)])).toStrictEqual({ ...usage.initial, total: IN })
  })

  const BOOKED = [...OPEN, message(LONG_AGO, IN), message(AT, IN)]
  unchanged(usage, [
    ['booking nothing', BOOKED, message(AT, {})],
    ['booking nothing to an earlier turn', BOOKED, message(LONG_AGO, { inputTokens: 0 })],
    ['a step without a report', BOOKED, close()],
    ['the end of a turn', BOOKED, end(2)],
  ])
})

describe('the records of turns', () => {
  const context = stored('context/message', { turn: 2, message: textMessage('X', 'plugin') })
  const OPEN = [start(1), start(2)]

  it.each<[string, StoredEvent[], TurnRecord[]]>([
    ['begin with nothing', OPEN, [record(1), record(2)]],
    ['tell of an injection', [...OPEN, context], [record(1), record(2, { injection: true })]],
    [
      'end in any order',
      [...OPEN, end(1)],
      [record(1, { to: 9, endedAt: 1009, reason: REASONS.completed }), record(2)],
    ],
    [
      'book to their own turn',
      [...OPEN, message(LONG_AGO, IN), message(AT, { inputTokens: 1 })],
      [record(1, { usage: IN }), record(2, { usage: { inputTokens: 1 } })],
    ],
  ])('%s', (_, events, records) => {
    const state = fold(turns, events)
    expect(turnsView(state)).toStrictEqual(records)
    expect(state.reported).toStrictEqual([])
  })

  unchanged(turns, [
    ['the end of a turn before any', [], end(1)],
    ['the end of a turn that is not known', OPEN, end(3)],
    ['a second context message', [...OPEN, context], context],
    ['booking nothing', [...OPEN, message(AT, IN)], message(AT, {})],
    ['booking nothing to an earlier turn', [...OPEN, message(LONG_AGO, IN)], message(LONG_AGO, {})],
  ])
})

describe('a run interval', () => {
  const A = runInterval('A')
  it.each<[string, StoredEvent[], Partial<RunInterval>]>([
    ['is not begun by another message', [report(IN), insert('B'), message(AT, IN)], {}],
    ['begins with its message', [insert('B'), insert('A')], { from: 4 }],
    [
      'takes up what a stream reports',
      [insert('A'), report(IN)],
      { from: 4, reported: [{ ...AT, usage: IN }] },
    ],
    [
      'books what a stream has reported',
      [insert('A'), report(IN), message()],
      { from: 4, usage: IN, finalResponse: 'x' },
    ],
  ])('%s', (_, events, then) => {
    expect(fold(A, events)).toStrictEqual({ ...A.initial, ...then })
  })
  unchanged(A, [
    ['the same text again', [insert('A'), message()], message()],
    ['its own message again', [insert('A')], insert('A')],
  ])
})
