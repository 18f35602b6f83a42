/**
 * D1, D2: what a gate answers wrongly is refused with the gate, the path and what was found, to the word.
 */
import { describe, expect, it } from 'vitest'
import { TurnwiseError } from '../../src/errors.ts'
import {
  parseContinuation,
  parsePreStepDecision,
  parseRequestConfig,
  parseRetry,
  parseStepResult,
  parseToolPost,
  parseToolPre,
} from '../../src/events/parse-decision.ts'
import { message } from './sample.ts'
import { thrownBy } from './thrown-by.ts'

const batch = [message('A')]
const parts = { ids: () => 'new', source: { kind: 'plugin' }, batch, taken: () => false } as const
const READERS = {
  preStep: (answer: unknown) => parsePreStepDecision(answer, parts),
  request: parseRequestConfig,
  requestError: parseRetry,
  stepResult: (answer: unknown) => parseStepResult(answer, { role: 'assistant', content: [] }),
  toolPre: parseToolPre,
  toolPost: (answer: unknown) => parseToolPost(answer, parts),
  continuation: parseContinuation,
}

describe('the answer of a gate', () => {
  it.each<[gate: keyof typeof READERS, answer: unknown, text: string]>([
    ['preStep', 1, 'the decision must be an object, found 1'],
    ['preStep', {}, 'kind must be one of enter, reject, found undefined'],
    ['preStep', { kind: 'enter', messages: 1 }, 'messages must be an array, found 1'],
    ['preStep', { kind: 'enter', messages: [1] }, 'messages[0] must be an object, found 1'],
    ['preStep', { kind: 'reject', reason: 1 }, 'reason must be a string, found 1'],
    ['preStep', { kind: 'reject', reason: '', restore: 1 }, 'restore must be an array, found 1'],
    [
      'preStep',
      { kind: 'reject', reason: '', restore: ['A', 'B'] },
      'restore[1] must be an id of the batch, found "B"',
    ],
    ['preStep', { kind: 'reject', reason: '', by: '' }, 'by must be a non-empty string, found ""'],
    ['request', 1, 'the configuration must be an object, found 1'],
    [
      'request',
      { a: 1 },
      'the configuration must be an object of provider, model, maxTokens, settings only, found {"a":1}',
    ],
    ['request', { provider: '' }, 'provider must be a non-empty string, found ""'],
    ['request', { model: 1 }, 'model must be a non-empty string, found 1'],
    ['request', { maxTokens: 0 }, 'maxTokens must be an integer from 1 on, found 0'],
    ['request', { settings: 1 }, 'settings must be an object, found 1'],
    ['request', { settings: { a: 1n } }, 'settings.a must be lossless JSON, found a bigint'],
    ['requestError', 1, 'the decision must be an object, found 1'],
    ['requestError', {}, 'action must be one of retry, found undefined'],
    [
      'requestError',
      { action: 'retry', delayMs: -1 },
      'delayMs must be a number from 0 on, found -1',
    ],
    ['stepResult', 1, 'message must be an object, found 1'],
    ['toolPre', true, 'the decision must be an object, found true'],
    ['toolPre', { kind: 'maybe' }, 'kind must be one of allow, deny, ask, found "maybe"'],
    ['toolPre', { kind: 'deny' }, 'reason must be a string, found undefined'],
    ['toolPre', { kind: 'deny', reason: '', by: '' }, 'by must be a non-empty string, found ""'],
    ['toolPre', { kind: 'ask', prompt: 1 }, 'prompt must be a string, found 1'],
    ['toolPre', { kind: 'ask', expiresMs: -1 }, 'expiresMs must be a number from 0 on, found -1'],
    ['toolPost', 1, 'the decision must be an object, found 1'],
    ['toolPost', {}, 'kind must be one of accept, block, found undefined'],
    ['toolPost', { kind: 'block' }, 'feedback must be a string, found undefined'],
    ['toolPost', { kind: 'accept', contexts: 1 }, 'contexts must be an array, found 1'],
    ['toolPost', { kind: 'accept', contexts: [1] }, 'contexts[0] must be an object, found 1'],
    ['toolPost', { kind: 'accept', content: 1 }, 'content must be an array, found 1'],
    [
      'toolPost',
      { kind: 'accept', content: [1n] },
      'content[0] must be lossless JSON, found a bigint',
    ],
    ['toolPost', { kind: 'accept', content: ['a'] }, 'content[0] must be an object, found "a"'],
    ['continuation', 1, 'the decision must be one of continue, stop, default, found 1'],
  ])('of %s is refused: %#', (gate, answer, text) => {
    const said = `the answer of gate ${gate} cannot be carried out: ${text}; nothing of it was. Fix the gate.`
    expect(thrownBy(() => READERS[gate](answer))).toMatchObject({
      code: 'GATE_DECISION_INVALID',
      message: expect.stringContaining(said) as string,
      cause: { name: 'ShapeError' },
    })
  })

  it.each([new Error('no ids'), new TurnwiseError('SELF_WAIT', 'no ids')])(
    'lets through what making an id throws: %s',
    (error) => {
      const ids = (): never => {
        throw error
      }
      const enter = { kind: 'enter', messages: ['a'] }
      expect(thrownBy(() => parsePreStepDecision(enter, { ...parts, ids }))).toBe(error)
    },
  )

  it('that gives the batch back is taken without a copy', () => {
    const decision = READERS.preStep({ kind: 'enter', messages: batch })
    expect(decision.kind === 'enter' && decision.messages).toBe(batch)
  })
})

describe('a question of toolPre', () => {
  it.each<[answer: object, question: object]>([
    [{ kind: 'ask' }, {}],
    [{ kind: 'ask', prompt: undefined, expiresMs: undefined, once: undefined }, {}],
    [
      { kind: 'ask', prompt: '', expiresMs: 0 },
      { prompt: '', expiresMs: 0 },
    ],
    [{ kind: 'ask', once: true, more: 1 }, { once: true }],
    [{ kind: 'ask', once: 'yes' }, {}],
    [{ kind: 'ask', once: false }, {}],
  ])('%j says what it was given, and asks once only for exactly true', (answer, question) => {
    expect(parseToolPre(answer)).toStrictEqual({ kind: 'ask', ...question })
  })
})
