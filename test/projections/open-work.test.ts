/**
 * What is open at the tail, and the small projections beside it: questions, cancels, header, status.
 *
 * @module
 */
import { beforeEach, describe, expect, it } from 'vitest'
import type { StepAt } from '../../src/events/event.ts'
import type { CallRef } from '../../src/events/message.ts'
import { approvals, openQuestion } from '../../src/projections/approvals.ts'
import { cancels } from '../../src/projections/cancels.ts'
import { openWork, type OpenWork } from '../../src/projections/open-work.ts'
import { fold } from '../../src/projections/projection.ts'
import { requestHeader } from '../../src/projections/request-header.ts'
import { status, statusOf } from '../../src/projections/status.ts'
import { LogScript } from '../support/log-script.ts'

let log: LogScript
let at: StepAt
let seen: { state: OpenWork; length: number }
beforeEach(() => {
  log = new LogScript()
  seen = { state: openWork.initial, length: 0 }
  log.followup('A')
  log.claim(log.start(), ['A'])
  at = log.step('A')
})

/** Folds on, so that an answer of the same object is seen. */
const work = () => {
  seen = {
    state: fold(openWork, log.events.slice(seen.length), seen.state),
    length: log.events.length,
  }
  return seen.state
}
const questions = () => fold(approvals, log.events).open.map(({ call }) => call.key)
const calls: CallRef[] = ['c0', 'c1'].map((key, index) => ({ key, index, providerId: 'p' }))
const [first, second] = calls as [CallRef, CallRef]

function asks(): void {
  const content = calls.map(
    (call) => ({ type: 'tool-call', call, name: 't', arguments: '{}' }) as const,
  )
  log.put('assistant/message', { ...at, message: { role: 'assistant', content } })
}
const begin = (call: CallRef): number =>
  log.put('tool/call', { ...at, call, name: 't', arguments: '{}' })
const OK = { kind: 'ok', content: [] } as const

describe('open work', () => {
  it('names turn, step and the attempt that streams', () => {
    expect(work()).toMatchObject({ turn: 1, step: 1, attempt: null })
    const chunk = { kind: 'text-delta', block: 0, text: 'x' } as const
    log.put('assistant/chunk', { ...at, attempt: 1, chunk })
    expect(work().attempt).toBe(1)
    asks()
    expect(work().attempt).toBeNull()
  })

  it('follows each call from its name to its result', () => {
    asks()
    begin(first)
    begin(second)
    log.put('tool/settled', { ...at, call: second, outcome: OK })
    expect(work().calls).toEqual([
      { call: first, name: 't', state: 'called', outcome: null },
      { call: second, name: 't', state: 'settled', outcome: OK },
    ])
    log.put('tool/result', { ...at, call: first, outcome: OK })
    expect(work().calls.map(({ call }) => call.key)).toEqual(['c1'])
  })

  it('knows a cut call from its tool/call on', () => {
    const message = { role: 'assistant', content: [] } as const
    log.put('assistant/message', { ...at, message, finish: 'max-tokens' })
    begin(first)
    expect(work().calls).toMatchObject([{ state: 'called', name: 't' }])
  })

  it('is not touched by the repair of an earlier turn', () => {
    asks()
    log.followup('B')
    log.claim(log.start(), ['B'])
    const chunk = { kind: 'text-delta', block: 0, text: 'x' } as const
    log.put('assistant/chunk', { ...log.step('B'), attempt: 1, chunk })
    const before = work()
    for (const call of calls) {
      const outcome = { kind: 'error', code: 'NOT_STARTED', content: [] } as const
      log.put('tool/result', { ...at, call, outcome })
    }
    log.put('step/end', at)
    log.put('turn/end', { turn: 1, reason: { kind: 'interrupted' }, uncommitted: [] })
    expect(work()).toBe(before)
    expect(before).toEqual({ turn: 2, step: 1, attempt: 1, calls: [] })
  })

  it('closes with step and turn', () => {
    log.put('step/end', at)
    expect(work()).toEqual({ turn: 1, step: null, attempt: null, calls: [] })
    log.end('completed')
    expect(work().turn).toBeNull()
  })
})

describe('approvals', () => {
  const question = { tool: 't', arguments: {} }
  beforeEach(() => {
    asks()
    begin(first)
    log.put('approval/asked', { ...at, call: first, question })
    log.put('approval/asked', { ...at, call: second, question })
  })

  it('are open until they are decided', () => {
    expect(questions()).toEqual(['c0', 'c1'])
    expect(openQuestion(fold(approvals, log.events), 'c1')).toMatchObject({
      call: second,
      question,
    })
    log.put('approval/decided', { ...at, call: first, answer: 'allow', by: 'user' })
    expect(questions()).toEqual(['c1'])
  })

  it('close with the outcome of their call', () => {
    log.put('tool/result', { ...at, call: first, outcome: OK })
    expect(questions()).toEqual(['c1'])
  })
})

describe('cancels', () => {
  it('are kept with cause, options, turn and what they discarded', () => {
    log.followup('B')
    log.discard(['B'], 'cleared')
    log.cancel({ discarded: ['B'], actor: 'U' })
    expect(fold(cancels, log.events).toArray()).toEqual([
      {
        seq: log.events.length - 1,
        time: 1000 + log.events.length - 1,
        cause: { kind: 'user' },
        actor: 'U',
        keepInbox: false,
        resume: false,
        turn: 1,
        discarded: ['B'],
      },
    ])
  })
})

describe('request header', () => {
  it('is the last one, with the last context', () => {
    const route = { ...at, provider: 'p', model: 'm' }
    log.put('request/header', { ...route, reason: 'initial' })
    log.put('request/context', { ...route, contextWindow: 9 })
    log.put('request/header', { ...route, model: 'n', reason: 'change' })
    expect(fold(requestHeader, log.events)).toMatchObject({
      header: { model: 'n' },
      context: { contextWindow: 9 },
    })
  })
})

describe('status', () => {
  it('is running from turn/start to turn/end', () => {
    expect(fold(status, log.events)).toEqual({ status: 'running', turn: 1 })
    log.put('step/end', at)
    log.end('completed')
    expect(fold(status, log.events)).toEqual({ status: 'idle', turn: null })
  })

  it('is what the living agent knows better: between turns, in maintenance, disposed', () => {
    const idle = status.initial
    expect(statusOf(idle, 'turn')).toBe('running')
    expect(statusOf(idle, 'maintenance')).toBe('idle')
    expect(statusOf(idle, 'idle')).toBe('idle')
    expect(statusOf(fold(status, log.events), 'idle')).toBe('running')
    expect(statusOf(fold(status, log.events), 'disposed')).toBe('disposed')
  })
})
