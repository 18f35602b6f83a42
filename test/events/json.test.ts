import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deepFreeze, frozenJson, JsonLossError, MAX_JSON_DEPTH } from '../../src/events/json.ts'

class Point {
  x = 1
}
const nameless = (() => class extends Point {})()
const inheriting = (parent: object): object => Object.create(parent) as object
const cycle: { self?: unknown } = {}
cycle.self = cycle
const nested = (levels: number): unknown => {
  let value: unknown = 1
  for (let i = 0; i < levels; i++) value = [value]
  return value
}

describe('lossless JSON', () => {
  it('J1: is a deeply frozen copy, and the original stays as it was', () => {
    const original = { list: [{ a: 1 }], text: 'x' }
    const copy = frozenJson<typeof original>(original)
    expect(copy).toEqual(original)
    expect([copy, copy.list, copy.list[0]].every((part) => Object.isFrozen(part))).toBe(true)
    expect([original, original.list, original.list[0]].some((part) => Object.isFrozen(part))).toBe(
      false,
    )
  })

  it.each([
    ['undefined', { a: undefined }, 'a'],
    ['a function', { a: [() => 1] }, 'a[0]'],
    ['a symbol', { a: Symbol('s') }, 'a'],
    ['a bigint', { a: 1n }, 'a'],
    ['NaN', [0, Number.NaN], '[1]'],
    ['an infinity', { a: { b: Infinity } }, 'a.b'],
    ['a negative zero', { a: -0 }, 'a'],
    ['a class instance', { a: new Point() }, 'a'],
    ['a date', { a: new Date(0) }, 'a'],
    ['a map', { a: new Map() }, 'a'],
    // eslint-disable-next-line no-sparse-arrays -- that is the point
    ['a sparse array', { a: [1, , 3] }, 'a'],
    ['an array with extra keys', { a: Object.assign([1], { b: 2 }) }, 'a'],
    [
      'an accessor',
      {
        get a() {
          return 1
        },
      },
      'a',
    ],
    ['a hidden property', Object.defineProperty({}, 'a', { value: 1 }), 'a'],
    ['a symbol key', { a: { [Symbol('s')]: 1 } }, 'a'],
  ])('J2: refuses %s, with its path', (_what, value, path) => {
    expect(() => frozenJson(value)).toThrow(
      expect.objectContaining({ name: 'JsonLossError', path }),
    )
  })

  it.each<[value: unknown, text: string]>([
    [undefined, 'the value is undefined, which JSON cannot keep'],
    [{ a: undefined }, 'a is undefined, which JSON cannot keep'],
    [[() => 1], '[0] is a function, which JSON cannot keep'],
    [{ a: -0 }, 'a is -0, which JSON cannot keep'],
    [[Infinity], '[0] is Infinity, which JSON cannot keep'],
    [Object.assign([1], { b: 2 }), 'an array with holes or extra keys'],
    [{ a: { [Symbol('s')]: 1 } }, 'a is an object with symbol keys'],
    [new Point(), 'the value is an instance of Point'],
    [new nameless(), 'the value is an instance of a class'],
    [inheriting(Object.create(null) as object), 'the value is an instance of a class'],
    [inheriting({ constructor: undefined }), 'the value is an instance of a class'],
    [new Proxy({}, { ownKeys: () => ['a'] }), 'a is an accessor or a hidden property'],
    [cycle, `nested deeper than ${MAX_JSON_DEPTH} levels or a cycle`],
  ])('J2: says what it refuses: %#', (value, text) => {
    expect(() => frozenJson(value)).toThrow(text)
  })

  it('J2: never runs an accessor', () => {
    const accessor = {
      get a(): number {
        throw new Error('it ran')
      },
    }
    expect(() => frozenJson(accessor)).toThrow('a is an accessor or a hidden property')
  })

  it('J2: refuses cycles and what is nested too deep, and takes what is just not too deep', () => {
    expect(() => frozenJson(cycle)).toThrow(JsonLossError)
    expect(() => frozenJson(nested(MAX_JSON_DEPTH + 1))).toThrow(JsonLossError)
    expect(() => frozenJson(nested(MAX_JSON_DEPTH))).not.toThrow()
  })

  it('takes every JSON value unchanged, __proto__ and null prototypes included', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        const plain: unknown = JSON.parse(JSON.stringify(value))
        expect(JSON.stringify(frozenJson(plain))).toBe(JSON.stringify(plain))
      }),
    )
    const sneaky: unknown = JSON.parse('{"__proto__":{"a":1}}')
    expect(JSON.stringify(frozenJson(sneaky))).toBe('{"__proto__":{"a":1}}')
    expect(frozenJson(Object.assign(Object.create(null) as object, { a: 1 }))).toEqual({ a: 1 })
  })

  it('deepFreeze freezes in place and stops at frozen parts', () => {
    const inner = { a: { b: 1 } }
    const frozenOutside = Object.freeze({ open: { c: 1 } })
    deepFreeze({ inner, frozenOutside })
    expect(Object.isFrozen(inner.a)).toBe(true)
    expect(Object.isFrozen(frozenOutside.open)).toBe(false)
    expect(Object.isFrozen(deepFreeze(frozenOutside).open)).toBe(false)
    expect([deepFreeze(null), deepFreeze('ab'), deepFreeze(1)]).toEqual([null, 'ab', 1])
  })
})
