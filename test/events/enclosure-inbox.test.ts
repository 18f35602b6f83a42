import { expect, it } from 'vitest'
import {
  cancelled,
  claimed,
  compaction,
  context,
  discarded,
  inserted,
  moved,
  opening,
  replaced,
  stepEnd,
  stepStart,
  turnEnd,
  turnStart,
  user,
  refusal,
  verdict,
  wholeTurn,
} from './sample.ts'
import type { Refused, Row } from './sample.ts'

const one = opening()
const pending = [inserted('A'), inserted('B', 'next-step'), inserted('C', 'next-turn', 1)]

const refused: Refused[] = [
  [
    'pending-id',
    'a claim of an unknown message',
    [turnStart(1)],
    claimed(1, ['A']),
    'expected an id that is pending in next-turn, found "A" (unknown)',
  ],
  [
    'pending-id',
    'a claim from the wrong list',
    [inserted('A'), turnStart(1)],
    claimed(1, [], ['A']),
    'expected an id that is pending in next-step, found "A" (next-turn)',
  ],
  [
    'pending-id',
    'a claim that names a message twice',
    [inserted('A'), turnStart(1)],
    claimed(1, ['A', 'A']),
    'expected each id once, found "A" twice',
  ],
  [
    'pending-id',
    'a discard of an unknown message',
    [],
    discarded('A'),
    'expected an id that is pending, found "A" (unknown)',
  ],
  [
    'pending-id',
    'a discard of a claimed message',
    one.slice(0, 3),
    discarded('A'),
    'expected an id that is pending, found "A" (claimed)',
  ],
  [
    'pending-id',
    'a discard that names a message twice',
    pending,
    discarded('A', 'A'),
    'expected each id once, found "A" twice',
  ],
  [
    'pending-id',
    'a move out of the wrong list',
    pending,
    moved('A', 'next-step', 'next-turn'),
    'expected an id that is pending in next-step, found "A" (next-turn)',
  ],
  [
    'pending-id',
    'a replacement in the wrong list',
    pending,
    replaced(['A'], ['A2'], 'next-step'),
    'expected an id that is pending in next-step, found "A" (next-turn)',
  ],
  [
    'index-range',
    'an insertion beyond the end',
    [inserted('A')],
    inserted('B', 'next-turn', 2),
    'expected an index from 0 to 1, found 2',
  ],
  [
    'index-range',
    'an insertion at a negative index',
    [],
    inserted('A', 'next-turn', -1),
    'expected an index from 0 to 0, found -1',
  ],
  [
    'index-range',
    'an insertion at no index',
    [],
    inserted('A', 'next-turn', Number.NaN),
    'expected an index from 0 to 0, found NaN',
  ],
  [
    'index-range',
    'a move beyond the end of its own list',
    pending,
    moved('A', 'next-turn', 'next-turn', 2),
    'expected an index from 0 to 1, found 2',
  ],
  [
    'index-range',
    'a replacement beyond the end',
    pending,
    replaced(['A'], ['A2'], 'next-turn', 2),
    'expected an index from 0 to 1, found 2',
  ],
  [
    'index-range',
    'a compaction of events to come',
    [inserted('A')],
    compaction('start', null, 0, 1),
    'expected a range within the 1 events of the log, found 0 to 1',
  ],
  [
    'uncommitted-ids',
    'a turn end that forgets a claimed message',
    one.slice(0, 3),
    turnEnd(1),
    'expected every claimed id that was not committed, in claim order (["A"]), found []',
  ],
  [
    'uncommitted-ids',
    'a turn end that names a committed message',
    [...one, stepEnd('1.1')],
    turnEnd(1, ['A']),
    'expected every claimed id that was not committed, in claim order ([]), found ["A"]',
  ],
  [
    'uncommitted-ids',
    'a turn end that names a pending message',
    [inserted('A'), turnStart(1)],
    turnEnd(1, ['A']),
    'expected every claimed id that was not committed, in claim order ([]), found ["A"]',
  ],
  [
    'uncommitted-ids',
    'a turn end that names them out of order',
    [inserted('A'), inserted('B', 'next-turn', 1), turnStart(1), claimed(1, ['A', 'B'])],
    turnEnd(1, ['B', 'A']),
    'expected every claimed id that was not committed, in claim order (["A","B"]), found ["B","A"]',
  ],
  [
    'cancel-names',
    'a cancel that names a pending message as discarded',
    [inserted('A')],
    cancelled(null, 'A'),
    'cancel/requested names "A" as discarded, but it is pending',
  ],
  [
    'DUPLICATE_ID',
    'an insertion of a pending id',
    [inserted('A')],
    inserted('A', 'next-step'),
    '"A", which is pending in next-turn',
  ],
  [
    'DUPLICATE_ID',
    'an insertion of a claimed id',
    one.slice(0, 3),
    inserted('A'),
    '"A", which is claimed',
  ],
  [
    'DUPLICATE_ID',
    'an insertion of a committed id',
    wholeTurn(1, 'A'),
    inserted('A'),
    '"A", which is committed',
  ],
  [
    'DUPLICATE_ID',
    'a replacement by a pending id',
    pending,
    replaced(['A'], ['C']),
    '"C", which is pending in next-turn',
  ],
  [
    'DUPLICATE_ID',
    'a replacement by two of one id',
    pending,
    replaced(['A'], ['D', 'D']),
    '"D", which is named twice by the replacement',
  ],
  ['DUPLICATE_ID', 'a message committed twice', one, user('1.1', 'A'), '"A", which is committed'],
  [
    'DUPLICATE_ID',
    'a commit of a pending message',
    [...pending, turnStart(1), stepStart('1.1')],
    user('1.1', 'A'),
    '"A", which is pending in next-turn',
  ],
  [
    'DUPLICATE_ID',
    'a context message of a committed id',
    [...wholeTurn(1, 'A'), turnStart(2)],
    context(2, 'A'),
    '"A", which is committed',
  ],
]

const allowed: Row[] = [
  ['ok', 'an insertion inside a step', one, inserted('B')],
  ['ok', 'a discard across both lists', pending, discarded('B', 'A', 'C')],
  ['ok', 'a replacement that keeps its id', pending, replaced(['A'], ['A'])],
  ['ok', 'a replacement by more messages', pending, replaced(['A', 'C'], ['D', 'E', 'F'])],
  ['ok', 'a move to the end of its own list', pending, moved('A', 'next-turn', 'next-turn', 1)],
  ['ok', 'a move to the end of the other list', pending, moved('A', 'next-turn', 'next-step', 1)],
  ['ok', 'an id used again after a discard', [inserted('A'), discarded('A')], inserted('A')],
  [
    'ok',
    'an id used again after a turn that did not commit it',
    [...one.slice(0, 3), turnEnd(1, ['A'])],
    inserted('A'),
  ],
]

it.each(refused)('%s refuses %s', (rule, _what, behind, event, words) => {
  expect(refusal(behind, event)).toEqual({ rule, words })
})
it.each(allowed)('%s: %s', (rule, _what, behind, event) => {
  expect(verdict(behind, event)).toBe(rule)
})
