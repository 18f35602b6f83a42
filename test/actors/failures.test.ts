/**
 * Thrown values as failures: which codes count, which fields are kept, and what a failed turn says.
 */
import { describe, expect, it } from 'vitest'
import { failureOf, turnFailure } from '../../src/actors/failures.ts'
import { ModelError } from '../../src/actors/model.port.ts'
import { GateDecisionError, TurnwiseError } from '../../src/errors.ts'

const CODES = [
  'SERVER',
  'RATE_LIMIT',
  'TIMEOUT',
  'TRANSPORT',
  'EMPTY_RESPONSE',
  'AUTH',
  'CONTEXT_OVERFLOW',
  'ABORTED',
  'UNKNOWN_PROVIDER',
]

const coded = (fields: object): Error => Object.assign(new Error('boom'), fields)

describe('a thrown value', () => {
  it.each(CODES)('of the code %s keeps it', (code) => {
    expect(failureOf(coded({ code }))).toStrictEqual({ code, message: 'boom' })
  })

  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'unknown failure'],
    ['null', null, 'unknown failure'],
    ['a text', 'plain words', 'plain words'],
    ['a number', 7, '7'],
    ['an error without a code', new Error('boom'), 'boom'],
    ['an error of another code', coded({ code: 'ECONNRESET', status: 500 }), 'boom'],
    ['an error of an empty code', coded({ code: '' }), 'boom'],
    ['an error with a cause', new Error('boom', { cause: new Error('why') }), 'boom: why'],
  ])('that is %s is unknown, in its own words', (_, thrown, message) => {
    expect(failureOf(thrown)).toStrictEqual({ code: 'UNKNOWN', message })
  })

  it('that is classified keeps its fields and tells its causes', () => {
    const fields = { status: 429, retryAfterMs: 0, requestId: '' }
    const cause = new Error('quota')
    const thrown = new ModelError({ code: 'RATE_LIMIT', message: 'slow', ...fields }, { cause })
    expect(failureOf(thrown)).toStrictEqual({
      code: 'RATE_LIMIT',
      message: 'slow: quota',
      ...fields,
    })
  })

  it.each([
    { status: '500' },
    { status: Number.NaN },
    { status: Infinity },
    { retryAfterMs: '1' },
    { retryAfterMs: Infinity },
    { requestId: 7 },
    { requestId: null },
  ])('that is classified loses what no failure can hold: %o', (fields) => {
    expect(failureOf(coded({ code: 'SERVER', ...fields }))).toStrictEqual({
      code: 'SERVER',
      message: 'boom',
    })
  })
})

describe('a turn that fails', () => {
  const cause = new Error('why')

  it('by a decision that cannot be read says so in its words, without causes', () => {
    const decision = new GateDecisionError('no such word', { cause })
    const invalid = new TurnwiseError('GATE_DECISION_INVALID', 'no such message', { cause })
    expect([decision, invalid].map(turnFailure)).toStrictEqual([
      { code: 'GATE_DECISION_INVALID', message: decision.message },
      { code: 'GATE_DECISION_INVALID', message: invalid.message },
    ])
  })

  it.each<[string, unknown]>([
    ['another error of this library', new TurnwiseError('LOG_WRITE_FAILED', 'full', { cause })],
    ['an error that only has the code', coded({ code: 'GATE_DECISION_INVALID' })],
  ])('by %s is a failure like any other', (_, thrown) => {
    expect(turnFailure(thrown)).toStrictEqual(failureOf(thrown))
    expect(turnFailure(thrown).code).toBe('UNKNOWN')
  })
})

describe('a model error', () => {
  const failure = { code: 'AUTH', message: 'no key' }

  it.each([{}, { status: 401 }, { retryAfterMs: 5 }, { requestId: 'r' }])(
    'has the fields that it is given, and no others: %o',
    (fields) => {
      const error = new ModelError({ ...failure, ...fields })
      expect(error).toBeInstanceOf(Error)
      const { name, message, code, status, retryAfterMs, requestId } = error
      expect({ name, message, code, status, retryAfterMs, requestId }).toEqual({
        name: 'ModelError',
        ...failure,
        ...fields,
      })
    },
  )

  it('keeps the cause', () => {
    const cause = new Error('why')
    expect(new ModelError(failure, { cause }).cause).toBe(cause)
  })
})
