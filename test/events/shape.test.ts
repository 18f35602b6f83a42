import { describe, expect, it } from 'vitest'
import {
  asInteger,
  asJson,
  asNumber,
  asText,
  onlyKeys,
  ShapeError,
  show,
} from '../../src/events/shape.ts'
import { thrownBy } from './thrown-by.ts'

const cycle: { self?: unknown } = {}
cycle.self = cycle

describe('a value in an error', () => {
  it.each<[what: string, value: unknown, text: string]>([
    ['a text', 'a"b', String.raw`"a\"b"`],
    ['a number', 1.5, '1.5'],
    ['a number that is none', Number.NaN, 'NaN'],
    ['a truth', false, 'false'],
    ['nothing', undefined, 'undefined'],
    ['null', null, 'null'],
    ['an object', { a: [1] }, '{"a":[1]}'],
    ['a function', () => 1, 'a function'],
    ['a bigint', 1n, 'a bigint'],
    ['a symbol', Symbol('secret'), 'a symbol'],
    ['a cycle', cycle, 'an object'],
    ['an object that says that it is nothing', { toJSON: () => undefined }, 'an object'],
    ['a text of 60 characters', 'x'.repeat(58), `"${'x'.repeat(58)}"`],
    ['a longer text', 'x'.repeat(59), `"${'x'.repeat(59)}…`],
  ])('is shown short: %s', (_what, value, text) => {
    expect(show(value)).toBe(text)
  })
})

describe('a value of another shape', () => {
  it.each<[read: () => unknown, text: string]>([
    [() => asText(1, 'a'), 'a must be a string, found 1'],
    [() => asText(1, ''), 'it must be a string, found 1'],
    [() => asNumber('1', 'a'), 'a must be a number from 0 on, found "1"'],
    [() => asNumber(-1, 'a'), 'a must be a number from 0 on, found -1'],
    [() => asNumber(Infinity, 'a', 2), 'a must be a number from 2 on, found Infinity'],
    [() => asInteger(0.5, 'a'), 'a must be an integer from 0 on, found 0.5'],
    [() => asInteger(1, 'a', 2), 'a must be an integer from 2 on, found 1'],
    [
      () => onlyKeys({ a: 1, c: 2 }, 'o', ['a', 'b']),
      'o must be an object of a, b only, found {"c":2}',
    ],
    [() => asJson({ b: 1n }, 'a'), 'a.b must be lossless JSON, found a bigint'],
  ])('%# is told with its path, what was expected, and what was found', (read, text) => {
    expect(thrownBy(read)).toMatchObject({ name: 'ShapeError', message: text })
  })

  it('can be told from around', () => {
    const inner = new ShapeError('b.c', 'a string', 1)
    expect(inner.within('a').message).toBe('a.b.c must be a string, found 1')
    expect(new ShapeError('', 'a string', 1).within('a').message).toBe(
      'a must be a string, found 1',
    )
  })

  it('takes the least number itself', () => {
    expect([asNumber(0, 'a'), asNumber(1.5, 'a', 1.5), asInteger(1, 'a', 1)]).toEqual([0, 1.5, 1])
  })
})
