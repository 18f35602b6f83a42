import { expect, it } from 'vitest'
import type { NewEvent } from '../../src/events/event.ts'
import {
  answer,
  cancelled,
  claimed,
  compaction,
  context,
  continued,
  discarded,
  inserted,
  opened,
  opening,
  stepEnd,
  stepStart,
  turnEnd,
  turnStart,
  verdict,
  wholeTurn,
} from './sample.ts'
import type { Row } from './sample.ts'

const one = opening()

const refused: Row[] = [
  ['no-open-turn', 'a turn inside a turn', [turnStart(1)], turnStart(2)],
  ['no-open-turn', 'a session opened inside a turn', [turnStart(1)], opened()],
  [
    'no-open-turn',
    'a compaction of its own inside a turn',
    [turnStart(1)],
    compaction('start', null, 0, 0),
  ],
  ['next-turn-number', 'a first turn that is not 1', [], turnStart(2)],
  ['next-turn-number', 'a turn number used again', wholeTurn(1, 'A'), turnStart(1)],
  ['next-turn-number', 'a gap in the turn numbers', wholeTurn(1, 'A'), turnStart(3)],
  ['open-turn', 'a step outside a turn', [], stepStart('1.1')],
  ['open-turn', 'a step of another turn', [turnStart(1)], stepStart('2.1')],
  ['open-turn', 'a claim outside a turn', [inserted('A')], claimed(1, ['A'])],
  ['open-turn', 'the end of a turn that is over', wholeTurn(1, 'A'), turnEnd(1)],
  ['open-turn', 'a cancel that hit a turn that is over', wholeTurn(1, 'A'), cancelled(1)],
  ['open-turn', 'a decision after its turn', wholeTurn(1, 'A'), continued('1.1')],
  ['open-turn', 'a context message outside a turn', [], context(1, 'X')],
  ['no-open-step', 'a turn end over an open step', one, turnEnd(1)],
  ['no-open-step', 'a claim inside a step', [...one, inserted('B')], claimed(1, ['B'])],
  ['no-open-step', 'a step inside a step', one, stepStart('1.2')],
  ['no-open-step', 'a decision inside a step', one, continued('1.1')],
  ['no-open-step', 'a context message inside a step', one, context(1, 'X')],
  ['next-step-number', 'a first step that is not 1', [turnStart(1)], stepStart('1.2')],
  [
    'next-step-number',
    'a gap in the step numbers',
    [...one, answer('1.1'), stepEnd('1.1')],
    stepStart('1.3'),
  ],
  [
    'injection-turn',
    'a step in an injection turn',
    [turnStart(1), context(1, 'X')],
    stepStart('1.1'),
  ],
  [
    'injection-turn',
    'a context message behind a step',
    [...one, answer('1.1'), stepEnd('1.1')],
    context(1, 'X'),
  ],
  [
    'compaction-pairs',
    'a summary without a start',
    [inserted('A')],
    compaction('summary', null, 0, 0),
  ],
  [
    'compaction-pairs',
    'a second end',
    [inserted('A'), compaction('start', null, 0, 0), compaction('end', null, 0, 0)],
    compaction('end', null, 0, 0),
  ],
  [
    'compaction-pairs',
    'an end over another range',
    [inserted('A'), inserted('B'), compaction('start', null, 0, 0)],
    compaction('end', null, 0, 1),
  ],
  ['earlier-cites', 'an event that cites itself', [inserted('A')], { ...turnStart(1), cites: [1] }],
  [
    'earlier-cites',
    'an event that cites a negative seq',
    [inserted('A')],
    { ...turnStart(1), cites: [-1] },
  ],
]

const allowed: Row[] = [
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

it.each(refused)('%s refuses %s', (rule, _what, behind, event) => {
  expect(verdict(behind, event)).toBe(rule)
})
it.each(allowed)('%s: %s', (rule, _what, behind, event) => {
  expect(verdict(behind, event)).toBe(rule)
})
