/**
 * The lines of a step: what one event means depends on those before it.
 */
import { describe, expect, it } from 'vitest'
import type { EventMap, StoredEvent } from '../../../src/events/event.ts'
import type { AssistantBlock, Outcome } from '../../../src/events/message.ts'
import { traceEntries } from '../../../src/projections/trace/trace-entries.ts'
import { answerSaid } from '../../../src/projections/trace/trace-words.ts'
import { stored } from '../../support/stored.ts'

const AT = { turn: 1, step: 1 }
const READ = { key: 'k', index: 1, providerId: 'c' }

const text = (words: string): AssistantBlock => ({ type: 'text', text: words })
const reasoning: AssistantBlock = { type: 'reasoning', text: 'hm' }
const toRead: AssistantBlock = { type: 'tool-call', call: READ, name: 'read', arguments: '{"a":1}' }
const source: AssistantBlock = { type: 'provider', kind: 'source', value: null }
const image: AssistantBlock = { type: 'image', mediaType: 'image/png', url: 'x:y' }

const opens = stored('step/start', AT)
const chunk = (attempt: number): StoredEvent =>
  stored('assistant/chunk', { ...AT, attempt, chunk: { kind: 'text-delta', block: 0, text: 'x' } })
const fails = (attempt: number, action: 'retry' | 'fail'): StoredEvent =>
  stored('request/failed', {
    ...AT,
    attempt,
    provider: 'p',
    failure: { code: 'SERVER', message: 'boom' },
    action,
    delayMs: 10,
  })
const answers = (
  content: readonly AssistantBlock[],
  more: Partial<EventMap['assistant/message']> = {},
): StoredEvent =>
  stored('assistant/message', { ...AT, message: { role: 'assistant', content }, ...more })
const calls = stored('tool/call', { ...AT, call: READ, name: 'read', arguments: '{"a":1}' })
const settles = (outcome: Outcome): StoredEvent =>
  stored('tool/settled', { ...AT, call: READ, outcome })
const results = (outcome: Outcome): StoredEvent =>
  stored('tool/result', { ...AT, call: READ, outcome })

/** Each line as `kind from>to | what | said`. */
const lines = (events: readonly StoredEvent[]): string[] =>
  traceEntries(events, { reveal: true }).map(
    ({ kind, from, to, what, said }) => `${kind} ${from}>${to} | ${what} | ${said}`,
  )

const ASKS = (attempt: number): string => `ask agent>model | attempt ${attempt} | `
const MODEL = 'answer model>agent |'
const TOOLS = 'answer tools>agent |'
const STARTS = 'note agent>agent | step 1.1 starts | '
const ok: Outcome = { kind: 'ok', content: [{ type: 'text', text: 'contents' }] }

describe('attempts', () => {
  it('begin with their first chunk, and are counted up to the answer', () => {
    expect(lines([chunk(1), chunk(1), answers([text('hi')])])).toEqual([
      ASKS(1),
      `${MODEL} answers: text, 2 chunks | hi`,
    ])
  })

  it('begin with the failure or the answer where no chunk came', () => {
    expect(lines([fails(1, 'retry'), answers([text('hi')])])).toEqual([
      ASKS(1),
      `${MODEL} attempt 1 fails: SERVER, again in 10 ms | boom`,
      ASKS(2),
      `${MODEL} answers: text | hi`,
    ])
  })

  it('begin once, and the chunks of one are not those of the next', () => {
    expect(lines([chunk(1), chunk(1), fails(1, 'fail'), chunk(2), answers([text('hi')])])).toEqual([
      ASKS(1),
      `${MODEL} attempt 1 fails: SERVER | boom`,
      ASKS(2),
      `${MODEL} answers: text, 1 chunk | hi`,
    ])
  })

  it('are counted anew in the next step', () => {
    expect(lines([opens, chunk(1), opens, answers([]), opens, answers([])])).toEqual([
      STARTS,
      ASKS(1),
      STARTS,
      ASKS(1),
      `${MODEL} answers: nothing | `,
      STARTS,
      ASKS(1),
      `${MODEL} answers: nothing | `,
    ])
  })

  it('say nothing of the window that they have', () => {
    expect(lines([stored('request/context', { ...AT, provider: 'p', model: 'm' })])).toEqual([])
  })
})

