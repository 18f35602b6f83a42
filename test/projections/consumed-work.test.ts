/**
 * Which turn accounts for the work, on the fragments of logs that the scenarios give, and on some of our own.
 *
 * @module
 */
import { describe, expect, it } from 'vitest'
import { consumedWork, type ConsumedWork } from '../../src/projections/consumed-work.ts'
import { LogScript } from '../support/log-script.ts'
import { readLines } from '../support/read-lines.ts'

interface Case {
  readonly name: string
  readonly log: readonly string[]
  readonly observed: ConsumedWork
}

const QUEUED_A = 'inbox next-turn @0 +["A"]'
const CLAIMED = 'inbox next-turn @0 -1 claimed'
const NOTHING: ConsumedWork = { end: null, turn: null, droppedUnrun: false }

const ran = (turn: number, id: string): string[] => [
  `inbox next-turn @0 +["${id}"]`,
  `turn/start ${turn}`,
  CLAIMED,
  `step/start ${turn}.1`,
  `user/message "${id}"`,
  `assistant/message ${turn}.1 "one"`,
  `step/end ${turn}.1`,
  `turn/end ${turn} completed`,
]

const CASES: readonly Case[] = [
  {
    name: 'PJ-01 a turn that stepped accounts for work',
    log: ran(1, 'A'),
    observed: { end: 'completed', turn: 1, droppedUnrun: false },
  },
  {
    name: 'PJ-02 an aborted turn that claimed but never stepped accounts for its claim',
    log: [
      QUEUED_A,
      'turn/start 1',
      CLAIMED,
      'cancel/requested user 1',
      'turn/end 1 aborted:user uncommitted ["A"]',
    ],
    observed: { end: 'aborted', turn: 1, droppedUnrun: false },
  },
  {
    name: 'PJ-03 a blocked turn that claimed accounts for its claim',
    log: [QUEUED_A, 'turn/start 1', CLAIMED, 'turn/end 1 blocked uncommitted ["A"]'],
    observed: { end: 'blocked', turn: 1, droppedUnrun: false },
  },
  {
    name: 'PJ-05 a turn without step and claim accounts for nothing',
    log: [QUEUED_A, 'turn/start 1', 'cancel/requested user 1 keepInbox', 'turn/end 1 aborted:user'],
    observed: NOTHING,
  },
  {
    name: 'PJ-06 work discarded after the accounting turn is reported as dropped',
    log: [...ran(1, 'A'), 'inbox next-turn @0 +["B"]', 'inbox next-turn @0 -1 canceled'],
    observed: { end: 'completed', turn: 1, droppedUnrun: true },
  },
  {
    name: 'PJ-08 a replacement is not a drop',
    log: ['inbox next-turn @0 +["Q"]', 'inbox next-turn @0 -1 canceled +["Q2"]'],
    observed: NOTHING,
  },
  {
    name: 'PJ-09 work discarded before any turn opened is dropped, with no accounting turn',
    log: [QUEUED_A, 'inbox next-turn @0 -1 canceled', 'cancel/requested user - discarded ["A"]'],
    observed: { end: null, turn: null, droppedUnrun: true },
  },
  {
    name: 'PJ-11 moving a message between the lists counts as neither claim nor drop',
    log: ['inbox next-turn @0 +["B"]', 'inbox move "B" next-turn@0 -> next-step@0'],
    observed: NOTHING,
  },
  {
    name: 'a completed turn that claimed but dropped its batch accounts for nothing',
    log: [QUEUED_A, 'turn/start 1', CLAIMED, 'turn/end 1 completed uncommitted ["A"]'],
    observed: NOTHING,
  },
  {
    name: 'an injection turn is no work, and leaves the answer of the turn before it',
    log: [...ran(1, 'A'), 'turn/start 2', 'context/message "X" <plugin>', 'turn/end 2 completed'],
    observed: { end: 'completed', turn: 1, droppedUnrun: false },
  },
  {
    name: 'work dropped before the accounting turn is not reported any more',
    log: [QUEUED_A, 'inbox next-turn @0 -1 canceled', ...ran(1, 'B')],
    observed: { end: 'completed', turn: 1, droppedUnrun: false },
  },
  {
    name: 'a later turn that accounts takes over',
    log: [
      ...ran(1, 'A'),
      'inbox next-turn @0 +["B"]',
      'turn/start 2',
      CLAIMED,
      'turn/end 2 error:SERVER uncommitted ["B"]',
    ],
    observed: { end: 'error', turn: 2, droppedUnrun: false },
  },
  {
    name: 'context that nobody waits for is no work: discarding it drops nothing',
    log: ['inbox next-step @0 +["X" <plugin>]', 'inbox next-step @0 -1 canceled'],
    observed: NOTHING,
  },
  {
    name: 'a discarded steer is dropped work',
    log: ['inbox next-step @0 +["S"]', 'inbox next-step @0 -1 canceled'],
    observed: { end: null, turn: null, droppedUnrun: true },
  },
]

describe('consumed work', () => {
  it.each(CASES)('$name', ({ log, observed }) => {
    expect(consumedWork(readLines(log))).toEqual(observed)
  })

  it('a discard of what a replacement took over is no drop', () => {
    const log = new LogScript()
    log.followup('Q')
    log.discard(['Q'], 'replaced')
    expect(consumedWork(log.events)).toEqual(NOTHING)
  })

  it('the repair of an earlier turn does not take over from a later one', () => {
    const log = new LogScript()
    log.followup('A')
    log.claim(log.start(), ['A'])
    log.turn('B', 'two')
    log.put('turn/end', { turn: 1, reason: { kind: 'interrupted' }, uncommitted: ['A'] })
    expect(consumedWork(log.events)).toMatchObject({ end: 'completed', turn: 2 })
  })

  it('an open turn accounts for nothing yet', () => {
    expect(consumedWork(readLines(ran(1, 'A').slice(0, -1)))).toEqual(NOTHING)
  })
})
