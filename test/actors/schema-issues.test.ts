/**
 * What counts as a schema, and what a model is told of a value that does not fit one.
 */
import { describe, expect, it } from 'vitest'
import {
  exportsJsonSchema,
  isSchema,
  issueTexts,
  jsonSchemaOf,
} from '../../src/actors/schema-issues.ts'
import type { StandardSchema } from '../../src/actors/tool.port.ts'

const standard = { version: 1, vendor: 'own', validate: (value: unknown) => ({ value }) } as const

const schema = (more: object = {}): StandardSchema => ({ '~standard': { ...standard, ...more } })

const input = (): object => ({ $schema: 'draft', type: 'string' })

describe('a schema', () => {
  it.each([
    ['an object', schema()],
    ['a function', Object.assign(() => {}, schema())],
  ])('may be %s', (_, value) => {
    expect(isSchema(value)).toBe(true)
  })

  it.each([
    undefined,
    null,
    7,
    'schema',
    true,
    {},
    () => {},
    { '~standard': {} },
    { '~standard': { validate: 1 } },
  ])('is not %o', (value) => {
    expect(isSchema(value)).toBe(false)
  })

  it('exports JSON Schema only if its library can', () => {
    expect(exportsJsonSchema(schema())).toBe(false)
    expect(exportsJsonSchema(schema({ jsonSchema: {} }))).toBe(false)
    expect(exportsJsonSchema(schema({ jsonSchema: { input } }))).toBe(true)
    expect(jsonSchemaOf(schema({ jsonSchema: { input } }))).toEqual({ type: 'string' })
  })
})

describe('an issue', () => {
  it.each<[readonly unknown[] | undefined, string]>([
    [undefined, 'bad'],
    [[], 'bad'],
    [['a'], 'a: bad'],
    [['a', 0, { key: 'b' }], 'a.0.b: bad'],
    [[null], 'null: bad'],
  ])('at %o reads %j', (path, text) => {
    const issue = path === undefined ? { message: 'bad' } : { message: 'bad', path: path as [] }
    expect(issueTexts([issue])).toEqual([text])
  })

  it.each([
    [20, 20, 'bad 19'],
    [21, 21, 'and 1 more'],
    [25, 21, 'and 5 more'],
  ])('of %d is one of %d lines, the last one %j', (count, lines, last) => {
    const texts = issueTexts(Array.from({ length: count }, (_, i) => ({ message: `bad ${i}` })))
    expect([texts.length, texts[19], texts.at(-1)]).toEqual([lines, 'bad 19', last])
    expect(Object.isFrozen(texts)).toBe(true)
  })
})
