/**
 * The pure decisions behind the words of a turn, by table (contract section 10).
 */
import { describe, expect, it } from 'vitest'
import { afterStep, type ContinueFacts, deviates } from '../../src/machines/turn.gates.ts'

const failure = { code: 'SERVER', message: 'boom' }
const limit = { kind: 'limit', which: 'tokens', used: 9, allowed: 8 } as const
const done = { kind: 'done', owes: false, truncated: false } as const
const owing = { ...done, owes: true }

/** A step that ended well, owes nothing, and nobody has anything to say about it. */
const quiet: ContinueFacts = {
  end: done,
  pending: false,
  aborted: false,
  mayDecide: false,
  decision: 'default',
  limited: false,
  stopGate: false,
  stopsLeft: true,
}

const table: readonly (readonly [rule: string, facts: Partial<ContinueFacts>, word: string])[] = [
  ['nothing owed and nobody to ask: the turn closes', {}, 'close'],
  ['calls were answered: the next step shows their results', { end: owing }, 'admit'],
  ['input is pending: it is claimed', { pending: true }, 'claim'],
  ['input is pending beside an owed step: it is claimed', { end: owing, pending: true }, 'claim'],
  ['the step was truncated and owes nothing', { end: { ...done, truncated: true } }, 'close'],

  ['aborted meanwhile', { aborted: true }, 'abort'],
  ['the step itself was aborted', { end: { kind: 'aborted' } }, 'abort'],
  ['an abort beats a failure', { aborted: true, end: { kind: 'failed', failure } }, 'abort'],
  ['an abort beats a decision', { aborted: true, decision: 'continue' }, 'abort'],
  ['the step failed', { end: { kind: 'failed', failure }, pending: true }, 'fail'],
  [
    'the step ended at its limit',
    { end: { kind: 'limit', reason: limit }, pending: true },
    'close',
  ],
  ['a guard ended the turn', { end: { kind: 'blocked', by: 'x', reason: 'y' } }, 'close'],

  ['a continuation gate is asked first', { mayDecide: true }, 'decide'],
  ['it is asked although a step is owed', { mayDecide: true, end: owing, pending: true }, 'decide'],
  [
    'it is not asked about a failed step',
    { mayDecide: true, end: { kind: 'failed', failure } },
    'fail',
  ],
  ['it decides to stop although a step is owed', { decision: 'stop', end: owing }, 'close'],
  ['it decides to stop over pending input', { decision: 'stop', pending: true }, 'close'],
  ['stop where nothing is owed is the natural stop', { decision: 'stop', stopGate: true }, 'stop'],
  ['it decides to continue with nothing owed', { decision: 'continue' }, 'admit'],
  ['it decides to continue with input', { decision: 'continue', pending: true }, 'claim'],

  ['no further step may be taken', { limited: true, end: owing }, 'limit'],
  ['the budget also holds for pending input', { limited: true, pending: true }, 'limit'],
  ['the budget also holds for a decision', { limited: true, decision: 'continue' }, 'limit'],
  ['a budget that nobody needs any more is no reason', { limited: true }, 'close'],

  ['a natural stop asks turnStopping', { stopGate: true }, 'stop'],
  ['turnStopping is not asked while input is pending', { stopGate: true, pending: true }, 'claim'],
  ['turnStopping is not asked while a step is owed', { stopGate: true, end: owing }, 'admit'],
  ['the objections are used up', { stopGate: true, stopsLeft: false }, 'limit'],
]

describe('after a step', () => {
  it.each(table)('%s', (_, facts, word) => {
    expect(afterStep({ ...quiet, ...facts })).toBe(word)
  })
})

it.each([
  ['continue', false, true],
  ['continue', true, false],
  ['stop', true, true],
  ['stop', false, false],
  ['default', true, false],
  ['default', false, false],
] as const)(
  '%s, where a step is owed: %s, changes what would have happened: %s',
  (decision, owes, changes) => {
    expect(deviates(decision, owes)).toBe(changes)
  },
)
