import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { TurnwiseError } from '../../src/errors.ts'
import { checkLog, Ledger, loadLedger } from '../../src/events/enclosure.ts'
import type { NewEvent } from '../../src/events/event.ts'
import { claimed, stepEnd, turnStart, stored } from './sample.ts'
import { Simulation } from './simulation.ts'

const log = fc
  .tuple(fc.integer({ min: 1, max: 4 }), fc.infiniteStream(fc.nat({ max: 999 })))
  .map(([turns, draws]) => new Simulation((n) => (draws.next().value as number) % n).run(turns))

/** Everything the ledger holds, copied. */
const contents = (ledger: Ledger) => structuredClone(Object.entries(ledger))

/** Everything that a prefix may be followed by: the log itself, its mirror, and odd ends. */
const strangers = (events: readonly NewEvent[]): NewEvent[] => [
  ...events.slice(0, 10),
  ...events.slice(-10),
  turnStart(99),
  stepEnd('1.1'),
  claimed(1, ['nobody']),
]

it('a log of the life cycle is accepted, also when it is loaded, and at every prefix', () => {
  fc.assert(
    fc.property(log, (events) => {
      const ledger = new Ledger()
      for (const event of events) {
        ledger.check(event)
        ledger.apply(event)
      }
      checkLog(stored(events))
      expect(contents(loadLedger(stored(events)))).toEqual(contents(ledger))
      expect(ledger.balanced && ledger.openTurn === null).toBe(true)
    }),
  )
})

it('checking changes nothing, whatever the answer is', () => {
  fc.assert(
    fc.property(log, fc.nat(), (events, draw) => {
      const ledger = new Ledger()
      for (const event of events.slice(0, draw % (events.length + 1))) ledger.apply(event)
      const before = contents(ledger)
      for (const stranger of strangers(events)) {
        try {
          ledger.check(stranger)
        } catch (error) {
          if (!(error instanceof TurnwiseError)) throw error
        }
      }
      expect(contents(ledger)).toEqual(before)
    }),
    { numRuns: 50 },
  )
})

/** Types whose events may neither be missing nor stand twice. */
const ONCE = new Set([
  'turn/start',
  'step/start',
  'step/end',
  'turn/end',
  'inbox/inserted',
  'tool/call',
  'assistant/message',
])
const inserts = (events: readonly NewEvent[], at: number, ...more: NewEvent[]) => [
  ...events.slice(0, at),
  ...more,
  ...events.slice(at),
]

function accepted(events: readonly NewEvent[]): boolean {
  const ledger = new Ledger()
  try {
    for (const event of events) {
      ledger.check(event)
      ledger.apply(event)
    }
    return true
  } catch (error) {
    if (error instanceof TurnwiseError) return false
    throw error
  }
}

it('an event of the frame that stands twice is refused', () => {
  fc.assert(
    fc.property(log, fc.nat(), (events, draw) => {
      const frame = events.map((_, at) => at).filter((at) => ONCE.has(events[at]?.type ?? ''))
      const at = frame[draw % frame.length] ?? 0
      expect(accepted(inserts(events, at + 1, events[at] as NewEvent))).toBe(false)
    }),
  )
})

it('an event of the frame that is missing is refused where the log goes on', () => {
  fc.assert(
    fc.property(log, fc.nat(), (events, draw) => {
      const needed = new Set(['turn/start', 'step/start', 'step/end'])
      const frame = events.map((_, at) => at).filter((at) => needed.has(events[at]?.type ?? ''))
      const at = frame[draw % frame.length] ?? 0
      expect(accepted([...events.slice(0, at), ...events.slice(at + 1)])).toBe(false)
    }),
  )
})

it('an answer that is missing is refused', () => {
  fc.assert(
    fc.property(log, fc.nat(), (events, draw) => {
      const answers = events.map((_, at) => at).filter((at) => events[at]?.type === 'tool/result')
      fc.pre(answers.length > 0)
      const at = answers[draw % answers.length] ?? 0
      expect(accepted([...events.slice(0, at), ...events.slice(at + 1)])).toBe(false)
    }),
  )
})

it('an event that moves out of its turn is refused', () => {
  fc.assert(
    fc.property(log, fc.nat(), (events, draw) => {
      const within = events
        .map((_, at) => at)
        .filter((at) => /^(user|assistant|tool|step)\//.test(events[at]?.type ?? ''))
      fc.pre(within.length > 0)
      const at = within[draw % within.length] ?? 0
      const rest = [...events.slice(0, at), ...events.slice(at + 1)]
      expect(accepted([events[at] as NewEvent, ...rest])).toBe(false)
    }),
  )
})
