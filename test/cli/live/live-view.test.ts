/**
 * The live view: what a person sees of a run, on a terminal and off one.
 */
import { describe, expect, it } from 'vitest'
import { LiveView } from '../../../src/cli/live/live-view.ts'
import { Screen } from '../../../src/cli/live/screen.ts'
import type { NewEvent } from '../../../src/events/event.ts'
import type { Chunk } from '../../../src/events/chunk.ts'
import type { Outcome } from '../../../src/events/message.ts'
import { FakeOut } from '../fake-out.ts'

const at = { turn: 1, step: 1 }
const call = (key: string): { key: string; index: number; providerId: string } => ({
  key,
  index: 0,
  providerId: key,
})
const ok = (value: Record<string, number>): Outcome => ({
  kind: 'ok',
  content: [],
  value: { ...value },
})

/** Plays events, 10 ms apart, into a view on `out`. */
function play(out: FakeOut, events: readonly NewEvent[], env: Record<string, string> = {}): void {
  let now = 1000
  const view = new LiveView(new Screen(out, env), () => now)
  view.notice({ type: 'status', status: 'running' })
  for (const [seq, event] of events.entries()) {
    now += 10
    view.event({ ...event, seq, time: now })
  }
  view.notice({ type: 'status', status: 'idle' })
}

const chunk = (of: Chunk): NewEvent => ({
  type: 'assistant/chunk',
  data: { ...at, attempt: 1, chunk: of },
})
const text = (piece: string): NewEvent => chunk({ kind: 'text-delta', block: 0, text: piece })

const RUN: readonly NewEvent[] = [
  { type: 'turn/start', data: { turn: 1 } },
  { type: 'step/start', data: at },
  text('I look '),
  text('around.'),
  chunk({ kind: 'block-end', block: 0 }),
  {
    type: 'tool/call',
    data: { ...at, call: call('a'), name: 'count', arguments: '{"path":"src"}' },
  },
  {
    type: 'tool/call',
    data: { ...at, call: call('b'), name: 'read_file', arguments: '{"path":".env"}' },
  },
  {
    type: 'tool/settled',
    data: {
      ...at,
      call: call('b'),
      outcome: { kind: 'error', content: [{ type: 'text', text: '.env is private' }] },
    },
  },
  { type: 'tool/result', data: { ...at, call: call('a'), outcome: ok({ files: 2, lines: 1200 }) } },
  {
    type: 'tool/result',
    data: { ...at, call: call('b'), outcome: { kind: 'error', content: [] } },
  },
  { type: 'step/end', data: at },
  { type: 'turn/end', data: { turn: 1, reason: { kind: 'completed' }, uncommitted: [] } },
]

describe('off a terminal', () => {
  it('shows status, turns, steps, text and each call once, as plain lines', () => {
    const out = new FakeOut()
    play(out, RUN)
    expect(out.text).toBe(
      [
        '● running',
        'turn 1',
        '  step 1',
        '    I look around.',
        `    ✗ ${'read_file .env'.padEnd(40)} .env is private  10 ms`,
        `    ✓ ${'count src'.padEnd(40)} 1,200 lines in 2 files  30 ms`,
        'turn 1 completed: 1 step, 2 tool calls, 110 ms',
        '○ idle',
        '',
      ].join('\n'),
    )
  })

  it('writes no control character but line breaks, whatever a model says', () => {
    const out = new FakeOut()
    play(out, [
      RUN[0]!,
      RUN[1]!,
      text('\u001B[2Jboo\u0007\r\u202Egnp.exe\n'),
      {
        type: 'tool/call',
        data: {
          ...at,
          call: call('a'),
          name: '\u001B[31m',
          arguments: '{"path":"\\u001b]0;x\\u0007"}',
        },
      },
      {
        type: 'tool/result',
        data: {
          ...at,
          call: call('a'),
          outcome: { kind: 'ok', content: [{ type: 'text', text: '\u009B1m' }] },
        },
      },
      {
        type: 'turn/end',
        data: {
          turn: 1,
          reason: { kind: 'error', code: 'X', message: '\u001B[1m' },
          uncommitted: [],
        },
      },
    ])
    // eslint-disable-next-line no-control-regex -- these must not be there
    expect(out.text).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202A-\u202E]/)
  })

  it('shows failed attempts, a cut text, a cancel and why a turn failed', () => {
    const out = new FakeOut()
    play(out, [
      RUN[0]!,
      RUN[1]!,
      {
        type: 'request/failed',
        data: {
          ...at,
          attempt: 1,
          provider: 'p',
          failure: { code: 'RATE_LIMIT', message: 'slow' },
          action: 'retry',
          delayMs: 1500,
        },
      },
      text('half'),
      {
        type: 'cancel/requested',
        data: {
          cause: { kind: 'user' },
          actor: 'a',
          keepInbox: false,
          resume: false,
          turn: 1,
          discarded: ['m'],
        },
      },
      {
        type: 'assistant/message',
        data: { ...at, message: { role: 'assistant', content: [] }, interrupted: true },
      },
      {
        type: 'turn/end',
        data: { turn: 1, reason: { kind: 'aborted', cause: { kind: 'user' } }, uncommitted: [] },
      },
    ])
    expect(out.lines.slice(3)).toEqual([
      '    ! attempt 1: RATE_LIMIT slow; again in 1.5 s',
      '    half',
      '  cancelled (user), 1 message discarded',
      '    (cut off here)',
      'turn 1 was aborted (user): 1 step, 0 tool calls, 60 ms',
      '○ idle',
      '',
    ])
  })
})

describe('on a terminal', () => {
  it('says at the bottom what is going on, and takes it away before anything else is written', () => {
    const out = new FakeOut({ isTTY: true, columns: 80 })
    play(out, RUN)
    expect(out.text).toContain('running · turn 1 · step 1 · waiting for the model')
    expect(out.text).toContain('running · turn 1 · step 1 · count src and 1 more')
    expect(out.shown()).toEqual([
      '● running',
      'turn 1',
      '  step 1',
      '    I look around.',
      `    ✗ ${'read_file .env'.padEnd(36)} .env is private  10 ms`,
      `    ✓ ${'count src'.padEnd(36)} 1,200 lines in 2 files  30 ms`,
      'turn 1 completed: 1 step, 2 tool calls, 110 ms',
      '○ idle',
      '',
    ])
  })

  it('writes no line that is wider than the terminal, and breaks text between words', () => {
    const out = new FakeOut({ isTTY: true, columns: 60 })
    play(out, [
      RUN[0]!,
      RUN[1]!,
      text(`${'word '.repeat(40)}日本語${'語'.repeat(20)} end`),
      ...RUN.slice(4),
    ])
    expect(Math.max(...out.shown().map((line) => line.length))).toBeLessThanOrEqual(60)
    expect(out.shown()[3]).toBe(`    ${'word '.repeat(11).trim()}`)
  })

  it('has no colour with NO_COLOR, and moves nothing on a dumb terminal', () => {
    const plain = new FakeOut({ isTTY: true, columns: 80 })
    play(plain, RUN, { NO_COLOR: '1' })
    expect(plain.text).not.toContain('\u001B[3')
    expect(plain.text).not.toContain('\u001B[1m')
    const dumb = new FakeOut({ isTTY: true, columns: 80 })
    play(dumb, RUN, { TERM: 'dumb' })
    expect(dumb.text).not.toContain('\u001B')
    expect(dumb.text).not.toContain('\r')
  })
})
