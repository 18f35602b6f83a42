import { describe, expect, it } from 'vitest'
import { GateDecisionError, TurnwiseError } from '../../src/errors.ts'
import { errorOutcome, outcomeOf, textOfOutcome } from '../../src/events/parse-outcome.ts'

const text = (value: string) => [{ type: 'text', text: value }]

describe('the outcome of a body that returned', () => {
  it.each<[what: string, returned: unknown, outcome: unknown]>([
    ['a text', 'hi', { kind: 'ok', content: text('hi') }],
    ['an empty text', '', { kind: 'ok', content: text('') }],
    ['nothing', undefined, { kind: 'ok', content: text('ok') }],
    ['blocks', [{ type: 'text', text: 'a' }], { kind: 'ok', content: text('a') }],
    ['null', null, { kind: 'ok', content: text('null'), value: null }],
    ['a number', 7, { kind: 'ok', content: text('7'), value: 7 }],
    ['an object', { a: [1] }, { kind: 'ok', content: text('{"a":[1]}'), value: { a: [1] } }],
    ['an empty list', [], { kind: 'ok', content: text('[]'), value: [] }],
    [
      'a list that only looks like blocks',
      [{ type: 'text' }],
      { kind: 'ok', content: text('[{"type":"text"}]'), value: [{ type: 'text' }] },
    ],
  ])('of %s', (_what, returned, outcome) => {
    expect(outcomeOf(returned)).toEqual(outcome)
    expect(Object.isFrozen(outcomeOf(returned))).toBe(true)
  })

  it.each([
    [{ a: undefined }, 'a is undefined'],
    [new Map(), 'the value is an instance of Map'],
    [() => 1, 'the value is a function'],
  ])(
    'O2: that JSON cannot keep is an error without a code that says where: %s',
    (returned, fault) => {
      expect(outcomeOf(returned)).toEqual({
        kind: 'error',
        content: text(
          `Error: the tool returned no lossless JSON: ${fault}, which JSON cannot keep`,
        ),
      })
    },
  )
})

describe('the outcome of a body that threw', () => {
  const hostile = Object.defineProperty({}, 'code', {
    get() {
      throw new Error('no')
    },
  })
  it.each<[what: string, thrown: unknown, outcome: unknown]>([
    ['an error', new Error('m'), { kind: 'error', content: text('Error: m') }],
    [
      'an error with its causes',
      new Error('m', { cause: new Error('c') }),
      { kind: 'error', content: text('Error: m: c') },
    ],
    ['a text', 'm', { kind: 'error', content: text('Error: m') }],
    ['nothing', undefined, { kind: 'error', content: text('Error: unknown failure') }],
    ['null', null, { kind: 'error', content: text('Error: unknown failure') }],
    [
      'an object without a prototype',
      Object.create(null),
      { kind: 'error', content: text('Error: an object') },
    ],
    [
      'an object whose getters throw',
      hostile,
      { kind: 'error', content: text('Error: [object Object]') },
    ],
    [
      'a classified failure',
      Object.assign(new Error('slow'), { code: 'RATE_LIMIT' }),
      { kind: 'error', code: 'RATE_LIMIT', content: text('Error: slow') },
    ],
    [
      'a code of the system',
      Object.assign(new Error('no file'), { code: 'ENOENT' }),
      { kind: 'error', content: text('Error: no file') },
    ],
    [
      'a code that is empty',
      Object.assign(new Error('m'), { code: '' }),
      { kind: 'error', content: text('Error: m') },
    ],
    [
      'a code that only the agent gives',
      Object.assign(new Error('x'), { code: 'NOT_STARTED' }),
      { kind: 'error', content: text('Error: x') },
    ],
  ])('O1, O2: of %s', (_what, thrown, outcome) => {
    expect(errorOutcome(thrown)).toEqual(outcome)
  })

  it.each([
    'ABORTED',
    'AUTH',
    'CONTEXT_OVERFLOW',
    'EMPTY_RESPONSE',
    'INVALID_ARGS',
    'OUTCOME_UNKNOWN',
    'RATE_LIMIT',
    'SERVER',
    'TIMEOUT',
    'TRANSPORT',
    'UNKNOWN_TOOL',
  ])('O2: keeps the code %s, which a body may know', (code) => {
    expect(errorOutcome(Object.assign(new Error('m'), { code }))).toEqual({
      kind: 'error',
      code,
      content: text('Error: m'),
    })
  })

  it('keeps the codes of this library', () => {
    expect(errorOutcome(new TurnwiseError('SELF_WAIT', 'm'))).toMatchObject({ code: 'SELF_WAIT' })
    expect(errorOutcome(new GateDecisionError('m'))).toMatchObject({
      code: 'GATE_DECISION_INVALID',
    })
    expect(errorOutcome(new TurnwiseError('UNKNOWN', 'm'))).not.toHaveProperty('code')
  })

  it('is read as its texts; files are named', () => {
    const image = { type: 'image', mediaType: 'image/png', data: 'AAAA' } as const
    expect(textOfOutcome({ kind: 'ok', content: [{ type: 'text', text: 'a' }, image] })).toBe(
      'a\n[image image/png]',
    )
  })
})
