import { expect, it } from 'vitest'
import type { NewEvent } from '../../src/events/event.ts'
import {
  answer,
  asked,
  called,
  decided,
  denied,
  failed,
  opening,
  result,
  settled,
  stepEnd,
  verdict,
} from './sample.ts'
import type { Row } from './sample.ts'

const one = opening()
const calls = (n: number) => [...one, answer('1.1', n)]
const cut = [...one, answer('1.1', 0, { finish: 'max-tokens' })]

/** A call of step 1.1 by another name. */
const alias = (event: NewEvent<'tool/call'>, key: string): NewEvent => ({
  ...event,
  data: { ...event.data, call: { ...event.data.call, key } },
})
/** A message whose calls have these keys and indexes. */
const messageOf = (...named: [key: string, index: number][]): NewEvent => ({
  type: 'assistant/message',
  data: {
    turn: 1,
    step: 1,
    message: {
      role: 'assistant',
      content: named.map(([key, index]) => ({
        type: 'tool-call',
        call: { key, index, providerId: 'c' },
        name: 't',
        arguments: '',
      })),
    },
  },
})

const refused: Row[] = [
  ['call-order', 'a message whose calls are numbered from 1', one, messageOf(['a', 1])],
  ['DUPLICATE_ID', 'a message with two calls of one key', one, messageOf(['a', 0], ['a', 1])],
  ['call-known', 'a call of another key at a known index', calls(1), alias(called('1.1'), 'other')],
  [
    'call-known',
    'a cut call of a key that was called',
    [...cut, called('1.1')],
    alias(called('1.1', 1), '1.1.0'),
  ],
  [
    'called-first',
    'a denial while the question is open',
    [...calls(1), asked('1.1')],
    result('1.1', 0, denied),
  ],
  [
    'call-order',
    'a call before one that was called',
    [...calls(2), called('1.1', 1)],
    called('1.1', 0),
  ],
  ['call-order', 'a call recorded twice', [...calls(1), called('1.1')], called('1.1')],
  ['call-known', 'a call the message does not hold', calls(1), called('1.1', 1)],
  ['call-known', 'a call before the message', one, called('1.1')],
  ['call-known', 'a second result', [...calls(2), called('1.1'), result('1.1')], result('1.1')],
  [
    'call-known',
    'a question about a call that is answered',
    [...calls(2), called('1.1'), result('1.1')],
    asked('1.1'),
  ],
  ['call-known', 'a cut call out of order', cut, called('1.1', 1)],
  ['called-first', 'a result without its call', calls(1), result('1.1')],
  ['called-first', 'a denial that nobody gave', calls(1), result('1.1', 0, denied)],
  [
    'called-first',
    'a denial after an allowance',
    [...calls(1), asked('1.1'), decided('1.1')],
    result('1.1', 0, denied),
  ],
  [
    'called-first',
    'an unknown outcome of a call that was never recorded',
    calls(1),
    result('1.1', 0, failed('OUTCOME_UNKNOWN')),
  ],
  ['called-first', 'a settlement without its call', calls(1), settled('1.1')],
  [
    'settled-once',
    'a second settlement',
    [...calls(1), called('1.1'), settled('1.1')],
    settled('1.1'),
  ],
  [
    'call-known',
    'a settlement behind its result',
    [...calls(2), called('1.1'), result('1.1')],
    settled('1.1'),
  ],
  ['unanswered-call', 'a step end over a call that never started', calls(1), stepEnd('1.1')],
  [
    'unanswered-call',
    'a step end over a running call',
    [...calls(1), called('1.1')],
    stepEnd('1.1'),
  ],
  [
    'unanswered-call',
    'a step end over a settled call',
    [...calls(1), called('1.1'), settled('1.1')],
    stepEnd('1.1'),
  ],
  ['unanswered-call', 'a step end over a cut call', [...cut, called('1.1')], stepEnd('1.1')],
  ['question-pairs', 'an answer nobody asked for', calls(1), decided('1.1')],
  [
    'question-pairs',
    'a second answer',
    [...calls(1), asked('1.1'), decided('1.1')],
    decided('1.1'),
  ],
  ['question-pairs', 'a second open question', [...calls(1), asked('1.1')], asked('1.1')],
]

const allowed: Row[] = [
  [
    'ok',
    'results out of order',
    [...calls(2), called('1.1', 0), called('1.1', 1)],
    result('1.1', 1),
  ],
  ['ok', 'a call behind one that was left out', calls(2), called('1.1', 1)],
  [
    'ok',
    'a result behind its settlement',
    [...calls(1), called('1.1'), settled('1.1')],
    result('1.1'),
  ],
  [
    'ok',
    'a result of a call that never started',
    calls(1),
    result('1.1', 0, failed('NOT_STARTED')),
  ],
  [
    'ok',
    'a denial given before its call',
    [...calls(1), asked('1.1'), decided('1.1', 'deny')],
    result('1.1', 0, denied),
  ],
  ['ok', 'a call that a truncated message leaves out', cut, called('1.1')],
  [
    'ok',
    'a second call that a truncated message leaves out',
    [...cut, called('1.1')],
    called('1.1', 1),
  ],
  ['ok', 'a question before its call', calls(1), asked('1.1')],
  ['ok', 'a question asked again', [...calls(1), asked('1.1'), decided('1.1')], asked('1.1')],
  [
    'ok',
    'a question closed behind its result',
    [...calls(1), asked('1.1'), called('1.1'), result('1.1')],
    decided('1.1', 'cancelled'),
  ],
]

it.each(refused)('%s refuses %s', (rule, _what, behind, event) => {
  expect(verdict(behind, event)).toBe(rule)
})
it.each(allowed)('%s: %s', (rule, _what, behind, event) => {
  expect(verdict(behind, event)).toBe(rule)
})
