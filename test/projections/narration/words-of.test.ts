/**
 * Outcomes, arguments and reasons in words.
 */
import { expect, it } from 'vitest'
import type { Json } from '../../../src/events/json.ts'
import type { ContentBlock, Outcome, TurnReason } from '../../../src/events/message.ts'
import {
  argumentsOf,
  outcomeText,
  outcomeValue,
  troubleOf,
} from '../../../src/projections/narration/words-of.ts'

const content: readonly ContentBlock[] = [
  { type: 'text', text: 'one' },
  { type: 'image', mediaType: 'image/png', data: 'YQ==' },
  { type: 'text', text: 'two' },
]
const ALL = 'one\n[image image/png]\ntwo'
const denied = { kind: 'denied', by: 'policy', reason: 'too dear' } as const

it.each<{ outcome: Outcome; says: string; value: Json }>([
  { outcome: { kind: 'ok', content }, says: ALL, value: ALL },
  { outcome: { kind: 'ok', content, value: null }, says: ALL, value: null },
  { outcome: { kind: 'ok', content, value: { v: 1 } }, says: ALL, value: { v: 1 } },
  { outcome: { kind: 'ok', content: [] }, says: '', value: '' },
  { outcome: { kind: 'error', code: 'TIMEOUT', content }, says: ALL, value: ALL },
  {
    outcome: { kind: 'error', code: 'TIMEOUT', content: [] },
    says: 'TIMEOUT',
    value: 'TIMEOUT',
  },
  {
    outcome: { kind: 'error', content: [] },
    says: 'the call failed',
    value: 'the call failed',
  },
  { outcome: { ...denied, content }, says: ALL, value: ALL },
  { outcome: { ...denied, content: [] }, says: 'too dear', value: 'too dear' },
])('an outcome has a text and a value: %j', ({ outcome, says, value }) => {
  expect([outcomeText(outcome), outcomeValue(outcome)]).toEqual([says, value])
})

it('only what went well has a value of its own', () => {
  const failed = { kind: 'error', content, value: 1 } as Outcome
  expect(outcomeValue(failed)).toBe(ALL)
})

it.each<readonly [string, Json]>([
  ['', {}],
  [' \n', {}],
  ['{"v":1}', { v: 1 }],
  [' [1] ', [1]],
  ['null', null],
  ['{"v"', '{"v"'],
])('arguments %j are the data %j', (given, data) => {
  expect(argumentsOf(given)).toEqual(data)
})

it.each<readonly [TurnReason, string | undefined]>([
  [{ kind: 'completed' }, undefined],
  [{ kind: 'max-tokens' }, undefined],
  [{ kind: 'aborted', cause: { kind: 'user' } }, undefined],
  [{ kind: 'blocked', by: 'gate', reason: 'no' }, 'blocked by gate: no'],
  [{ kind: 'error', code: 'AUTH', message: 'no key' }, 'AUTH: no key'],
  [{ kind: 'limit', which: 'steps', used: 3, allowed: 2 }, 'the limit of steps is used up: 3 of 2'],
  [{ kind: 'interrupted' }, 'the process ended in the middle of the turn'],
])('a turn that ended by %j is in trouble: %j', (reason, trouble) => {
  expect(troubleOf(reason)).toBe(trouble)
})
