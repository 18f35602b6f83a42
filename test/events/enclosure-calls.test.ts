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
  refusal,
  result,
  settled,
  stepEnd,
} from './sample.ts'
import type { Refused } from './sample.ts'

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

const refused: Refused[] = [
  [
    'unanswered-call',
    'a step end over two of three calls',
    [...calls(3), called('1.1', 1), result('1.1', 1)],
    stepEnd('1.1'),
    'step 1.1 may not close over calls without a result: 1.1.0, 1.1.2',
  ],
  [
    'call-order',
    'a message whose calls are numbered from 1',
    one,
    messageOf(['a', 1]),
    'expected call 0 of the message to have index 0, found 1',
  ],
  [
    'DUPLICATE_ID',
    'a message with two calls of one key',
    one,
    messageOf(['a', 0], ['a', 1]),
    '"a", which is named twice by the message',
  ],
  [
    'call-known',
    'a call of another key at a known index',
    calls(1),
    alias(called('1.1'), 'other'),
    'step 1.1 has no such call: other at index 0',
  ],
  [
    'call-known',
    'a cut call of a key that was called',
    [...cut, called('1.1')],
    alias(called('1.1', 1), '1.1.0'),
    'step 1.1 has no call 1.1.0 at index 1',
  ],
  [
    'called-first',
    'a denial while the question is open',
    [...calls(1), asked('1.1')],
    result('1.1', 0, denied),
    'tool/result of 1.1.0 needs its tool/call, unless it never started',
  ],
  [
    'call-order',
    'a call before one that was called',
    [...calls(2), called('1.1', 1)],
    called('1.1', 0),
    'expected a call from index 2 on, found 1.1.0 at 0',
  ],
  [
    'call-order',
    'a call recorded twice',
    [...calls(1), called('1.1')],
    called('1.1'),
    'expected a call from index 1 on, found 1.1.0 at 0',
  ],
  [
    'call-known',
    'a call the message does not hold',
    calls(1),
    called('1.1', 1),
    'step 1.1 has no call 1.1.1 at index 1',
  ],
  [
    'call-known',
    'a call before the message',
    one,
    called('1.1'),
    'step 1.1 has no call 1.1.0 at index 0',
  ],
  [
    'call-known',
    'a second result',
    [...calls(2), called('1.1'), result('1.1')],
    result('1.1'),
    'step 1.1 has answered it already: 1.1.0 at index 0',
  ],
  [
    'call-known',
    'a question about a call that is answered',
    [...calls(2), called('1.1'), result('1.1')],
    asked('1.1'),
    'step 1.1 has answered it already: 1.1.0 at index 0',
  ],
  [
    'call-known',
    'a cut call out of order',
    cut,
    called('1.1', 1),
    'step 1.1 has no call 1.1.1 at index 1',
  ],
  [
    'called-first',
    'a result without its call',
    calls(1),
    result('1.1'),
    'tool/result of 1.1.0 needs its tool/call, unless it never started',
  ],
  [
    'called-first',
    'a denial that nobody gave',
    calls(1),
    result('1.1', 0, denied),
    'tool/result of 1.1.0 needs its tool/call, unless it never started',
  ],
  [
    'called-first',
    'a denial after an allowance',
    [...calls(1), asked('1.1'), decided('1.1')],
    result('1.1', 0, denied),
    'tool/result of 1.1.0 needs its tool/call, unless it never started',
  ],
  [
    'called-first',
    'an unknown outcome of a call that was never recorded',
    calls(1),
    result('1.1', 0, failed('OUTCOME_UNKNOWN')),
    'tool/result of 1.1.0 needs its tool/call, unless it never started',
  ],
  [
    'called-first',
    'a settlement without its call',
    calls(1),
    settled('1.1'),
    'tool/settled of 1.1.0 needs its tool/call',
  ],
  [
    'settled-once',
    'a second settlement',
    [...calls(1), called('1.1'), settled('1.1')],
    settled('1.1'),
    'call 1.1.0 has settled already',
  ],
  [
    'call-known',
    'a settlement behind its result',
    [...calls(2), called('1.1'), result('1.1')],
    settled('1.1'),
    'step 1.1 has answered it already: 1.1.0 at index 0',
  ],
  [
    'unanswered-call',
    'a step end over a call that never started',
    calls(1),
    stepEnd('1.1'),
    'step 1.1 may not close over calls without a result: 1.1.0',
  ],
  [
    'unanswered-call',
    'a step end over a running call',
    [...calls(1), called('1.1')],
    stepEnd('1.1'),
    'step 1.1 may not close over calls without a result: 1.1.0',
  ],
  [
    'unanswered-call',
    'a step end over a settled call',
    [...calls(1), called('1.1'), settled('1.1')],
    stepEnd('1.1'),
    'step 1.1 may not close over calls without a result: 1.1.0',
  ],
  [
    'unanswered-call',
    'a step end over a cut call',
    [...cut, called('1.1')],
    stepEnd('1.1'),
    'step 1.1 may not close over calls without a result: 1.1.0',
  ],
  [
    'question-pairs',
    'an answer nobody asked for',
    calls(1),
    decided('1.1'),
    'call 1.1.0 has no open question',
  ],
  [
    'question-pairs',
    'a second answer',
    [...calls(1), asked('1.1'), decided('1.1')],
    decided('1.1'),
    'call 1.1.0 has no open question',
  ],
  [
    'question-pairs',
    'a second open question',
    [...calls(1), asked('1.1')],
    asked('1.1'),
    'call 1.1.0 has an open question already',
  ],
]

it.each(refused)('%s refuses %s', (rule, _what, behind, event, words) => {
  expect(refusal(behind, event)).toEqual({ rule, words })
})
