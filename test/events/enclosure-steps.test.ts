import { expect, it } from 'vitest'
import {
  answer,
  called,
  chunk,
  continued,
  inserted,
  opening,
  requestFailed,
  settled,
  stepEnd,
  stepStart,
  turnEnd,
  turnStart,
  user,
  refusal,
  verdict,
} from './sample.ts'
import type { Refused, Row } from './sample.ts'

const one = opening()
const calls = (n: number) => [...one, answer('1.1', n)]

const refused: Refused[] = [
  [
    'open-step',
    'a chunk outside a step',
    [turnStart(1)],
    chunk('1.1'),
    'expected the open step (none), found step 1.1',
  ],
  [
    'open-step',
    'a chunk of another step',
    one,
    chunk('1.2'),
    'expected the open step (1.1), found step 1.2',
  ],
  [
    'open-step',
    'a chunk of another turn',
    one,
    chunk('2.1'),
    'expected the open step (1.1), found step 2.1',
  ],
  [
    'open-step',
    'a message outside a step',
    [turnStart(1)],
    answer('1.1'),
    'expected the open step (none), found step 1.1',
  ],
  [
    'open-step',
    'a step closed twice',
    [...one, stepEnd('1.1')],
    stepEnd('1.1'),
    'expected the open step (none), found step 1.1',
  ],
  [
    'open-step',
    'a decision about a step that is not the last',
    [...one, stepEnd('1.1')],
    continued('1.2'),
    'expected the last step (1), found step 2',
  ],
  [
    'open-step',
    'a user message outside a step',
    [turnStart(1)],
    user('1.1', 'X'),
    'expected the open step (none), found step 1.1',
  ],
  [
    'batch-first',
    'a user message behind a chunk',
    [...one, chunk('1.1')],
    user('1.1', 'X'),
    'user/message must stand directly behind step/start or another one, found it behind assistant/chunk',
  ],
  [
    'batch-first',
    'a user message behind an insertion',
    [...one, inserted('B')],
    user('1.1', 'X'),
    'user/message must stand directly behind step/start or another one, found it behind inbox/inserted',
  ],
  [
    'one-message',
    'a second assistant message',
    [...one, answer('1.1')],
    answer('1.1'),
    'step 1.1 takes no other assistant/message',
  ],
  [
    'attempt-order',
    'a chunk behind its message',
    [...one, answer('1.1')],
    chunk('1.1'),
    'step 1.1 takes nothing of attempt 1: it has its message',
  ],
  [
    'attempt-order',
    'a failure behind the message',
    [...one, answer('1.1')],
    requestFailed('1.1'),
    'step 1.1 takes nothing of attempt 1: it has its message',
  ],
  [
    'attempt-order',
    'a chunk of an attempt that failed',
    [...one, requestFailed('1.1', 'retry')],
    chunk('1.1'),
    'step 1.1 takes nothing of attempt 1: it is at attempt 2',
  ],
  [
    'attempt-order',
    'a chunk of an attempt to come',
    one,
    chunk('1.1', 'a', 2),
    'step 1.1 takes nothing of attempt 2: it is at attempt 1',
  ],
  [
    'attempt-order',
    'an attempt behind one that failed for good',
    [...one, requestFailed('1.1')],
    chunk('1.1', 'a', 2),
    'step 1.1 takes nothing of attempt 2: it failed for good',
  ],
  [
    'attempt-order',
    'a message behind a failure for good',
    [...one, requestFailed('1.1')],
    answer('1.1'),
    'step 1.1 failed for good, so it takes no message',
  ],
  [
    'open-attempt',
    'another step over an open attempt',
    [...one, chunk('1.1'), stepEnd('1.1')],
    stepStart('1.2'),
    'the last step of turn 1 left its attempt open, so the turn takes no other step',
  ],
  [
    'open-attempt',
    'a completed turn over an open attempt',
    [...one, chunk('1.1'), stepEnd('1.1')],
    turnEnd(1),
    'the last step of turn 1 left its attempt open, so the turn may not end completed',
  ],
  [
    'interrupted-calls',
    'an interrupted message with calls',
    [...one, chunk('1.1')],
    answer('1.1', 1, { interrupted: true }),
    'an interrupted message drops its calls, found 1 in step 1.1',
  ],
]

const allowed: Row[] = [
  ['ok', 'a second user message', one, user('1.1', 'new')],
  ['ok', 'an empty batch', [turnStart(1), stepStart('1.1')], chunk('1.1')],
  [
    'ok',
    'the second attempt',
    [...one, chunk('1.1'), requestFailed('1.1', 'retry')],
    chunk('1.1', 'a', 2),
  ],
  ['ok', 'a step end after an attempt that showed nothing', [...one, chunk('1.1')], stepEnd('1.1')],
  [
    'ok',
    'an aborted turn over an open attempt',
    [...one, chunk('1.1'), stepEnd('1.1')],
    turnEnd(1, [], { kind: 'aborted', cause: { kind: 'user' } }),
  ],
  [
    'ok',
    'a turn in error over a refused message',
    [...one, chunk('1.1'), stepEnd('1.1')],
    turnEnd(1, [], { kind: 'error', code: 'UNKNOWN', message: 'x' }),
  ],
  [
    'ok',
    'a limit of attempts after a failed one',
    [...one, chunk('1.1'), requestFailed('1.1'), stepEnd('1.1')],
    turnEnd(1, [], { kind: 'limit', which: 'attempts', used: 1, allowed: 1 }),
  ],
  [
    'ok',
    'the prefix of an aborted attempt',
    [...one, chunk('1.1')],
    answer('1.1', 0, { interrupted: true }),
  ],
  ['ok', 'a settlement of the head of the batch', [...calls(1), called('1.1')], settled('1.1')],
]

it.each(refused)('%s refuses %s', (rule, _what, behind, event, words) => {
  expect(refusal(behind, event)).toEqual({ rule, words })
})
it.each(allowed)('%s: %s', (rule, _what, behind, event) => {
  expect(verdict(behind, event)).toBe(rule)
})
