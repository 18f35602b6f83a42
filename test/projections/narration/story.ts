/**
 * Events of a session, made by hand, for tests of how it is told; and one story that has everything.
 *
 * @module
 */
import type { Chunk } from '../../../src/events/chunk.ts'
import type { ApprovalAnswer, StoredEvent } from '../../../src/events/event.ts'
import type { AssistantBlock, CallRef, Outcome, TurnReason } from '../../../src/events/message.ts'
import type { LiveChunk } from '../../../src/projections/narration/narration.ts'
import { stored } from '../../support/stored.ts'

export type Event = StoredEvent | LiveChunk

export const start = (block: number, type: 'text' | 'reasoning' = 'text'): Chunk => ({
  kind: 'block-start',
  block,
  type,
})
export const called = (block: number, name?: string): Chunk => ({
  kind: 'block-start',
  block,
  type: 'tool-call',
  id: 'c',
  ...(name === undefined ? {} : { name }),
})
export const text = (block: number, piece: string): Chunk => ({
  kind: 'text-delta',
  block,
  text: piece,
})
export const thought = (block: number, piece: string): Chunk => ({
  kind: 'reasoning-delta',
  block,
  text: piece,
})
export const args = (block: number, piece: string): Chunk => ({
  kind: 'tool-call-delta',
  block,
  text: piece,
})
export const end = (block: number): Chunk => ({ kind: 'block-end', block })

export const says = (words: string): AssistantBlock => ({ type: 'text', text: words })
export const thinks = (words: string): AssistantBlock => ({ type: 'reasoning', text: words })

/** All that happens in one step. */
export function inStep(turn: number, step: number) {
  const at = { turn, step }
  const ref = (index: number): CallRef => ({
    key: `${turn}.${step}.${index}`,
    index,
    providerId: 'c',
  })
  return {
    starts: stored('step/start', at),
    ends: stored('step/end', at),
    /** Chunks that are recorded. */
    streams: (attempt: number, ...chunks: Chunk[]): Event[] =>
      chunks.map((chunk) => stored('assistant/chunk', { ...at, attempt, chunk })),
    /** Chunks that are recorded nowhere. */
    sends: (attempt: number, ...chunks: Chunk[]): Event[] =>
      chunks.map((chunk) => ({ type: 'chunk', ...at, attempt, chunk })),
    fails: (attempt: number, action: 'retry' | 'fail') =>
      stored('request/failed', {
        ...at,
        attempt,
        provider: 'mock',
        failure: { code: 'SERVER', message: 'down' },
        action,
        delayMs: 0,
      }),
    commits: (content: readonly AssistantBlock[], transformedBy?: string) =>
      stored('assistant/message', {
        ...at,
        message: { role: 'assistant', content },
        ...(transformedBy === undefined ? {} : { transformedBy }),
      }),
    call: (index: number, name: string, raw: string): AssistantBlock => ({
      type: 'tool-call',
      call: ref(index),
      name,
      arguments: raw,
    }),
    begins: (index: number, name: string, raw: string) =>
      stored('tool/call', { ...at, call: ref(index), name, arguments: raw }),
    asks: (index: number) =>
      stored('approval/asked', {
        ...at,
        call: ref(index),
        question: { tool: 'pay', arguments: {} },
      }),
    decides: (index: number, answer: ApprovalAnswer) =>
      stored('approval/decided', { ...at, call: ref(index), answer, by: 'user:1' }),
    results: (index: number, outcome: Outcome) =>
      stored('tool/result', { ...at, call: ref(index), outcome }),
  }
}

export const turnStarts = (turn: number) => stored('turn/start', { turn })
export const turnEnds = (turn: number, reason: TurnReason) =>
  stored('turn/end', { turn, reason, uncommitted: [] })

export const PAID: Outcome = {
  kind: 'ok',
  content: [{ type: 'text', text: 'paid' }],
  value: { paid: 1 },
}
export const LATE: Outcome = {
  kind: 'error',
  code: 'TIMEOUT',
  content: [{ type: 'text', text: 'too late' }],
}
export const DENIED: Outcome = { kind: 'denied', by: 'user:1', reason: 'too dear', content: [] }
export const NOT_RUN: Outcome = { kind: 'error', code: 'ABORTED_BEFORE_DISPATCH', content: [] }

const paying = inStep(1, 1)
const stopped = inStep(2, 1)
const broken = inStep(3, 1)

/** An attempt that fails and is made again; calls of every end; a turn that is cancelled; a turn that fails. */
export const STORY: readonly Event[] = [
  stored('session/opened', { how: 'resume', wake: false }),
  turnStarts(1),
  paying.starts,
  ...paying.streams(1, start(0, 'reasoning'), thought(0, 'hm'), end(0)),
  ...paying.streams(1, start(1), text(1, 'Pay'), called(2, 'pay'), args(2, '{"v"')),
  paying.fails(1, 'retry'),
  ...paying.streams(2, start(0), text(0, 'I '), text(0, ''), text(0, 'pay.'), end(0)),
  ...paying.streams(2, called(1, 'pay'), args(1, '{"v":1}'), end(1), called(2, 'wait'), end(2)),
  ...paying.streams(
    2,
    { kind: 'file', file: { type: 'file', mediaType: 'text/csv', data: 'YQ==' } },
    { kind: 'finish', reason: 'tool-calls' },
  ),
  paying.commits([
    says('I pay.'),
    paying.call(0, 'pay', '{"v":1}'),
    paying.call(1, 'wait', ''),
    { type: 'file', mediaType: 'text/csv', data: 'YQ==' },
    { type: 'image', mediaType: 'image/png', url: 'https://a.test/b.png' },
    { type: 'provider', kind: 'source', value: 1 },
    paying.call(2, 'pay', 'not JSON'),
    paying.call(3, 'wait', ''),
  ]),
  paying.begins(0, 'pay', '{"v":1}'),
  paying.asks(0),
  paying.decides(0, 'allow'),
  paying.results(0, PAID),
  paying.begins(1, 'wait', ''),
  paying.results(1, LATE),
  paying.begins(2, 'pay', 'not JSON'),
  paying.asks(2),
  paying.decides(2, 'deny'),
  paying.results(2, DENIED),
  paying.begins(3, 'wait', ''),
  paying.results(3, NOT_RUN),
  paying.ends,
  turnEnds(1, { kind: 'completed' }),
  turnStarts(2),
  stopped.starts,
  ...stopped.sends(1, start(0), text(0, 'par'), called(1, 'pay'), args(1, '{')),
  stopped.commits([says('par')]),
  stopped.ends,
  turnEnds(2, { kind: 'aborted', cause: { kind: 'user' } }),
  turnStarts(3),
  broken.starts,
  broken.fails(1, 'fail'),
  broken.ends,
  turnEnds(3, { kind: 'error', code: 'SERVER', message: 'down' }),
]
