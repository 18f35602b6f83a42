/**
 * What the model is shown, case by case.
 *
 * @module
 */
import { beforeEach, describe, expect, it } from 'vitest'
import type { StepAt } from '../../src/events/event.ts'
import type { AssistantBlock, CallRef, Outcome } from '../../src/events/message.ts'
import { history, historyView } from '../../src/projections/history.ts'
import { fold } from '../../src/projections/projection.ts'
import { LogScript } from '../support/log-script.ts'
import { says, textMessage } from '../support/log-writer.ts'

let log: LogScript
beforeEach(() => {
  log = new LogScript()
})

const OK: Outcome = { kind: 'ok', content: [{ type: 'text', text: 'ok' }] }
const call = (key: string, index = 0): CallRef => ({ key, index, providerId: 'p' })
const block = (ref: CallRef): AssistantBlock => ({
  type: 'tool-call',
  call: ref,
  name: `tool-${ref.key}`,
  arguments: '{}',
})

const open = (id: string): StepAt => {
  log.followup(id)
  log.claim(log.start(), [id])
  return log.step(id)
}
const asks = (at: StepAt, ...refs: CallRef[]): number =>
  log.put('assistant/message', { ...at, message: { role: 'assistant', content: refs.map(block) } })
const answer = (at: StepAt, ref: CallRef, outcome: Outcome = OK): number => {
  const ready = outcome.kind === 'error' && outcome.code === 'NOT_STARTED'
  if (!ready) log.put('tool/call', { ...at, call: ref, name: `tool-${ref.key}`, arguments: '{}' })
  return log.put('tool/result', { ...at, call: ref, outcome })
}
const close = (at: StepAt): void => {
  log.put('step/end', at)
  log.end('completed')
}
const compact = (from: number, to: number, text: string): void => {
  const range = { from, to }
  log.put('compaction/start', { turn: null, range })
  log.put('compaction/summary', { turn: null, range, message: textMessage(text) })
  log.put('compaction/end', { turn: null, range, outcome: 'completed' })
}

/** The history in the words of the scenarios. */
const shown = (): string[] =>
  historyView(fold(history, log.events)).map((entry) => {
    if (entry.role === 'tool') return `${entry.call.key} ${entry.name} ${textOf(entry.outcome)}`
    const texts = entry.content.map((part) => {
      if (part.type === 'text') return part.text
      return part.type === 'tool-call' ? `call ${part.call.key}` : part.type
    })
    return `${entry.role}:${texts.join(' | ')}`
  })
const textOf = (outcome: Outcome): string => {
  const first = outcome.content[0]
  return first?.type === 'text' ? first.text : outcome.kind
}

describe('history', () => {
  it('shows messages, calls and outcomes in log order, and context of injection turns', () => {
    const at = open('A')
    asks(at, call('c1'), call('c2', 1))
    answer(at, call('c1'))
    answer(at, call('c2', 1), { kind: 'denied', by: 'policy', reason: 'no', content: [] })
    close(at)
    log.start()
    log.put('context/message', { turn: 2, message: textMessage('X', 'plugin') })
    log.end('completed')
    expect(shown()).toEqual([
      'user:A',
      'assistant:call c1 | call c2',
      'c1 tool-c1 ok',
      'c2 tool-c2 denied',
      'user:X',
    ])
  })

  it('skips empty messages, and keeps what a provider needs back', () => {
    const at = open('A')
    const content = [{ type: 'text', text: '' }] as const
    log.put('assistant/message', { ...at, message: { role: 'assistant', content } })
    close(at)
    const again = open('B')
    const hidden = [{ type: 'reasoning', text: '', replay: { signature: 's' } }] as const
    log.put('assistant/message', { ...again, message: { role: 'assistant', content: hidden } })
    expect(shown()).toEqual(['user:A', 'user:B', 'assistant:reasoning'])
  })

  it('shows the prefix of an interrupted message', () => {
    const at = open('A')
    log.put('assistant/message', { ...at, message: says('partial'), interrupted: true })
    expect(shown()).toEqual(['user:A', 'assistant:partial'])
  })

  it('leaves the outcomes of cut calls out', () => {
    const at = open('A')
    log.put('assistant/message', { ...at, message: says('cut'), finish: 'max-tokens' })
    answer(at, call('c1'), { kind: 'error', code: 'ARGUMENTS_CUT', content: [] })
    expect(shown()).toEqual(['user:A', 'assistant:cut'])
  })

  it('puts a late outcome behind its call, after the outcomes already there', () => {
    const at = open('A')
    asks(at, call('c1'), call('c2', 1))
    answer(at, call('c1'))
    open('B')
    answer({ turn: 1, step: 1 }, call('c2', 1), { kind: 'error', code: 'NOT_STARTED', content: [] })
    expect(shown()).toEqual([
      'user:A',
      'assistant:call c1 | call c2',
      'c1 tool-c1 ok',
      'c2 tool-c2 error',
      'user:B',
    ])
  })

  it('goes on at its end after a late outcome', () => {
    asks(open('A'), call('c1'))
    const at = open('B')
    asks(at, call('c2'))
    answer({ turn: 1, step: 1 }, call('c1'), { kind: 'error', code: 'NOT_STARTED', content: [] })
    answer(at, call('c2'))
    expect(shown()).toEqual([
      'user:A',
      'assistant:call c1',
      'c1 tool-c1 error',
      'user:B',
      'assistant:call c2',
      'c2 tool-c2 ok',
    ])
  })
})

