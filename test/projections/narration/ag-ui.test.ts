/**
 * A run as events of AG-UI, event by event.
 */
import { expect, it } from 'vitest'
import type { TurnReason } from '../../../src/events/message.ts'
import { type AgUiEvent, AgUiStream } from '../../../src/projections/narration/ag-ui.ts'
import { args, called, end, type Event, inStep, STORY, turnEnds } from './story.ts'

const eventsOf = (events: readonly Event[]): AgUiEvent[] => {
  const stream = new AgUiStream('s', 'r')
  return [stream.start(), ...events.flatMap((event) => stream.take(event)), stream.end()]
}

const opens = (kind: 'TEXT' | 'REASONING', messageId: string, ...pieces: string[]): AgUiEvent[] => [
  {
    type: `${kind}_MESSAGE_START`,
    messageId,
    role: kind === 'TEXT' ? 'assistant' : 'reasoning',
  },
  ...pieces.map((delta) => ({ type: `${kind}_MESSAGE_CONTENT`, messageId, delta })),
]
const closes = (kind: 'TEXT' | 'REASONING', messageId: string): AgUiEvent => ({
  type: `${kind}_MESSAGE_END`,
  messageId,
})
const call = (toolCallId: string, toolCallName: string, ...pieces: string[]): AgUiEvent[] => [
  { type: 'TOOL_CALL_START', toolCallId, toolCallName },
  ...pieces.map((delta) => ({ type: 'TOOL_CALL_ARGS', toolCallId, delta })),
]
const closed = (toolCallId: string): AgUiEvent => ({ type: 'TOOL_CALL_END', toolCallId })
const asked = (key: string, toolCallId = key): AgUiEvent => ({
  type: 'CUSTOM',
  name: 'turnwise/approval-asked',
  value: { call: key, toolCallId },
})
const decided = (answer: string, key: string, toolCallId = key): AgUiEvent => ({
  type: 'CUSTOM',
  name: 'turnwise/approval-decided',
  value: { call: key, toolCallId, answer },
})
const result = (content: string, key: string, toolCallId = key): AgUiEvent => ({
  type: 'TOOL_CALL_RESULT',
  messageId: `result.${key}`,
  toolCallId,
  content,
  role: 'tool',
})
const failed: AgUiEvent = {
  type: 'CUSTOM',
  name: 'turnwise/attempt-failed',
  value: { message: 'down' },
}

it('a whole story is told event by event', () => {
  expect(eventsOf(STORY)).toEqual([
    { type: 'RUN_STARTED', threadId: 's', runId: 'r' },
    { type: 'STEP_STARTED', stepName: '1.1' },
    ...opens('REASONING', '1.1.1.0', 'hm'),
    closes('REASONING', '1.1.1.0'),
    ...opens('TEXT', '1.1.1.1', 'Pay'),
    ...call('1.1.0', 'pay', '{"v"'),
    closes('TEXT', '1.1.1.1'),
    closed('1.1.0'),
    failed,
    ...opens('TEXT', '1.1.2.0', 'I ', 'pay.'),
    closes('TEXT', '1.1.2.0'),
    ...call('1.1.2.1', 'pay', '{"v":1}'),
    closed('1.1.2.1'),
    ...call('1.1.1', 'wait'),
    closed('1.1.1'),
    asked('1.1.0', '1.1.2.1'),
    decided('allow', '1.1.0', '1.1.2.1'),
    result('paid', '1.1.0', '1.1.2.1'),
    result('too late', '1.1.1'),
    ...call('1.1.2', 'pay', 'not JSON'),
    closed('1.1.2'),
    asked('1.1.2'),
    decided('deny', '1.1.2'),
    result('too dear', '1.1.2'),
    ...call('1.1.3', 'wait'),
    closed('1.1.3'),
    result('ABORTED_BEFORE_DISPATCH', '1.1.3'),
    { type: 'STEP_FINISHED', stepName: '1.1' },
    { type: 'STEP_STARTED', stepName: '2.1' },
    ...opens('TEXT', '2.1.1.0', 'par'),
    ...call('2.1.0', 'pay', '{'),
    closes('TEXT', '2.1.1.0'),
    closed('2.1.0'),
    { type: 'STEP_FINISHED', stepName: '2.1' },
    { type: 'STEP_STARTED', stepName: '3.1' },
    failed,
    { type: 'STEP_FINISHED', stepName: '3.1' },
    { type: 'RUN_ERROR', message: 'down', code: 'SERVER' },
  ])
})

it('a call that was begun by a failed attempt and not streamed by the next has an id of its own', () => {
  const step = inStep(1, 1)
  const events = eventsOf([
    step.starts,
    ...step.streams(1, called(0, 'pay'), args(0, '{'), end(0)),
    step.fails(1, 'retry'),
    step.commits([step.call(0, 'pay', '{}')]),
    step.begins(0, 'pay', '{}'),
    step.results(0, { kind: 'ok', content: [] }),
  ])
  expect(events.slice(2, -1)).toEqual([
    ...call('1.1.0', 'pay', '{'),
    closed('1.1.0'),
    failed,
    ...call('1.1.0.whole', 'pay', '{}'),
    closed('1.1.0.whole'),
    result('', '1.1.0', '1.1.0.whole'),
  ])
})

it.each<readonly [string, TurnReason | undefined, { reason: string; note: string }]>([
  ['nothing', undefined, { reason: 'completed', note: '' }],
  ['completed', { kind: 'completed' }, { reason: 'completed', note: '' }],
  ['max-tokens', { kind: 'max-tokens' }, { reason: 'max-tokens', note: '' }],
  ['aborted', { kind: 'aborted', cause: { kind: 'user' } }, { reason: 'aborted', note: '' }],
  [
    'blocked',
    { kind: 'blocked', by: 'gate', reason: 'no' },
    { reason: 'blocked', note: 'blocked by gate: no' },
  ],
  [
    'limit',
    { kind: 'limit', which: 'time', used: 9, allowed: 8 },
    { reason: 'limit', note: 'the limit of time is used up: 9 of 8' },
  ],
])('a run whose last turn ended by %s is finished', (_, reason, said) => {
  const earlier = turnEnds(1, { kind: 'error', code: 'SERVER', message: 'down' })
  const events = reason === undefined ? [] : [earlier, turnEnds(2, reason)]
  expect(eventsOf(events)).toEqual([
    { type: 'RUN_STARTED', threadId: 's', runId: 'r' },
    { type: 'RUN_FINISHED', threadId: 's', runId: 'r', result: said },
  ])
})
