/**
 * A run as parts of the UI message stream of the AI SDK, part by part.
 */
import { describe, expect, it } from 'vitest'
import type { FileBlock, TurnReason } from '../../../src/events/message.ts'
import {
  UiMessageStream,
  type UiMessageOptions,
  type UiPart,
} from '../../../src/projections/narration/ui-message.ts'
import { type Event, inStep, PAID, STORY, turnEnds } from './story.ts'

const partsOf = (events: readonly Event[], options?: UiMessageOptions): UiPart[] => {
  const stream = new UiMessageStream(options)
  return [stream.start('m1'), ...events.flatMap((event) => stream.take(event)), ...stream.end()]
}

/** A block of text as it is streamed. */
const block = (type: 'text' | 'reasoning', id: string, ...pieces: string[]): UiPart[] => [
  { type: `${type}-start`, id },
  ...pieces.map((delta) => ({ type: `${type}-delta`, id, delta })),
  { type: `${type}-end`, id },
]
const opens = (toolCallId: string, toolName: string, ...pieces: string[]): UiPart[] => [
  { type: 'tool-input-start', toolCallId, toolName, dynamic: true },
  ...pieces.map((inputTextDelta) => ({ type: 'tool-input-delta', toolCallId, inputTextDelta })),
]
const has = (
  toolCallId: string,
  toolName: string,
  input: NonNullable<UiPart['input']>,
): UiPart => ({
  type: 'tool-input-available',
  toolCallId,
  toolName,
  input,
  dynamic: true,
})
const asks = (call: string): UiPart => ({
  type: 'tool-approval-request',
  approvalId: call,
  toolCallId: call,
})
const fails = (toolCallId: string, errorText: string): UiPart => ({
  type: 'tool-output-error',
  toolCallId,
  errorText,
  dynamic: true,
})
const paid = (toolCallId: string): UiPart => ({
  type: 'tool-output-available',
  toolCallId,
  output: { paid: 1 },
  dynamic: true,
})

/** The parts of the story. @param reset - what is made of a failed attempt. */
const story = (...reset: UiPart[]): UiPart[] => [
  { type: 'start', messageId: 'm1' },
  { type: 'start-step' },
  ...block('reasoning', '1.1.1.0', 'hm'),
  ...block('text', '1.1.1.1', 'Pay').slice(0, 2),
  ...opens('1.1.0', 'pay', '{"v"'),
  { type: 'text-end', id: '1.1.1.1' },
  ...reset,
  ...block('text', '1.1.2.0', 'I ', 'pay.'),
  ...opens('1.1.0', 'pay', '{"v":1}'),
  ...opens('1.1.1', 'wait'),
  { type: 'file', mediaType: 'text/csv', url: 'data:text/csv;base64,YQ==' },
  { type: 'file', mediaType: 'image/png', url: 'https://a.test/b.png' },
  has('1.1.0', 'pay', { v: 1 }),
  asks('1.1.0'),
  paid('1.1.0'),
  has('1.1.1', 'wait', {}),
  fails('1.1.1', 'too late'),
  has('1.1.2', 'pay', 'not JSON'),
  asks('1.1.2'),
  { type: 'tool-output-denied', toolCallId: '1.1.2' },
  has('1.1.3', 'wait', {}),
  fails('1.1.3', 'ABORTED_BEFORE_DISPATCH'),
  { type: 'finish-step' },
  { type: 'start-step' },
  ...block('text', '2.1.1.0', 'par').slice(0, 2),
  ...opens('2.1.0', 'pay', '{'),
  { type: 'text-end', id: '2.1.1.0' },
  { type: 'finish-step' },
  { type: 'start-step' },
  ...reset,
  { type: 'finish-step' },
  { type: 'error', errorText: 'SERVER: down' },
  { type: 'finish', finishReason: 'error' },
]

describe('a whole story', () => {
  it('leaves the parts of failed attempts where they are', () => {
    expect(partsOf(STORY)).toEqual(story())
  })

  it('takes them back where that is asked for', () => {
    expect(partsOf(STORY, { resetSteps: true })).toEqual(story({ type: 'reset-step' }))
  })
})

it.each<readonly [string, TurnReason | undefined, UiPart[], string]>([
  ['nothing', undefined, [], 'stop'],
  ['completed', { kind: 'completed' }, [], 'stop'],
  ['max-tokens', { kind: 'max-tokens' }, [], 'length'],
  [
    'blocked',
    { kind: 'blocked', by: 'gate', reason: 'no' },
    [{ type: 'error', errorText: 'blocked by gate: no' }],
    'other',
  ],
  [
    'aborted',
    { kind: 'aborted', cause: { kind: 'parent' } },
    [{ type: 'abort', reason: 'parent' }],
    'other',
  ],
  [
    'error',
    { kind: 'error', code: 'AUTH', message: 'no key' },
    [{ type: 'error', errorText: 'AUTH: no key' }],
    'error',
  ],
  [
    'limit',
    { kind: 'limit', which: 'stops', used: 2, allowed: 1 },
    [{ type: 'error', errorText: 'the limit of stops is used up: 2 of 1' }],
    'length',
  ],
  [
    'interrupted',
    { kind: 'interrupted' },
    [{ type: 'error', errorText: 'the process ended in the middle of the turn' }],
    'other',
  ],
])('a run whose last turn ended by %s', (_, reason, trouble, finishReason) => {
  const earlier = turnEnds(1, { kind: 'error', code: 'SERVER', message: 'down' })
  const events = reason === undefined ? [] : [earlier, turnEnds(2, reason)]
  expect(partsOf(events).slice(1)).toEqual([...trouble, { type: 'finish', finishReason }])
})

it.each<readonly [FileBlock, string]>([
  [{ type: 'file', mediaType: 'a/b', data: 'YQ==' }, 'data:a/b;base64,YQ=='],
  [{ type: 'image', mediaType: 'a/b', url: 'https://a.test' }, 'https://a.test'],
  [{ type: 'file', mediaType: 'a/b' }, 'data:a/b;base64,'],
])('the address of %j is %s', (file, url) => {
  const step = inStep(1, 1)
  expect(partsOf([step.commits([file])]).slice(1, -1)).toEqual([
    { type: 'file', mediaType: 'a/b', url },
  ])
})

it('a call that is joined in the middle has no part without its beginning', () => {
  const step = inStep(1, 1)
  expect(partsOf([step.results(0, PAID), step.ends]).slice(1, -1)).toEqual([])
})