describe('an answer', () => {
  it.each<[readonly AssistantBlock[], Partial<EventMap['assistant/message']>, string]>([
    [[], {}, 'answers: nothing'],
    [[text('a'), text('b')], {}, 'answers: text'],
    [[reasoning], {}, 'answers: reasoning'],
    [[toRead], {}, 'answers: 1 call'],
    [[toRead, toRead], {}, 'answers: 2 calls'],
    [[source], {}, 'answers: 1 other block'],
    [[source, image], {}, 'answers: 2 other blocks'],
    [
      [reasoning, text('a'), toRead, source],
      {},
      'answers: text and reasoning and 1 call and 1 other block',
    ],
    [[text('a')], { usage: { outputTokens: 1 } }, 'answers: text, 1 token'],
    [[text('a')], { usage: { outputTokens: 0 } }, 'answers: text, 0 tokens'],
    [[text('a')], { usage: { inputTokens: 5 } }, 'answers: text'],
    [[text('a')], { transformedBy: 'mask' }, 'answers: text, changed by mask'],
    [
      [text('a')],
      { interrupted: true, usage: { outputTokens: 2 }, transformedBy: '' },
      'is cut off after: text, 2 tokens, changed by ""',
    ],
  ])('%j %j: %s', (content, more, what) => {
    expect(traceEntries([answers(content, more)]).at(-1)?.what).toBe(what)
  })

  it('says its texts and its calls', () => {
    const content = [text('one'), reasoning, toRead, source, text(''), text('two')]
    expect(answerSaid({ role: 'assistant', content })).toBe('one read({"a":1}) two')
  })
})

describe('a call', () => {
  it.each<[Outcome, string, string]>([
    [ok, 'ok', 'contents'],
    [{ kind: 'ok', content: [], concludes: true }, 'ok, concludes the turn', ''],
    [{ kind: 'error', content: [{ type: 'text', text: 'no file' }] }, 'error', 'no file'],
    [{ kind: 'error', code: 'TIMEOUT', content: [] }, 'TIMEOUT', ''],
    [
      { kind: 'denied', by: 'ann', reason: 'rude', content: [{ type: 'text', text: 'x' }] },
      'denied by ann',
      'rude',
    ],
  ])('that ran is answered by %j', (outcome, words, said) => {
    expect(lines([calls, settles(outcome), results(outcome)])).toEqual([
      'ask agent>tools | call 2, read | {"a":1}',
      `${TOOLS} call 2, read: ${words} | ${said}`,
      'note agent>agent | call 2, read: result recorded | ',
    ])
    expect(lines([calls, results(outcome)]).at(-1)).toBe(
      `${TOOLS} call 2, read: ${words} | ${said}`,
    )
    expect(lines([results(outcome)])).toEqual([
      `note agent>agent | call 2, a tool: ${words}, it never ran | ${said}`,
    ])
  })

  it('has its name from the answer that made it, within its step', () => {
    expect(lines([answers([text('a'), toRead]), results(ok), opens, results(ok)]).slice(2)).toEqual(
      [
        'note agent>agent | call 2, read: ok, it never ran | contents',
        STARTS,
        'note agent>agent | call 2, a tool: ok, it never ran | contents',
      ],
    )
  })

  it.each([
    [{ prompt: 'Write?' }, 'Write? {"path":"a"}'],
    [{}, '{"path":"a"}'],
  ])('is asked about with %j', (prompt, said) => {
    const question = { tool: 'read', arguments: { path: 'a' }, ...prompt }
    expect(lines([calls, stored('approval/asked', { ...AT, call: READ, question })]).at(-1)).toBe(
      `tell agent>caller | asks approval of call 2, read | ${said}`,
    )
  })

  it.each([
    [{ reason: 'go on' }, 'go on'],
    [{}, ''],
  ])('is decided with %j', (reason, said) => {
    const decided = { ...AT, call: READ, answer: 'allow', by: 'ann', ...reason } as const
    expect(lines([stored('approval/decided', decided)])).toEqual([
      `tell caller>agent | call 2, a tool: allow by ann | ${said}`,
    ])
  })
})
