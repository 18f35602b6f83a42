import { describe, expect, it } from 'vitest'
import { EnclosureError, LogCorruptError } from '../../src/errors.ts'
import { checkLog, loadLedger } from '../../src/events/enclosure.ts'
import type { NewEvent } from '../../src/events/event.ts'
import {
  answer,
  asked,
  called,
  chunk,
  claimed,
  decided,
  failed,
  inserted,
  ledgerOf,
  opening,
  result,
  stepEnd,
  stepStart,
  stored,
  turnEnd,
  turnStart,
  user,
  wholeTurn,
} from './sample.ts'

const interrupted = { kind: 'interrupted' } as const
/** The last turn of each log that a crash may leave behind, and what a repair appends to it. */
const crashes: [what: string, log: NewEvent[], repair: NewEvent[]][] = [
  ['in a turn without a step', [inserted('A'), turnStart(1)], [turnEnd(1, [], interrupted)]],
  ['after a claim', opening().slice(0, 3), [turnEnd(1, ['A'], interrupted)]],
  ['in a step', opening(), [stepEnd('1.1'), turnEnd(1, [], interrupted)]],
  [
    'in a stream',
    [...opening(), chunk('1.1', 'pre')],
    [answer('1.1', 0, { interrupted: true }), stepEnd('1.1'), turnEnd(1, [], interrupted)],
  ],
  [
    'before and in a call',
    [...opening(), answer('1.1', 2), called('1.1')],
    [
      result('1.1', 0, failed('OUTCOME_UNKNOWN')),
      result('1.1', 1, failed('NOT_STARTED')),
      stepEnd('1.1'),
      turnEnd(1, [], interrupted),
    ],
  ],
  [
    'with an open question',
    [...opening(), answer('1.1', 1), asked('1.1')],
    [
      result('1.1', 0, failed('NOT_STARTED')),
      decided('1.1', 'cancelled'),
      stepEnd('1.1'),
      turnEnd(1, [], interrupted),
    ],
  ],
]
const later = [turnStart(2), stepStart('2.1'), user('2.1', 'B')]

describe('loading a log of a process that died', () => {
  it.each(crashes)('%s: the tail may be open, and a repair closes it', (_what, log, repair) => {
    const ledger = loadLedger(stored(log))
    expect([ledger.openTurn, ledger.balanced]).toEqual([1, true])
    for (const event of repair) {
      ledger.check(event)
      ledger.apply(event)
    }
    expect([ledger.openTurn, ledger.openStep, ledger.balanced]).toEqual([null, null, true])
  })

  it.each(crashes)(
    '%s, and a later turn opened over it: it loads, appending is refused until then',
    (_what, log) => {
      expect(() => ledgerOf([...log, ...later])).toThrow(EnclosureError)
      const ledger = loadLedger(stored([...log, ...later]))
      expect([ledger.openTurn, ledger.balanced]).toEqual([2, false])
      expect(ledger.strayTurns.map((turn) => turn.turn)).toEqual([1])
    },
  )

  it.each(crashes)(
    '%s, and a later turn: the repair of the earlier one may stand behind it',
    (_what, log, repair) => {
      const ledger = loadLedger(stored([...log, ...later]))
      for (const event of repair) {
        ledger.check(event)
        ledger.apply(event)
      }
      expect([ledger.openTurn, ledger.openStep, ledger.balanced]).toEqual([2, 1, true])
      expect(() => {
        checkLog(stored([...log, ...later, ...repair]))
      }).not.toThrow()
    },
  )

  it.each(crashes)('%s, and a later turn without a repair: checkLog says so', (_what, log) => {
    expect(() => {
      checkLog(stored([...log, ...later]))
    }).toThrow(LogCorruptError)
  })

  it.each([
    ['turn 1', [turnStart(1), ...later]],
    ['step 1.1', [...opening(), ...later]],
  ])('checkLog names what was left open: %s', (at, log) => {
    const summary = `${at} was left open and never repaired`
    expect(() => {
      checkLog(stored(log))
    }).toThrow(
      expect.objectContaining({
        code: 'LOG_CORRUPT',
        position: log.length,
        summary: `${summary}. Repair the log.`,
        cause: expect.objectContaining({ rule: 'unanswered-call', summary }),
      }),
    )
  })

  const closedOver = [...opening(), answer('1.1', 1), called('1.1'), stepEnd('1.1'), turnEnd(1)]

  it('a step that closed over an unanswered call stays known, and takes the answer late', () => {
    const ledger = loadLedger(stored([...closedOver, ...wholeTurn(2, 'B')]))
    expect(ledger.straySteps.map((step) => [step.turn, step.step, step.unanswered])).toEqual([
      [1, 1, 1],
    ])
    const late = result('1.1', 0, failed('OUTCOME_UNKNOWN'))
    ledger.check(late)
    ledger.apply(late)
    expect(ledger.balanced).toBe(true)
    expect(() => {
      ledger.check(late)
    }).toThrow(EnclosureError)
  })

  it('a turn does not end over such a step while it is repaired', () => {
    const ledger = loadLedger(stored([...opening(), answer('1.1', 1), stepEnd('1.1')]))
    expect(() => {
      ledger.check(turnEnd(1))
    }).toThrow(expect.objectContaining({ rule: 'unanswered-call' }))
  })

  it('a turn does not end over a step that was left open', () => {
    const ledger = loadLedger(stored([...opening(), stepStart('1.2')]))
    ledger.apply(stepEnd('1.2'))
    expect(() => {
      ledger.check(turnEnd(1))
    }).toThrow(
      expect.objectContaining({
        rule: 'no-open-step',
        summary: 'turn/end needs no open step, but step 1.1 was left open. Nothing was recorded.',
      }),
    )
    expect(() => {
      ledger.apply(stepEnd('1.1'))
      ledger.check(stepEnd('1.1'))
    }).toThrow(expect.objectContaining({ rule: 'open-step' }))
  })

  it.each([
    ['in a step', later],
    ['outside a step', later.slice(0, 1)],
  ])(
    'nothing but a repair may touch a turn that was left open, while the next is %s',
    (_where, next) => {
      const ledger = loadLedger(stored([...opening(), ...next]))
      for (const event of [
        chunk('1.1'),
        answer('1.1'),
        called('1.1'),
        user('1.1', 'X'),
        claimed(1, []),
      ]) {
        expect(() => {
          ledger.check(event)
        }).toThrow(EnclosureError)
      }
    },
  )
})

describe('positions', () => {
  it('a gap in the seqs is named', () => {
    const events = stored(wholeTurn(1, 'A')).filter((event) => event.seq !== 4)
    expect(() => loadLedger(events)).toThrow(
      expect.objectContaining({
        code: 'LOG_CORRUPT',
        position: 4,
        summary: 'expected seq 4, found 5: the log has a gap. Restore it.',
      }),
    )
  })

  it('an event that may not stand where it stands is named, with the broken rule as the cause', () => {
    const events = stored([...wholeTurn(1, 'A'), inserted('A')])
    expect(() => loadLedger(events)).toThrow(
      expect.objectContaining({
        position: 9,
        summary: `event 9 (inbox/inserted) may not stand there: expected an id that is not in use, found "A", which is committed; nothing was recorded. Treat the message as already delivered.`,
        cause: expect.objectContaining({ code: 'DUPLICATE_ID' }),
      }),
    )
  })
})
