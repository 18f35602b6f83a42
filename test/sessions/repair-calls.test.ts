/**
 * Repair answers calls with what is true of them.
 */
import { describe, expect, it } from 'vitest'
import { repairEvents } from '../../src/sessions/repair.ts'
import { AT, call, called, openStep, twoCalls } from '../support/crashed.ts'

const QUESTION = { tool: 't', arguments: {} }

describe('calls without a result', () => {
  it('R3: answers a recorded call as unknown, citing it, and says whether a repetition is safe', () => {
    const log = twoCalls()
    const first = called(log, 0)
    const repeatable = called(log, 1, { repeatable: true })
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
    called(log, 0)
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
    called(log, 0)
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
    called(log, 0)
    log.put('approval/asked', { ...AT, call: call(0), question: QUESTION })
    log.put('approval/decided', { ...AT, call: call(0), answer: 'allow', by: 'ann' })
    const [result] = repairEvents(log.events)
    expect(result?.data).toMatchObject({ outcome: { code: 'OUTCOME_UNKNOWN' } })
  })

  it('answers the calls of a truncated step as cut, since they were never to be run', () => {
    const log = openStep()
    const message = { role: 'assistant', content: [] } as const
    log.put('assistant/message', { ...AT, message, finish: 'max-tokens' })
    log.put('tool/call', { ...AT, call: call(0), name: 't', arguments: '{"a' })
    const [result] = repairEvents(log.events)
    expect(result?.data).toMatchObject({ outcome: { code: 'ARGUMENTS_CUT' } })
  })
})
