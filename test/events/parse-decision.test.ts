import { describe, expect, it } from 'vitest'
import { GateDecisionError } from '../../src/errors.ts'
import type { AssistantMessage } from '../../src/events/message.ts'
import {
  parseContinuation,
  parsePreStepDecision,
  parseRequestConfig,
  parseRetry,
  parseStepResult,
  parseToolPost,
  parseToolPre,
} from '../../src/events/parse-decision.ts'
import { parseMessage } from '../../src/events/parse-message.ts'
import { callRef } from './sample.ts'

const source = { kind: 'plugin', plugin: 'gate' } as const
const batch = ['A', 'B'].map((id) => parseMessage({ id, content: id }, () => '', { kind: 'user' }))
const taken = new Set(['old'])
let made = 0
const preStep = (answer: unknown) =>
  parsePreStepDecision(answer, {
    ids: () => `new-${made++}`,
    source,
    batch,
    taken: (id) => taken.has(id),
  })

describe('preStep', () => {
  it('takes the batch as it is', () => {
    expect(preStep({ kind: 'enter', messages: batch })).toEqual({ kind: 'enter', messages: batch })
  })

  it('keeps the messages of the batch and makes the others', () => {
    const decision = preStep({
      kind: 'enter',
      messages: [batch[1], 'note', { id: 'A', content: 'rewritten' }],
    })
    expect(decision).toMatchObject({
      messages: [
        { id: 'B' },
        { content: [{ text: 'note' }], source },
        { id: 'A', content: [{ text: 'rewritten' }] },
      ],
    })
    expect(decision.kind === 'enter' && decision.messages[0]).toBe(batch[1])
  })

  it('may be empty, and may reject', () => {
    expect(preStep({ kind: 'enter', messages: [] })).toEqual({ kind: 'enter', messages: [] })
    expect(preStep({ kind: 'reject', reason: 'no' })).toEqual({
      kind: 'reject',
      reason: 'no',
      restore: [],
    })
    expect(preStep({ kind: 'reject', reason: 'no', by: 'goal', restore: ['B', 'B'] })).toEqual({
      kind: 'reject',
      reason: 'no',
      by: 'goal',
      restore: ['B'],
    })
  })

  it.each([
    [undefined, 'the decision must be an object, found undefined'],
    [{ kind: 'maybe' }, 'kind must be one of enter, reject, found "maybe"'],
    [{ kind: 'enter' }, 'messages must be an array, found undefined'],
    [{ kind: 'enter', messages: [batch[0], batch[0]] }, 'duplicate id A'],
    [{ kind: 'enter', messages: [{ id: 'old', content: 'x' }] }, 'duplicate id old'],
    [
      { kind: 'enter', messages: [batch[0], { content: [{ type: 'text' }] }] },
      'messages[1].content[0].text must be a string, found undefined',
    ],
    [
      { kind: 'enter', messages: ['a', { content: 'b', metadata: Number.NaN }] },
      'messages[1].metadata must be lossless JSON, found NaN',
    ],
    [{ kind: 'enter', messages: [7] }, 'messages[0] must be an object, found 7'],
    [{ kind: 'reject' }, 'reason must be a string, found undefined'],
    [
      { kind: 'reject', reason: 'no', restore: ['C'] },
      'restore[0] must be an id of the batch, found "C"',
    ],
  ])('D1, D2: refuses %j as a whole', (answer, text) => {
    expect(() => preStep(answer)).toThrow(GateDecisionError)
    expect(() => preStep(answer)).toThrow(text)
  })
})

describe('request', () => {
  it('takes a configuration, undefined fields as left out', () => {
    const config = { provider: 'p', model: 'm', maxTokens: 10, settings: { temperature: 0.5 } }
    expect(parseRequestConfig(config)).toEqual(config)
    expect(Object.keys(parseRequestConfig({ provider: undefined, model: 'm' }))).toEqual(['model'])
  })
  it.each([
    [null, 'the configuration must be an object'],
    [{ provider: '' }, 'provider must be a non-empty string'],
    [{ maxTokens: 0 }, 'maxTokens must be an integer from 1 on, found 0'],
    [{ settings: { a: undefined } }, 'settings.a must be lossless JSON, found undefined'],
    [{ temperature: 1 }, 'found {"temperature":1}'],
  ])('refuses %j', (answer, text) => {
    expect(() => parseRequestConfig(answer)).toThrow(text)
  })
})

