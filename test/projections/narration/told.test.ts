/**
 * Everything that is told of a session, to the word and in order. Cites N2 to N4 of `narration.ts`.
 */
import { describe, expect, it } from 'vitest'
import type { Told } from '../../../src/projections/narration/told.ts'
import {
  args,
  called,
  DENIED,
  end,
  inStep,
  LATE,
  NOT_RUN,
  PAID,
  says,
  start,
  STORY,
  text,
} from './story.ts'
import { closes, grows, opens, streamed, tell, whole } from './tellings.ts'

const first = streamed('1.1.1.2', '1.1.0')
const second = streamed('1.1.2.1', '1.1.0')
const waiting = streamed('1.1.2.2', '1.1.1')
const cut = streamed('2.1.1.1', '2.1.0')

it('a whole story is told to the word', () => {
  expect(tell(STORY)).toEqual([
    { kind: 'turn-start', turn: 1 },
    { kind: 'step-start', turn: 1, step: 1 },
    ...whole('1.1.1.0', 'hm', 'reasoning'),
    opens('1.1.1.1'),
    grows('1.1.1.1', 'Pay'),
    first.opens('pay'),
    first.grows('{"v"'),
    closes('1.1.1.1'),
    first.closes,
    { kind: 'failed', message: 'down', retries: true },
    opens('1.1.2.0'),
    grows('1.1.2.0', 'I '),
    grows('1.1.2.0', 'pay.'),
    closes('1.1.2.0'),
    second.opens('pay'),
    second.grows('{"v":1}'),
    second.closes,
    waiting.opens('wait'),
    waiting.closes,
    { kind: 'file', file: { type: 'file', mediaType: 'text/csv', data: 'YQ==' } },
    { kind: 'file', file: { type: 'image', mediaType: 'image/png', url: 'https://a.test/b.png' } },
    { kind: 'call', call: '1.1.0', name: 'pay', text: '{"v":1}' },
    { kind: 'asked', call: '1.1.0', question: { tool: 'pay', arguments: {} } },
    { kind: 'answered', call: '1.1.0', answer: 'allow' },
    { kind: 'outcome', call: '1.1.0', outcome: PAID },
    { kind: 'call', call: '1.1.1', name: 'wait', text: '' },
    { kind: 'outcome', call: '1.1.1', outcome: LATE },
    { kind: 'call', call: '1.1.2', name: 'pay', text: 'not JSON' },
    { kind: 'asked', call: '1.1.2', question: { tool: 'pay', arguments: {} } },
    { kind: 'answered', call: '1.1.2', answer: 'deny' },
    { kind: 'outcome', call: '1.1.2', outcome: DENIED },
    { kind: 'call', call: '1.1.3', name: 'wait', text: '' },
    { kind: 'outcome', call: '1.1.3', outcome: NOT_RUN },
    { kind: 'step-end', turn: 1, step: 1 },
    { kind: 'turn-end', turn: 1, reason: { kind: 'completed' } },
    { kind: 'turn-start', turn: 2 },
    { kind: 'step-start', turn: 2, step: 1 },
    opens('2.1.1.0'),
    grows('2.1.1.0', 'par'),
    cut.opens('pay'),
    cut.grows('{'),
    closes('2.1.1.0'),
    cut.closes,
    { kind: 'step-end', turn: 2, step: 1 },
    { kind: 'turn-end', turn: 2, reason: { kind: 'aborted', cause: { kind: 'user' } } },
    { kind: 'turn-start', turn: 3 },
    { kind: 'step-start', turn: 3, step: 1 },
    { kind: 'failed', message: 'down', retries: false },
    { kind: 'step-end', turn: 3, step: 1 },
    { kind: 'turn-end', turn: 3, reason: { kind: 'error', code: 'SERVER', message: 'down' } },
  ])
})

const step = inStep(1, 1)
const begun: Told = { kind: 'step-start', turn: 1, step: 1 }
const over: Told = { kind: 'step-end', turn: 1, step: 1 }

it('calls are told by their keys, in order, also without a name and beside texts (N4)', () => {
  const [a, b, c] = [0, 1, 2].map((n) => streamed(`1.1.1.${n * 2}`, `1.1.${n}`))
  const chunks = [called(0), end(0), start(1), end(1), called(2, 'x'), called(4, 'y'), end(4)]
  expect(tell([step.starts, ...step.streams(1, ...chunks), step.ends])).toEqual([
    begun,
    a?.opens(''),
    a?.closes,
    opens('1.1.1.1'),
    closes('1.1.1.1'),
    b?.opens('x'),
    c?.opens('y'),
    c?.closes,
    b?.closes,
    over,
  ])
})

describe('of a session that is joined in the middle', () => {
  it('the step has no end, the attempt is told by its message, and the next step whole (N3)', () => {
    const next = inStep(1, 2)
    const told = tell([
      ...step.streams(1, text(0, 'lo'), end(0), start(1), text(1, 'b'), end(1)),
      step.commits([says('Hello'), says('b')]),
      step.ends,
      next.starts,
      ...next.streams(1, start(0), text(0, 'c'), end(0)),
      next.commits([says('c')]),
      next.ends,
      next.ends,
    ])
    expect(told).toEqual([
      ...whole('1.1.0.0', 'Hello'),
      ...whole('1.1.0.1', 'b'),
      { kind: 'step-start', turn: 1, step: 2 },
      ...whole('1.2.1.0', 'c'),
      { kind: 'step-end', turn: 1, step: 2 },
    ])
  })

  it('the attempt after one that fails is told as it is streamed (N3)', () => {
    const told = tell([
      ...step.streams(1, start(1), text(1, 'b')),
      step.fails(1, 'retry'),
      ...step.streams(2, start(0), text(0, 'c')),
      step.ends,
    ])
    const failed: Told = { kind: 'failed', message: 'down', retries: true }
    expect(told).toEqual([failed, ...whole('1.1.2.0', 'c')])
  })

  it('a call that was not told has no question, no answer and no outcome (N3)', () => {
    expect(tell([step.asks(0), step.decides(0, 'allow'), step.results(0, PAID)])).toEqual([])
  })
})

it('a block that is closed or was never opened does not grow, and nobody hears of usage (N2)', () => {
  const chunks = [start(0), end(0), text(0, 'more'), end(0), args(1, '{'), end(1)]
  const usage = { kind: 'usage', usage: { inputTokens: 1 } } as const
  const provider = { kind: 'provider', type: 'source', value: 1 } as const
  expect(tell([step.starts, ...step.sends(1, ...chunks, usage, provider)])).toEqual([
    begun,
    opens('1.1.1.0'),
    closes('1.1.1.0'),
  ])
})
