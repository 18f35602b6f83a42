/**
 * Spans of a run, as the GenAI conventions name them: from the log alone, each with its end, without what was said.
 */
import { assert as check, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StoredEvent } from '../../../src/events/event.ts'
import { otlpTraces } from '../../../src/inspect/otel/otlp.ts'
import type { OtlpSpan } from '../../../src/inspect/otel/span.ts'
import { parseLog } from '../../../src/testing/parse-log.ts'
import { keptLog } from '../../support/kept-log.ts'
import { anyLog } from '../../support/random-log.ts'

const HEADER = { id: 's', formatVersion: 1, createdAt: 0 } as const

const spansOf = (events: readonly StoredEvent[], reveal = false): readonly OtlpSpan[] =>
  otlpTraces(HEADER, events, { reveal }).resourceSpans[0]?.scopeSpans[0]?.spans ?? []

/** An attribute in plain words. */
const valueOf = (span: OtlpSpan | undefined, key: string): unknown =>
  Object.values(span?.attributes.find((attribute) => attribute.key === key)?.value ?? {})[0]

const conversation = keptLog('conversation')

/** One event a second. */
const paced = (lines: readonly string[]): StoredEvent[] =>
  parseLog(lines).map((event, seq) => ({ ...event, time: seq * 1000 }))

describe('the spans of a turn', () => {
  const spans = spansOf(conversation)
  const first = spans.filter((span) => valueOf(span, 'turnwise.turn') === '1')

  it('are one invoke_agent, a chat for each attempt, an execute_tool for each call that started', () => {
    expect(first.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
      'chat mock 3',
      'execute_tool read 1',
      'execute_tool read 1',
      'execute_tool write 1',
      'chat mock 3',
      'invoke_agent 1',
    ])
  })

  it('are one trace, whose root is the turn', () => {
    const root = first.at(-1)
    expect(root?.parentSpanId).toBeUndefined()
    expect(new Set(first.map(({ traceId }) => traceId))).toEqual(new Set([root?.traceId]))
    expect(new Set(first.slice(0, -1).map(({ parentSpanId }) => parentSpanId))).toEqual(
      new Set([root?.spanId]),
    )
    expect(root?.traceId).toMatch(/^[0-9a-f]{32}$/)
    expect(root?.spanId).toMatch(/^[0-9a-f]{16}$/)
  })

  it('have the attributes of the conventions', () => {
    const [chat, tool] = first
    expect(
      ['operation.name', 'provider.name', 'request.model', 'request.max_tokens'].map((name) =>
        valueOf(chat, `gen_ai.${name}`),
      ),
    ).toEqual(['chat', 'mock', 'mock', '500'])
    expect(valueOf(chat, 'gen_ai.conversation.id')).toBe('s')
    expect(valueOf(chat, 'gen_ai.usage.input_tokens')).toBe('1')
    expect(valueOf(chat, 'gen_ai.response.finish_reasons')).toEqual({
      values: [{ stringValue: 'tool-calls' }],
    })
    expect(
      ['operation.name', 'tool.name', 'tool.call.id', 'tool.type'].map((name) =>
        valueOf(tool, `gen_ai.${name}`),
      ),
    ).toEqual(['execute_tool', 'read', 'c1', 'function'])
    expect(valueOf(first.at(-1), 'gen_ai.usage.output_tokens')).toBe('2')
  })

  it('tell failures by their type', () => {
    expect(first[3]?.status).toEqual({ code: 2 })
    expect(valueOf(first[3], 'error.type')).toBe('tool_error')
    const failed = spans.filter(({ name, status }) => name === 'chat mock' && status.code === 2)
    expect(failed.map((span) => valueOf(span, 'error.type'))).toEqual(['SERVER', 'UNKNOWN'])
  })

  it('are the same however often they are made', () => {
    expect(spansOf(conversation)).toEqual(spans)
  })
})

describe('times', () => {
  it('of a retry begin after its back-off, and of a request when its input stood', () => {
    const spans = spansOf(
      paced([
        'turn/start 1',
        'step/start 1.1',
        'user/message "A"',
        'request/failed 1.1 #1 SERVER retry +500ms',
        'assistant/message 1.1 "b"',
        'step/end 1.1',
        'turn/end 1 completed',
      ]),
    )
    expect(
      spans.map(({ name, startTimeUnixNano, endTimeUnixNano }) => [
        name,
        startTimeUnixNano,
        endTimeUnixNano,
      ]),
    ).toEqual([
      ['chat', '2000000000', '3000000000'],
      ['chat', '3500000000', '4000000000'],
      ['invoke_agent', '0', '6000000000'],
    ])
    expect(spans.slice(0, 2).map((span) => valueOf(span, 'turnwise.attempt'))).toEqual(['1', '2'])
  })
})

describe('an abort', () => {
  it('ends the request and the calls under way, and stands in the turn as an event', () => {
    const spans = spansOf(conversation).filter((span) => valueOf(span, 'turnwise.turn') === '5')
    expect(spans.map(({ name, status }) => [name, status])).toEqual([
      ['chat mock', {}],
      ['invoke_agent', {}],
    ])
    expect(valueOf(spans[0], 'turnwise.interrupted')).toBe(true)
    expect(valueOf(spans[1], 'turnwise.turn.reason')).toBe('aborted')
    expect(spans[1]?.events.map(({ name }) => name)).toEqual(['turnwise.cancel'])
  })
})

describe('every span', () => {
  it('has an end in every prefix of every random log, not before its start', () => {
    check(
      property(anyLog(120), ({ events }) => {
        for (const length of [events.length, events.length >> 1, 7]) {
          const part = events.slice(0, length)
          const spans = spansOf(part, true)
          const started = part.filter(({ type }) => type === 'turn/start').length
          expect(spans.filter(({ name }) => name === 'invoke_agent')).toHaveLength(started)
          const calls = part.filter(({ type }) => type === 'tool/call').length
          expect(spans.filter(({ name }) => name.startsWith('execute_tool'))).toHaveLength(calls)
          for (const { startTimeUnixNano, endTimeUnixNano } of spans)
            expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano))
          expect(new Set(spans.map(({ traceId, spanId }) => traceId + spanId)).size).toBe(
            spans.length,
          )
        }
      }),
      { numRuns: 40 },
    )
  })

  it('of a log that ends in the middle of a turn says so', () => {
    const spans = spansOf(keptLog('crashed-calling'))
    expect(valueOf(spans.at(-1), 'turnwise.open')).toBe(true)
  })
})

describe('what was said', () => {
  const SAID = ['Read and write.', 'Let me look.', 'contents', 'You help.', 'boom']

  it('is in no span, unless it is asked for', () => {
    const hidden = JSON.stringify(spansOf(conversation))
    const shown = JSON.stringify(spansOf(conversation, true))
    for (const text of SAID) expect(hidden).not.toContain(text)
    for (const text of SAID) expect(shown).toContain(text)
  })

  it('stands in a request once: what is new since the one before', () => {
    const inputs = spansOf(conversation, true)
      .filter(({ name }) => name === 'chat mock')
      .map(
        (span) =>
          JSON.parse(valueOf(span, 'gen_ai.input.messages') as string) as { role: string }[],
      )
    expect(inputs.slice(0, 2).map((messages) => messages.map(({ role }) => role))).toEqual([
      ['user', 'user'],
      ['tool', 'tool', 'tool', 'user'],
    ])
  })
})
