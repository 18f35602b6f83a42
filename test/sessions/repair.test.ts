/**
 * Repair: what a crash left open is closed by appending alone.
 */
import { assert, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkLog } from '../../src/events/enclosure.ts'
import { createMemoryLog } from '../../src/log/memory-log.ts'
import { history, historyView } from '../../src/projections/history.ts'
import { inbox } from '../../src/projections/inbox.ts'
import { fold } from '../../src/projections/projection.ts'
import { repairEvents, repairLog } from '../../src/sessions/repair.ts'
import { parseLog } from '../../src/testing/parse-log.ts'
import { printLog } from '../../src/testing/print-event.ts'
import { appended, HEADER } from '../support/crashed.ts'
import { LogScript } from '../support/log-script.ts'
import { anyLog } from '../support/random-log.ts'

/** The lines that repair appends to a printed log. */
function repaired(...lines: string[]): string[] {
  const events = parseLog(lines)
  return printLog(appended(events, repairEvents(events)), { verbose: true }).slice(lines.length)
}

const OPENED = [
  'inbox next-turn @0 +["A"]',
  'turn/start 1',
  'inbox next-turn @0 -1 claimed',
  'step/start 1.1',
  'user/message "A"',
]

describe('repairEvents', () => {
  it('R1: closes every prefix of every valid log so that the checker accepts it, and only by appending', () => {
    assert(
      property(anyLog(160), ({ events }) => {
        for (let length = 0; length <= events.length; length += 1) {
          const prefix = events.slice(0, length)
          const whole = appended(prefix, repairEvents(prefix))
          checkLog(whole)
          const { ledger } = createMemoryLog({ header: HEADER, events: whole })
          expect(ledger.openTurn).toBeNull()
          expect(ledger.balanced).toBe(true)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('R2: goes on with a repair that was cut at any event as if it had not been cut', () => {
    assert(
      property(anyLog(120), ({ events }) => {
        for (let length = 1; length <= events.length; length += 1) {
          const prefix = events.slice(0, length)
          const repair = repairEvents(prefix)
          const whole = appended(prefix, repair)
          for (let cut = 0; cut <= repair.length; cut += 1) {
            expect(repairEvents(whole.slice(0, length + cut))).toEqual(repair.slice(cut))
          }
        }
      }),
      { numRuns: 40 },
    )
  })

  it('R4: every claimed message is committed, named as uncommitted or pending afterwards, and never lost', () => {
    assert(
      property(anyLog(120), ({ events }) => {
        for (let length = 0; length <= events.length; length += 1) {
          const prefix = events.slice(0, length)
          const { ledger } = createMemoryLog({ header: HEADER, events: prefix })
          const claimed = [...(ledger.turn?.claimed ?? [])]
          const repair = repairEvents(prefix)
          const { nextStep, nextTurn } = fold(inbox, appended(prefix, repair))
          const pending = [...nextStep, ...nextTurn].filter((entry) => entry.mark === 'recovered')
          const back = pending.filter((entry) => !entry.wake).map((entry) => entry.message.id)
          for (const id of claimed) expect(back).toContain(id)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('RP-01: adds nothing to an empty log and to a balanced one', () => {
    const script = new LogScript()
    script.turn('A', 'one')
    expect(repairEvents([])).toEqual([])
    expect(repairEvents(script.events)).toEqual([])
  })

  it('RS-09: puts a batch that was claimed and not committed back at the head, unwaking and marked', () => {
    expect(
      repaired(
        'inbox next-step @0 +["X" <plugin>]',
        'inbox next-turn @0 +["A"]',
        'inbox next-turn @1 +["B"]',
        'turn/start 1',
        'inbox next-step @0 -1 claimed',
        'inbox next-turn @0 -1 claimed',
      ),
    ).toEqual([
      'turn/end 1 interrupted uncommitted ["X" <plugin>, "A"]',
      'inbox next-step @0 +["X" <plugin>] recovered',
      'inbox next-turn @0 +["A"] recovered',
    ])
  })

  it('R4: a later crash puts its own messages at the head again, whatever an earlier repair has put there', () => {
    expect(
      repaired(
        'inbox next-turn @0 +["A"]',
        'turn/start 1',
        'inbox next-turn @0 -1 claimed',
        'turn/end 1 interrupted uncommitted ["A"]',
        'inbox next-turn @0 +["A"] recovered',
        'session/opened resume',
        'inbox next-turn @1 +["B"]',
        'turn/start 2',
        'inbox next-turn @0 -1 claimed',
      ),
    ).toEqual(['turn/end 2 interrupted uncommitted ["A"]', 'inbox next-turn @0 +["A"] recovered'])
  })

  it('FC02: finds an open call in an earlier turn and in a closed step, and the history puts the outcome behind its call', () => {
    const lines = [
      ...OPENED,
      'assistant/message 1.1 call c1=t',
      'tool/call 1.1 c1 t',
      'turn/start 2',
      'inbox next-turn @0 +["B"]',
      'inbox next-turn @0 -1 claimed',
      'step/start 2.1',
      'user/message "B"',
      'assistant/message 2.1 "two"',
      'step/end 2.1',
      'turn/end 2 completed',
    ]
    expect(repaired(...lines)).toEqual([
      'tool/result 1.1 c1 error:OUTCOME_UNKNOWN',
      'step/end 1.1',
      'turn/end 1 interrupted',
    ])
    const events = parseLog(lines)
    const roles = historyView(fold(history, appended(events, repairEvents(events))))
    expect(roles.map((entry) => entry.role)).toEqual([
      'user',
      'assistant',
      'tool',
      'user',
      'assistant',
    ])
  })
})

describe('repairLog', () => {
  it('appends at the time of the last stored event, and nothing the second time', () => {
    const events = parseLog([...OPENED, 'assistant/message 1.1 call c1=t']).map((event) => ({
      ...event,
      time: 7000 + event.seq,
    }))
    const log = createMemoryLog({ header: HEADER, events })
    expect(repairLog(log)).toBe(3)
    expect(log.read(events.length).map((event) => event.time)).toEqual([7005, 7005, 7005])
    expect(repairLog(log)).toBe(0)
  })

  it('finishes a repair that had closed the turn and not yet put its messages back', () => {
    const events = parseLog([
      'inbox next-turn @0 +["A"]',
      'turn/start 1',
      'inbox next-turn @0 -1 claimed',
      'turn/end 1 interrupted uncommitted ["A"]',
    ])
    const log = createMemoryLog({ header: HEADER, events })
    expect(repairLog(log)).toBe(1)
    expect(fold(inbox, log.read()).nextTurn).toMatchObject([{ mark: 'recovered', wake: false }])
  })
})
