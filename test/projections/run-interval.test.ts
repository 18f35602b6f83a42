/**
 * The interval that begins with the insertion of a message.
 *
 * @module
 */
import { beforeEach, describe, expect, it } from 'vitest'
import { fold } from '../../src/projections/projection.ts'
import { runInterval } from '../../src/projections/run-interval.ts'
import { LogScript, REASONS } from '../support/log-script.ts'
import { says } from '../support/log-writer.ts'

let log: LogScript
beforeEach(() => {
  log = new LogScript()
})

const interval = (id: string) => {
  const { turns, ...rest } = fold(runInterval(id), log.events)
  return { ...rest, turns: turns.toArray() }
}

describe('a run interval', () => {
  it('passes over everything before the insertion of its message', () => {
    log.turn('A', 'one')
    log.inject('X')
    expect(interval('B')).toMatchObject({ from: null, turns: [], finalResponse: '' })
    const from = log.events.length
    log.turn('B', 'two')
    expect(interval('B')).toMatchObject({
      messageId: 'B',
      from,
      turns: [{ turn: 2, reason: REASONS.completed }],
      finalResponse: 'two',
    })
  })

  it('lists every turn that ends in it, also one that was open before', () => {
    log.start()
    log.followup('B')
    log.end('error')
    log.turn('C', 'three')
    expect(interval('B').turns.map(({ turn, reason }) => `${turn} ${reason.kind}`)).toEqual([
      '1 error',
      '2 completed',
    ])
  })

  it('an empty last message does not hide earlier text', () => {
    log.turn('A', 'cut')
    log.turn('B', '')
    expect(interval('A').finalResponse).toBe('cut')
  })

  it('joins the texts of a message and leaves reasoning out', () => {
    log.followup('A')
    log.claim(log.start(), ['A'])
    const content = [
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'one ' },
      { type: 'text', text: 'two' },
    ] as const
    log.put('assistant/message', { ...log.step('A'), message: { role: 'assistant', content } })
    expect(interval('A').finalResponse).toBe('one two')
  })

  it('sums the attempts that end in it, failed ones included', () => {
    log.followup('A')
    log.claim(log.start(), ['A'])
    const at = log.step('A')
    log.put('request/failed', {
      ...at,
      attempt: 1,
      provider: 'p',
      failure: { code: 'SERVER', message: 'boom' },
      action: 'retry',
      delayMs: 0,
      usage: { inputTokens: 3 },
    })
    log.put('assistant/message', { ...at, message: says('x'), usage: { inputTokens: 4 } })
    expect(interval('A').usage).toEqual({ inputTokens: 7 })
  })

  it('goes on although its message was replaced or removed', () => {
    log.followup('A')
    log.discard(['A'], 'removed')
    log.turn('B', 'two')
    expect(interval('A')).toMatchObject({ from: 0, finalResponse: 'two' })
  })
})
