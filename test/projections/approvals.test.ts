/**
 * Which calls wait for an answer, and which tools somebody has allowed.
 *
 * @module
 */
import { describe, expect, it } from 'vitest'
import type { StepAt, StoredEvent } from '../../src/events/event.ts'
import type { CallRef, Outcome } from '../../src/events/message.ts'
import { approvals, type OpenQuestion } from '../../src/projections/approvals.ts'
import { fold } from '../../src/projections/projection.ts'
import { REASONS } from '../support/log-script.ts'
import { stored } from '../support/stored.ts'
import { unchanged } from '../support/unchanged.ts'

const AT: StepAt = { turn: 2, step: 2 }
const LONG_AGO: StepAt = { turn: 1, step: 2 }
const OK: Outcome = { kind: 'ok', content: [] }
const end = (turn: number) =>
  stored('turn/end', { turn, reason: REASONS.completed, uncommitted: [] })
const question = { tool: 'ls', arguments: {} }
const ref = (key: string): CallRef => ({ key, index: 0, providerId: 'p' })
const ask = (key: string, at = AT, tool = 'ls') =>
  stored('approval/asked', { ...at, call: ref(key), question: { ...question, tool } }, 7)
const decide = (key: string, answer: 'allow' | 'deny') =>
  stored('approval/decided', { ...AT, call: ref(key), answer, by: 'user' })
const asked = (key: string, at = AT, tool = 'ls'): OpenQuestion => ({
  call: ref(key),
  ...at,
  question: { ...question, tool },
  seq: 7,
  askedAt: 1007,
})

describe('approvals', () => {
  it.each<[string, StoredEvent[], OpenQuestion[], string[]]>([
    [
      'wait in the order in which they were asked',
      [ask('a'), ask('b')],
      [asked('a'), asked('b')],
      [],
    ],
    [
      'name the tool that was allowed',
      [ask('a'), ask('b'), decide('a', 'allow')],
      [asked('b')],
      ['ls'],
    ],
    ['name no tool that was denied', [ask('a'), decide('a', 'deny')], [], []],
    [
      'name a tool once, in the order of the first time',
      [
        ask('a'),
        decide('a', 'allow'),
        ask('b', AT, 'rm'),
        decide('b', 'allow'),
        ask('c'),
        decide('c', 'allow'),
      ],
      [],
      ['ls', 'rm'],
    ],
    ['close with their own turn alone', [ask('a', LONG_AGO), ask('b'), end(1)], [asked('b')], []],
    [
      'close with the outcome of their own call',
      [ask('a'), ask('b'), stored('tool/result', { ...AT, call: ref('a'), outcome: OK })],
      [asked('b')],
      [],
    ],
  ])('%s', (_, events, open, allowed) => {
    expect(fold(approvals, events)).toStrictEqual({ open, allowed })
  })

  unchanged(approvals, [
    ['an answer that nobody asked for', [ask('a')], decide('x', 'allow')],
    ['the end of another turn', [ask('a')], end(1)],
  ])
})
