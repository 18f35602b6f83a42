/**
 * What was said, case by case.
 *
 * @module
 */
import { beforeEach, describe, expect, it } from 'vitest'
import type { SeqRange } from '../../src/events/event.ts'
import type { CallRef } from '../../src/events/message.ts'
import { fold } from '../../src/projections/projection.ts'
import { transcript, transcriptPage } from '../../src/projections/transcript.ts'
import { LogScript } from '../support/log-script.ts'
import { says, textMessage } from '../support/log-writer.ts'

let log: LogScript
beforeEach(() => {
  log = new LogScript()
})

const state = () => fold(transcript, log.events)
const kinds = () =>
  transcriptPage(state()).map(({ kind, replaced }) => (replaced ? `(${kind})` : kind))
const call: CallRef = { key: 'c1', index: 0, providerId: 'p' }

const compact = (range: SeqRange): void => {
  log.put('compaction/start', { turn: null, range })
  log.put('compaction/summary', { turn: null, range, message: textMessage('SUM') })
  log.put('compaction/end', { turn: null, range, outcome: 'completed' })
}

function turnWithCall(): number {
  log.followup('A')
  log.claim(log.start(), ['A'])
  const at = log.step('A')
  const content = [{ type: 'tool-call', call, name: 'ls', arguments: '{}' }] as const
  log.put('assistant/message', { ...at, message: { role: 'assistant', content } })
  log.put('tool/call', { ...at, call, name: 'ls', arguments: '{}' })
  const seq = log.put('tool/result', { ...at, call, outcome: { kind: 'ok', content: [] } })
  log.put('step/end', at)
  log.end('completed')
  return seq
}

describe('transcript', () => {
  it('holds messages, interrupted prefixes, empty messages and cut calls', () => {
    log.followup('A')
    log.claim(log.start(), ['A'])
    const at = log.step('A')
    const message = { role: 'assistant', content: [] } as const
    log.put('assistant/message', { ...at, message, finish: 'max-tokens' })
    log.put('tool/call', { ...at, call, name: 'ls', arguments: '{' })
    const outcome = { kind: 'error', code: 'ARGUMENTS_CUT', content: [] } as const
    log.put('tool/result', { ...at, call, outcome })
    log.put('step/end', at)
    const next = log.step()
    log.put('assistant/message', { ...next, message: says('pre'), interrupted: true })
    expect(transcriptPage(state())).toMatchObject([
      { kind: 'user', turn: 1, step: 1, time: 1000 + 4 },
      { kind: 'assistant', interrupted: false },
      { kind: 'tool', name: 'ls', unit: null },
      { kind: 'assistant', interrupted: true, step: 2 },
    ])
  })

  it('names the tool of an outcome that repair adds later', () => {
    log.followup('A')
    log.claim(log.start(), ['A'])
    const at = log.step('A')
    const content = [{ type: 'tool-call', call, name: 'ls', arguments: '{}' }] as const
    log.put('assistant/message', { ...at, message: { role: 'assistant', content } })
    log.turn('B', 'two')
    log.put('tool/result', {
      ...at,
      call,
      outcome: { kind: 'error', code: 'NOT_STARTED', content: [] },
    })
    expect(transcriptPage(state()).at(-1)).toMatchObject({ kind: 'tool', name: 'ls' })
  })

  it('XR-12 a summary flags what it replaces and takes nothing away', () => {
    log.turn('A', 'one')
    const to = log.events.length - 1
    log.turn('B', 'two')
    compact({ from: 0, to })
    expect(kinds()).toEqual(['(user)', '(assistant)', 'user', 'assistant', 'summary'])
    compact({ from: 0, to: log.events.length - 1 })
    expect(kinds()).toEqual([
      '(user)',
      '(assistant)',
      '(user)',
      '(assistant)',
      '(summary)',
      'summary',
    ])
    expect(state().replaced).toHaveLength(1)
  })

  it('XR-12 a replaced outcome shadows exactly one event', () => {
    const seq = turnWithCall()
    compact({ from: seq, to: seq })
    expect(kinds()).toEqual(['user', 'assistant', '(tool)', 'summary'])
  })

  it('the summary of an outcome is replaced by a later one of the same outcome', () => {
    const seq = turnWithCall()
    compact({ from: seq, to: seq })
    compact({ from: seq, to: log.events.length - 1 })
    expect(kinds()).toEqual(['user', 'assistant', '(tool)', '(summary)', 'summary'])
  })

  it('empty messages and cut calls do not count as part of what a summary replaces', () => {
    const seq = turnWithCall()
    log.followup('B')
    log.claim(log.start(), ['B'])
    const at = log.step()
    const message = { role: 'assistant', content: [] } as const
    log.put('assistant/message', { ...at, message, finish: 'max-tokens' })
    const cut: CallRef = { key: 'c2', index: 0, providerId: 'p' }
    log.put('tool/call', { ...at, call: cut, name: 'ls', arguments: '{' })
    const outcome = { kind: 'error', code: 'ARGUMENTS_CUT', content: [] } as const
    log.put('tool/result', { ...at, call: cut, outcome })
    log.put('step/end', at)
    log.end('max-tokens')
    compact({ from: seq, to: log.events.length - 1 })
    expect(kinds().slice(0, 4)).toEqual(['user', 'assistant', '(tool)', 'assistant'])
    expect(transcriptPage(state()).at(-1)).toMatchObject({ kind: 'summary', of: { seq } })
  })

  it('the summary of an outcome is lost with the message of the call', () => {
    const seq = turnWithCall()
    compact({ from: seq, to: seq })
    compact({ from: 0, to: seq })
    expect(kinds()).toEqual(['(user)', '(assistant)', '(tool)', '(summary)', 'summary'])
  })

  it('an outcome that comes after the summary of its message is lost with it', () => {
    log.followup('A')
    log.claim(log.start(), ['A'])
    const at = log.step('A')
    const content = [{ type: 'tool-call', call, name: 'ls', arguments: '{}' }] as const
    const to = log.put('assistant/message', { ...at, message: { role: 'assistant', content } })
    log.turn('B', 'two')
    compact({ from: 0, to })
    log.put('tool/result', {
      ...at,
      call,
      outcome: { kind: 'error', code: 'NOT_STARTED', content: [] },
    })
    expect(kinds()).toEqual(['(user)', '(assistant)', 'user', 'assistant', 'summary', '(tool)'])
  })

  it('is read in pages', () => {
    log.turn('A', 'one')
    log.turn('B', 'two')
    expect(transcriptPage(state(), 1, 3).map(({ turn }) => turn)).toEqual([1, 2])
    expect(transcriptPage(state(), 3, 9)).toHaveLength(1)
  })
})
