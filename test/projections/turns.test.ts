/**
 * The records of turns and what they spent.
 *
 * @module
 */
import { beforeEach, describe, expect, it } from 'vitest'
import type { StepAt } from '../../src/events/event.ts'
import type { Usage } from '../../src/events/message.ts'
import { fold } from '../../src/projections/projection.ts'
import { addUsage } from '../../src/projections/spending.ts'
import { turns, turnsView } from '../../src/projections/turns.ts'
import { usage, usageByTurn, usageOfTurn } from '../../src/projections/usage.ts'
import { LogScript, REASONS } from '../support/log-script.ts'
import { says, textMessage } from '../support/log-writer.ts'

let log: LogScript
beforeEach(() => {
  log = new LogScript()
})

const records = () => turnsView(fold(turns, log.events))
const spent = () => fold(usage, log.events)

const open = (id: string): StepAt => {
  log.followup(id)
  log.claim(log.start(), [id])
  return log.step(id)
}
const report = (at: StepAt, attempt: number, part: Usage): void => {
  log.put('assistant/chunk', { ...at, attempt, chunk: { kind: 'usage', usage: part } })
}
const message = (at: StepAt, part?: Usage): void => {
  log.put('assistant/message', { ...at, message: says('x'), ...(part && { usage: part }) })
}
const fail = (at: StepAt, attempt: number, part?: Usage): void => {
  log.put('request/failed', {
    ...at,
    attempt,
    provider: 'p',
    failure: { code: 'SERVER', message: 'boom' },
    action: 'retry',
    delayMs: 0,
    ...(part && { usage: part }),
  })
}

describe('turns', () => {
  it('tell what a turn claimed, left out, and why it ended', () => {
    log.followup('A')
    log.followup('B')
    log.steer('S')
    const from = log.events.length
    log.claim(log.start(), ['A', 'B'])
    log.put('step/end', log.step('S', 'A'))
    log.end('error', { parks: 'error' })
    const to = log.events.length - 1
    expect(records()).toEqual([
      {
        turn: 1,
        from,
        startedAt: 1000 + from,
        to,
        endedAt: 1000 + to,
        reason: REASONS.error,
        steps: 1,
        claimed: ['S', 'A', 'B'],
        uncommitted: ['B'],
        injection: false,
        parks: 'error',
        usage: {},
      },
    ])
  })

  it('tell an open turn, and one that only took in context', () => {
    log.put('context/message', { turn: log.start(), message: textMessage('X', 'plugin') })
    log.end('completed')
    log.start()
    expect(records()).toMatchObject([
      { turn: 1, injection: true, steps: 0, reason: REASONS.completed },
      { turn: 2, injection: false, reason: null, to: null, endedAt: null },
    ])
  })

  it('attach what repair adds to the turn it belongs to', () => {
    log.start()
    log.turn('B', 'two')
    log.put('turn/end', { turn: 1, reason: REASONS.interrupted, uncommitted: [] })
    expect(records().map(({ reason }) => reason?.kind)).toEqual(['interrupted', 'completed'])
  })
})

describe('usage', () => {
  it('of a message counts once, although its stream has reported it', () => {
    const at = open('A')
    report(at, 1, { inputTokens: 5 })
    message(at, { inputTokens: 5, outputTokens: 2 })
    expect(spent().total).toEqual({ inputTokens: 5, outputTokens: 2 })
  })

  it('of failed attempts counts, reported in the failure or in the stream', () => {
    const at = open('A')
    fail(at, 1, { inputTokens: 1 })
    report(at, 2, { inputTokens: 10 })
    fail(at, 2)
    message(at, { inputTokens: 100 })
    expect(spent().total).toEqual({ inputTokens: 111 })
  })

  it('of an attempt that an abort cut before anything was visible counts', () => {
    const at = open('A')
    report(at, 1, { inputTokens: 7 })
    log.put('step/end', at)
    log.end('aborted')
    expect(spent().total).toEqual({ inputTokens: 7 })
  })

  it('is told by turn, and in the records of turns', () => {
    const first = open('A')
    message(first, { inputTokens: 1 })
    log.put('step/end', first)
    log.end('completed')
    message(open('B'), { inputTokens: 2 })
    const byTurn = [
      { turn: 1, usage: { inputTokens: 1 } },
      { turn: 2, usage: { inputTokens: 2 } },
    ]
    expect(usageByTurn(spent())).toEqual(byTurn)
    expect(records()).toMatchObject(byTurn)
    expect([1, 2, 3].map((turn) => usageOfTurn(spent(), turn).inputTokens)).toEqual([
      1,
      2,
      undefined,
    ])
  })

  it('that a crashed stream has reported is booked when repair closes its step, and to its turn', () => {
    const at = open('A')
    report(at, 1, { inputTokens: 1 })
    const later = open('B')
    report(later, 1, { inputTokens: 10 })
    message(later)
    expect(spent().total).toEqual({ inputTokens: 10 })
    log.put('step/end', at)
    expect(usageByTurn(spent())).toEqual([
      { turn: 1, usage: { inputTokens: 1 } },
      { turn: 2, usage: { inputTokens: 10 } },
    ])
  })

  it('reported in parts is taken together', () => {
    const at = open('A')
    report(at, 1, { inputTokens: 5, outputTokens: 1 })
    report(at, 1, { outputTokens: 2 })
    message(at)
    expect(spent().total).toEqual({ inputTokens: 5, outputTokens: 2 })
  })

  it('of a prefix that repair finalises is booked to its own turn', () => {
    const at = open('A')
    message(open('B'), { inputTokens: 2 })
    log.put('assistant/message', {
      ...at,
      message: says('pre'),
      interrupted: true,
      usage: { inputTokens: 1 },
    })
    expect(usageOfTurn(spent(), 1)).toEqual({ inputTokens: 1 })
    expect(usageOfTurn(spent(), 2)).toEqual({ inputTokens: 2 })
  })

  it('leaves unknown numbers out of a sum until somebody knows them', () => {
    expect(addUsage({}, {})).toEqual({})
    expect(addUsage({ inputTokens: 1 }, { outputTokens: 0 })).toEqual({
      inputTokens: 1,
      outputTokens: 0,
    })
  })
})
