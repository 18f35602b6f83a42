/**
 * JSON Schema as the command understands it: what fits, what does not and where, and which schemas are refused.
 */
import { describe, expect, it } from 'vitest'
import { readJsonSchema } from '../../src/cli/json-schema.ts'
import type { Json } from '../../src/events/json.ts'

/** Issues of `value`, as `path: message`; empty if it fits. */
function issues(schema: Json, value: Json): string[] {
  const result = readJsonSchema(schema)['~standard'].validate(value)
  if (result instanceof Promise) throw new Error('it validates at once')
  return (result.issues ?? []).map(({ path = [], message }) => `${path.join('.')}: ${message}`)
}

const tree: Json = {
  $ref: '#/$defs/node',
  $defs: {
    node: {
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string' },
        children: { type: 'array', items: { $ref: '#/$defs/node' } },
      },
      additionalProperties: false,
    },
  },
}

describe('a value', () => {
  it.each<[string, Json, Json]>([
    ['any', true, { a: [1] }],
    ['any by no keywords', {}, null],
    ['of one of several types', { type: ['string', 'null'] }, null],
    ['whole', { type: 'integer' }, 3],
    ['whole though written as a fraction', { type: 'integer' }, 3.0],
    [
      'of an enumeration, whatever the order of keys',
      { enum: [{ a: 1, b: [2] }] },
      { b: [2], a: 1 },
    ],
    ['the constant', { const: null }, null],
    ['of some length, counted in characters', { minLength: 2, maxLength: 2 }, '🎉é'],
    ['like a pattern, anywhere in it', { pattern: '\\d{2}' }, 'a12b'],
    ['between bounds', { minimum: 1, maximum: 1, exclusiveMinimum: 0, exclusiveMaximum: 2 }, 1],
    ['a multiple', { multipleOf: 0.5 }, 1.5],
    ['of another kind than a keyword is about', { minLength: 9, minimum: 9, required: ['a'] }, [1]],
    ['with more properties than are named', { properties: { a: {} } }, { b: 1 }],
    ['a list', { items: { type: 'number' }, minItems: 1, maxItems: 2, uniqueItems: true }, [1, 2]],
    ['of all', { allOf: [{ type: 'number' }, { minimum: 1 }] }, 1],
    ['of any', { anyOf: [{ type: 'string' }, { minimum: 1 }] }, 1],
    ['of exactly one', { oneOf: [{ type: 'string' }, { type: 'number' }] }, 1],
    ['not so', { not: { type: 'string' } }, 1],
    ['a tree by reference', tree, { name: 'a', children: [{ name: 'b', children: [] }] }],
    ['with a name that objects have by nature', { required: ['toString'] }, { toString: 1 }],
    [
      'by many references side by side',
      { allOf: Array.from({ length: 300 }, () => ({ $ref: '#/$defs/n' })), $defs: { n: {} } },
      1,
    ],
  ])('fits: %s', (_, schema, value) => {
    expect(issues(schema, value)).toEqual([])
  })

  it.each<[Json, Json, string[]]>([
    [false, 1, [': nothing may stand here']],
    [{ type: 'object' }, [], [': expected object, found array']],
    [{ type: ['string', 'null'] }, 1, [': expected string or null, found number']],
    [{ type: 'integer' }, 1.5, [': expected integer, found number']],
    [{ enum: ['a', 1] }, 'b', [': expected one of ["a",1]']],
    [{ const: { a: 1 } }, {}, [': expected {"a":1}']],
    [{ minLength: 2 }, '🎉', [': expected at least 2 characters, found 1']],
    [{ pattern: '^a' }, 'ba', [': expected a text like ^a']],
    [{ exclusiveMaximum: 2 }, 2, [': expected a number below 2, found 2']],
    [{ multipleOf: 2 }, 3, [': expected a multiple of 2, found 3']],
    [{ required: ['a', 'b'] }, { a: 1 }, ['b: is missing']],
    [{ required: ['toString'] }, {}, ['toString: is missing']],
    [{ properties: { a: { type: 'string' } } }, { a: 1 }, ['a: expected string, found number']],
    [
      { properties: { a: {} }, additionalProperties: false },
      { a: 1, b: 2 },
      ['b: nothing may stand here'],
    ],
    [{ maxProperties: 0 }, { a: 1 }, [': expected at most 0 properties, found 1']],
    [{ items: { type: 'string' } }, ['a', 1], ['1: expected string, found number']],
    [
      { uniqueItems: true },
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      [': expected different items'],
    ],
    [{ anyOf: [{ type: 'string' }, false] }, 1, [': fits none of the alternatives']],
    [{ oneOf: [{}, { minimum: 0 }] }, 1, [': fits 2 of the alternatives, expected exactly one']],
    [{ not: {} }, 1, [': is what it must not be']],
    [
      tree,
      { name: 'a', children: [{ nam: 'b' }] },
      ['children.0.name: is missing', 'children.0.nam: nothing may stand here'],
    ],
  ])('%j does not take %j', (schema, value, expected) => {
    expect(issues(schema, value)).toEqual(expected)
  })
})

describe('a schema is refused', () => {
  it.each<[string, Json, string]>([
    ['that is none', 7, '#: expected a schema'],
    ['with a keyword that is not understood', { if: {} }, '#/if: this keyword is not understood'],
    [
      'deep inside',
      { properties: { a: { items: { prefixItems: [] } } } },
      '#/properties/a/items/prefixItems: this keyword',
    ],
    ['with a name of objects as keyword', { toString: 1 }, '#/toString: this keyword'],
    ['with a wrong argument', { minLength: -1 }, '#/minLength: expected a whole number'],
    ['with an unknown type', { type: 'text' }, '#/type: expected one or several of'],
    ['with a broken pattern', { pattern: '(' }, '#/pattern: expected a regular expression'],
    ['with alternatives that are none', { anyOf: [] }, '#/anyOf: expected a list of schemas'],
    [
      'with a reference out of it',
      { $ref: 'https://example.com' },
      '#/$ref: expected a reference within',
    ],
    [
      'with a reference to nothing',
      { items: { $ref: '#/$defs/x' } },
      '#/$defs/x: there is no such schema',
    ],
    ['that leads back to itself', { $ref: '#' }, '#: this reference leads back to itself'],
    [
      'that leads back to itself by a way round',
      { anyOf: [{ $ref: '#' }] },
      '#: this reference leads back',
    ],
  ])('%s', (_, schema, message) => {
    expect(() => readJsonSchema(schema)).toThrow(message)
  })
})

it('is shown to a model as it was given', () => {
  const { json, '~standard': standard } = readJsonSchema(tree)
  expect([json, standard.jsonSchema?.input({ target: 'draft-07' })]).toEqual([tree, tree])
})
