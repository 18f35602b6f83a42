import { expect, it } from 'vitest'
import type { NewEvent } from '../../src/events/event.ts'
import {
  answer,
  asked,
  called,
  cancelled,
  compaction,
  context,
  decided,
  denied,
  discarded,
  failed,
  inserted,
  opening,
  result,
  settled,
  turnEnd,
  turnStart,
  verdict,
  wholeTurn,
} from './sample.ts'
import type { Row } from './sample.ts'

const one = opening()
const calls = (n: number) => [...one, answer('1.1', n)]
const cut = [...one, answer('1.1', 0, { finish: 'max-tokens' })]

const ofTurns: Row[] = [
  ['ok', 'a turn without a step', [turnStart(1)], turnEnd(1)],
  ['ok', 'the next turn', wholeTurn(1, 'A'), turnStart(2)],
  ['ok', 'a context message', [turnStart(1)], context(1, 'X')],
  ['ok', 'a cancel without a turn', wholeTurn(1, 'A'), cancelled(null)],
  [
    'ok',
    'a cancel of the open turn',
    [inserted('B'), discarded('B'), turnStart(1)],
    cancelled(1, 'B'),
  ],
  ['ok', 'a compaction inside a step of its turn', one, compaction('start', 1, 0, 1)],
  [
    'ok',
    'a summary inside its compaction',
    [inserted('A'), compaction('start', null, 0, 0)],
    compaction('summary', null, 0, 0),
  ],
  [
    'ok',
    'a compaction after one that was left behind',
    [inserted('A'), compaction('start', null, 0, 0)],
    compaction('start', null, 0, 0),
  ],
  [
    'ok',
    'a goal anywhere',
    one,
    { type: 'goal/change', data: { goal: 'g', revision: 1, change: {} } },
  ],
  ['ok', 'a foreign event anywhere', one, { type: 'acme/note', data: {} } as unknown as NewEvent],
  [
    'ok',
    'a foreign event named like a property of objects',
    one,
    { type: 'constructor', data: {} } as unknown as NewEvent,
  ],
]

const ofCalls: Row[] = [
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

it.each([...ofTurns, ...ofCalls])('%s: %s', (rule, _what, behind, event) => {
  expect(verdict(behind, event)).toBe(rule)
})
