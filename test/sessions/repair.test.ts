/**
 * Repair: what a crash left open is closed by appending alone, and says what is true.
 */
import { assert, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkLog } from '../../src/events/enclosure.ts'
import type { NewEvent, StoredEvent } from '../../src/events/event.ts'
import { createMemoryLog } from '../../src/log/memory-log.ts'
import { history, historyView } from '../../src/projections/history.ts'
import { inbox } from '../../src/projections/inbox.ts'
import { fold } from '../../src/projections/projection.ts'
import { repairEvents, repairLog } from '../../src/sessions/repair.ts'
import { parseLog } from '../../src/testing/parse-log.ts'
import { printLog } from '../../src/testing/print-event.ts'
import { LogScript } from '../support/log-script.ts'
import { anyLog } from '../support/random-log.ts'

const HEADER = { id: 's1', formatVersion: 1, createdAt: 0 } as const

/** `events` with `more` behind them, at the time of the last. */
function appended(
  events: readonly StoredEvent[],
  more: readonly NewEvent[],
): readonly StoredEvent[] {
  const log = createMemoryLog({ header: HEADER, events })
  if (more.length > 0) log.append(more, events.at(-1)?.time ?? 0)
  return log.read()
}

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

/** A step with two calls, by hand. */
function twoCalls(): LogScript {
  const log = new LogScript()
  log.followup('A')
  log.claim(log.start(), ['A'])
  const at = log.step('A')
  const call = (index: number) => ({ key: `k${index}`, index, providerId: `c${index + 1}` })
  log.put('assistant/message', {
    ...at,
    message: {
      role: 'assistant',
      content: [0, 1].map((index) => ({
        type: 'tool-call' as const,
        call: call(index),
        name: 't',
        arguments: '{}',
      })),
    },
  })
  return log
}
const AT = { turn: 1, step: 1 }
const call = (index: number) => ({ key: `k${index}`, index, providerId: `c${index + 1}` })
const QUESTION = { tool: 't', arguments: {} }

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

  it('R3: answers a recorded call as unknown, citing it, and says whether a repetition is safe', () => {
    const log = twoCalls()
    const first = log.put('tool/call', { ...AT, call: call(0), name: 't', arguments: '{}' })
    const repeatable = log.put('tool/call', {
      ...AT,
      call: call(1),
      name: 't',
      arguments: '{}',
      repeatable: true,
    })
    const results = repairEvents(log.events).filter((event) => event.type === 'tool/result')
    expect(results.map((event) => event.cites)).toEqual([[first], [repeatable]])
    expect(results.map((event) => event.data.outcome)).toMatchObject([
      { code: 'OUTCOME_UNKNOWN', content: [{ text: expect.stringContaining('Check its effect') }] },
      {
        code: 'OUTCOME_UNKNOWN',
        repeatable: true,
        content: [{ text: expect.stringMatching(/safe/) }],
      },
    ])
  })

  it('R3: takes the value of a settled call, and answers what never started as not started, citing nothing', () => {
    const log = twoCalls()
    log.put('tool/call', { ...AT, call: call(0), name: 't', arguments: '{}' })
    const outcome = { kind: 'ok', content: [{ type: 'text', text: 'done' }] } as const
    log.put('tool/settled', { ...AT, call: call(0), outcome })
    const results = repairEvents(log.events).filter((event) => event.type === 'tool/result')
    expect(results.map((event) => event.data.outcome)).toMatchObject([
      outcome,
      { kind: 'error', code: 'NOT_STARTED' },
    ])
    expect(results[1]).not.toHaveProperty('cites')
  })

  it('R3: a call denied before the crash stays denied, and an open question is closed as cancelled first', () => {
    const log = twoCalls()
    log.put('tool/call', { ...AT, call: call(0), name: 't', arguments: '{}' })
    log.put('approval/asked', { ...AT, call: call(0), question: QUESTION })
    log.put('approval/asked', { ...AT, call: call(1), question: QUESTION })
    log.put('approval/decided', { ...AT, call: call(1), answer: 'deny', by: 'ann', reason: 'no' })
    const repair = repairEvents(log.events)
    expect(repair.map((event) => event.type)).toEqual([
      'approval/decided',
      'tool/result',
      'tool/result',
      'step/end',
      'turn/end',
    ])
    expect(repair.slice(0, 3).map((event) => event.data)).toMatchObject([
      { call: { key: 'k0' }, answer: 'cancelled' },
      { call: { key: 'k0' }, outcome: { code: 'OUTCOME_UNKNOWN' } },
      { call: { key: 'k1' }, outcome: { kind: 'denied', by: 'ann', reason: 'no' } },
    ])
  })

  it('R3: an allowed call may have run', () => {
    const log = twoCalls()
    log.put('tool/call', { ...AT, call: call(0), name: 't', arguments: '{}' })
    log.put('approval/asked', { ...AT, call: call(0), question: QUESTION })
    log.put('approval/decided', { ...AT, call: call(0), answer: 'allow', by: 'ann' })
    const [result] = repairEvents(log.events)
    expect(result?.data).toMatchObject({ outcome: { code: 'OUTCOME_UNKNOWN' } })
  })

  it('answers the calls of a truncated step as cut, since they were never to be run', () => {
    const log = new LogScript()
    log.followup('A')
    log.claim(log.start(), ['A'])
    const at = log.step('A')
    const message = { role: 'assistant', content: [] } as const
    log.put('assistant/message', { ...at, message, finish: 'max-tokens' })
    log.put('tool/call', { ...at, call: call(0), name: 't', arguments: '{"a' })
    const [result] = repairEvents(log.events)
    expect(result?.data).toMatchObject({ outcome: { code: 'ARGUMENTS_CUT' } })
  })

  describe('the streamed prefix', () => {
    const chunk = (kind: string, rest: object) => ({ ...AT, attempt: 1, chunk: { kind, ...rest } })
    function streaming(...chunks: ReturnType<typeof chunk>[]): LogScript {
      const log = new LogScript()
      log.followup('A')
      log.claim(log.start(), ['A'])
      log.step('A')
      for (const one of chunks) log.put('assistant/chunk', one as never)
      return log
    }
    const TEXT = [
      chunk('block-start', { block: 0, type: 'text' }),
      chunk('text-delta', { block: 0, text: 'partial' }),
    ]
    const CALL = [
      chunk('block-start', { block: 1, type: 'tool-call', id: 'c1', name: 't' }),
      chunk('tool-call-delta', { block: 1, text: '{' }),
    ]
    const FINISH = chunk('finish', { reason: 'stop' })

    it('RS-04: is one interrupted message with its usage that cites its chunks; calls never existed', () => {
      const usage = chunk('usage', { usage: { outputTokens: 3 } })
      const log = streaming(...TEXT, ...CALL, usage)
      const [message] = repairEvents(log.events)
      expect(message).toEqual({
        type: 'assistant/message',
        data: {
          ...AT,
          message: { role: 'assistant', content: [{ type: 'text', text: 'partial' }] },
          usage: { outputTokens: 3 },
          interrupted: true,
        },
        cites: [5, 6, 7, 8, 9],
      })
    })

    it('of a finished attempt that was never committed is kept as well', () => {
      expect(repairEvents(streaming(...TEXT, FINISH).events)[0]?.type).toBe('assistant/message')
    })

    it.each([
      ['nothing visible', [TEXT[0]!, chunk('text-delta', { block: 0, text: ' ' })]],
      ['a failed attempt', [...TEXT, chunk('finish', { reason: 'error' })]],
      ['an attempt that ended in the middle of a call', [...TEXT, ...CALL, FINISH]],
    ])('of %s is no message', (_what, chunks) => {
      const types = repairEvents(streaming(...chunks).events).map((event) => event.type)
      expect(types).toEqual(['step/end', 'turn/end'])
    })

    it('of an attempt recorded as failed is no message; that of the next attempt is', () => {
      const log = streaming(...TEXT)
      const failed = {
        ...AT,
        attempt: 1,
        provider: 'p',
        failure: { code: 'SERVER', message: 'boom' },
        action: 'retry',
        delayMs: 0,
      } as const
      log.put('request/failed', failed)
      expect(repairEvents(log.events)[0]?.type).toBe('step/end')
      log.put('assistant/chunk', {
        ...AT,
        attempt: 2,
        chunk: { kind: 'text-delta', block: 0, text: 'again' },
      })
      expect(repairEvents(log.events)[0]).toMatchObject({ cites: [8] })
    })
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