describe('a summary', () => {
  it('replaces the entries of its range, where the first of them stood', () => {
    log.turn('A', 'one')
    const to = log.events.length - 1
    log.turn('B', 'two')
    compact(0, to, 'SUM')
    log.turn('C', 'three')
    expect(shown()).toEqual(['user:SUM', 'user:B', 'assistant:two', 'user:C', 'assistant:three'])
  })

  it('takes the outcomes with the message of their calls, also a late one', () => {
    asks(open('A'), call('c1'))
    const to = log.events.length - 1
    log.turn('B', 'two')
    answer({ turn: 1, step: 1 }, call('c1'), { kind: 'error', code: 'NOT_STARTED', content: [] })
    compact(0, to, 'SUM')
    expect(shown()).toEqual(['user:SUM', 'user:B', 'assistant:two'])
  })

  it('leaves the outcomes of a message that stays', () => {
    const at = open('A')
    const from = asks(at, call('c1')) + 1
    answer(at, call('c1'))
    close(at)
    log.turn('B', 'two')
    compact(from, log.events.length - 1, 'SUM')
    expect(shown()).toEqual(['user:A', 'assistant:call c1', 'c1 tool-c1 ok', 'user:SUM'])
  })

  it('XR-12 of one outcome alone changes what it says and keeps its call', () => {
    const at = open('A')
    asks(at, call('c1'), call('c2', 1))
    const seq = answer(at, call('c1'), { ...OK, value: { much: 'data' }, concludes: true })
    answer(at, call('c2', 1))
    close(at)
    compact(seq, seq, 'short')
    expect(shown()).toEqual([
      'user:A',
      'assistant:call c1 | call c2',
      'c1 tool-c1 short',
      'c2 tool-c2 ok',
    ])
    expect(historyView(fold(history, log.events))[2]).toMatchObject({
      outcome: { kind: 'ok', concludes: true, content: textMessage('short').content },
    })
    expect(historyView(fold(history, log.events))[2]).not.toHaveProperty('outcome.value')
  })

  it('of summaries replaces those too', () => {
    log.turn('A', 'one')
    compact(0, log.events.length - 1, 'SUM1')
    log.turn('B', 'two')
    compact(0, log.events.length - 1, 'SUM2')
    expect(shown()).toEqual(['user:SUM2'])
  })
})

describe('the view', () => {
  it('is one frozen array per state, and an older state keeps its own', () => {
    log.turn('A', 'one')
    const before = fold(history, log.events)
    const length = log.events.length
    log.turn('B', 'two')
    const after = fold(history, log.events.slice(length), before)
    expect(historyView(after)).toHaveLength(4)
    expect(historyView(before)).toHaveLength(2)
    expect(before.length).toBe(2)
    expect(historyView(before)).toBe(historyView(before))
    expect(Object.isFrozen(historyView(before))).toBe(true)
  })
})