describe('requestError', () => {
  it('takes nothing as no retry, and a retry with or without a delay', () => {
    expect([parseRetry(undefined), parseRetry(null)]).toEqual([undefined, undefined])
    expect(parseRetry({ action: 'retry' })).toEqual({ action: 'retry', delayMs: 0 })
    expect(parseRetry({ action: 'retry', delayMs: 5 })).toEqual({ action: 'retry', delayMs: 5 })
  })
  it.each([
    [true],
    [{}],
    [{ action: 'fail' }],
    [{ action: 'retry', delayMs: -1 }],
    [{ action: 'retry', delayMs: Infinity }],
  ])('refuses %j', (answer) => {
    expect(() => parseRetry(answer)).toThrow(GateDecisionError)
  })
})

const call = (index: number) =>
  ({ type: 'tool-call', call: callRef(index), name: 't', arguments: '{}' }) as const

describe('stepResult', () => {
  const original: AssistantMessage = {
    role: 'assistant',
    content: [{ type: 'text', text: 'a' }, call(0), call(1)],
  }

  it('takes the message as it is, without a copy', () => {
    expect(parseStepResult(original, original)).toBe(original)
  })

  it('numbers the calls that are left again, and keeps who they are', () => {
    const answer = {
      role: 'assistant',
      content: [
        { ...call(1), arguments: '{"safe":true}' },
        { type: 'reasoning', text: 'r' },
      ],
    }
    expect(parseStepResult(answer, original)).toEqual({
      role: 'assistant',
      content: [
        {
          type: 'tool-call',
          call: { ...callRef(1), index: 0 },
          name: 't',
          arguments: '{"safe":true}',
        },
        { type: 'reasoning', text: 'r' },
      ],
    })
  })

  it.each([
    [undefined, 'message must be lossless JSON'],
    [{ role: 'user', content: [] }, 'role must be one of assistant'],
    [{ role: 'assistant', content: [{ type: 'text' }] }, 'content[0].text must be a string'],
    [
      { role: 'assistant', content: [call(2)] },
      'content[0].call.key must be a call of the original message, each once, found "1.1.2"',
    ],
    [
      { role: 'assistant', content: [call(0), call(0)] },
      'content[1].call.key must be a call of the original',
    ],
    [
      { role: 'assistant', content: [{ ...call(0), arguments: {} }] },
      'content[0].arguments must be a string',
    ],
  ])('refuses %j', (answer, text) => {
    expect(() => parseStepResult(answer, original)).toThrow(text)
  })
})

describe('toolPre', () => {
  it.each([
    [{ kind: 'allow' }],
    [{ kind: 'ask' }],
    [{ kind: 'ask', prompt: 'sure?' }],
    [{ kind: 'deny', reason: 'no' }],
    [{ kind: 'deny', reason: 'no', by: 'policy' }],
  ])('takes %j', (answer) => {
    expect(parseToolPre(answer)).toEqual(answer)
  })
  it.each([
    [undefined],
    [true],
    ['allow'],
    [{ kind: 'maybe' }],
    [{ kind: 'deny' }],
    [{ kind: 'ask', prompt: 1 }],
  ])('refuses %j: a missing answer allows nothing', (answer) => {
    expect(() => parseToolPre(answer)).toThrow(GateDecisionError)
  })
})

const post = (answer: unknown) => parseToolPost(answer, { ids: () => 'new', source })

describe('toolPost', () => {
  it('takes an acceptance, with other content and contexts', () => {
    expect(post({ kind: 'accept' })).toEqual({ kind: 'accept', contexts: [] })
    expect(post({ kind: 'accept', content: 'short', contexts: ['see also'] })).toMatchObject({
      content: [{ type: 'text', text: 'short' }],
      contexts: [{ id: 'new', content: [{ text: 'see also' }], source }],
    })
  })
  it('takes a block with its feedback', () => {
    expect(post({ kind: 'block', feedback: 'fix it' })).toEqual({
      kind: 'block',
      feedback: 'fix it',
      contexts: [],
    })
  })
  it.each([
    [undefined, 'the decision must be an object'],
    [{ kind: 'block' }, 'feedback must be a string'],
    [{ kind: 'accept', content: 1 }, 'content must be an array, found 1'],
    [{ kind: 'accept', contexts: [{}] }, 'contexts[0].content must be lossless JSON'],
  ])('refuses %j', (answer, text) => {
    expect(() => post(answer)).toThrow(text)
  })
})

it('continuation takes its three words and nothing else', () => {
  for (const word of ['continue', 'stop', 'default'] as const)
    expect(parseContinuation(word)).toBe(word)
  expect(() => parseContinuation(undefined)).toThrow(
    'the answer of gate continuation cannot be carried out',
  )
})
