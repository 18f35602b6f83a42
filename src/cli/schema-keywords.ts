/**
 * The keywords of JSON Schema that are understood: what may stand behind each, and what it finds in a value.
 *
 * @module
 */
import type { Json } from '../events/json.ts'
import {
  canonical,
  type Data,
  isCount,
  isData,
  isList,
  isNumber,
  isSchema,
  isText,
  lengthOf,
  TYPES,
} from './json-kinds.ts'

/** A schema: everything, nothing, or keywords. */
export type Schema = boolean | { readonly [keyword: string]: Json }

export interface Issue {
  readonly message: string
  readonly path: readonly (string | number)[]
}

interface Around {
  /** The schema that the keyword stands in. */
  readonly schema: Exclude<Schema, boolean>
  readonly path: Issue['path']
  /** What a schema inside finds, in the same value or in a part of it. */
  readonly check: (schema: Schema, value: Json, step?: string | number) => readonly Issue[]
}

export interface Keyword {
  /** What must stand behind it. */
  readonly expected: string
  readonly fits: (argument: Json) => boolean
  /** Where schemas stand in it. */
  readonly holds?: 'schema' | 'schemas' | 'map'
  readonly check: (argument: Json, value: Json, around: Around) => readonly Issue[]
}

/** A keyword about one kind of value, which says nothing about others. */
const about = <T extends Json>(
  is: (value: Json) => value is T,
  expected: string,
  fits: (argument: Json) => boolean,
  fault: (argument: never, value: T) => string | undefined,
): Keyword => ({
  expected,
  fits,
  check(argument, value, { path }) {
    const message = is(value) ? fault(argument as never, value) : undefined
    return message === undefined ? [] : [{ message, path }]
  },
})

const COUNT = 'a whole number from 0 on'
const limit = (words: string, holds: (limit: number, value: number) => boolean): Keyword =>
  about(isNumber, 'a number', isNumber, (argument: number, value) =>
    holds(argument, value) ? undefined : `expected a number ${words} ${argument}, found ${value}`,
  )
const size = <T extends Json>(
  is: (value: Json) => value is T,
  sizeOf: (value: T) => number,
  what: string,
  most: boolean,
): Keyword =>
  about(is, COUNT, isCount, (argument: number, value: T) => {
    const found = sizeOf(value)
    if (most ? found <= argument : found >= argument) return undefined
    return `expected at ${most ? 'most' : 'least'} ${argument} ${what}, found ${found}`
  })
const sizes = <T extends Json>(
  is: (value: Json) => value is T,
  sizeOf: (value: T) => number,
  what: string,
): readonly [least: Keyword, most: Keyword] => [
  size(is, sizeOf, what, false),
  size(is, sizeOf, what, true),
]

const [minLength, maxLength] = sizes(isText, lengthOf, 'characters')
const [minItems, maxItems] = sizes(isList, (list) => list.length, 'items')
const [minProperties, maxProperties] = sizes(
  isData,
  (data) => Object.keys(data).length,
  'properties',
)

const isRegExp = (value: Json): boolean => {
  try {
    return isText(value) && new RegExp(value, 'u') instanceof RegExp
  } catch {
    return false
  }
}

const isMany = (value: Json): boolean => isList(value) && value.length > 0 && value.every(isSchema)
const many = (check: Keyword['check']): Keyword => ({
  expected: 'a list of schemas',
  fits: isMany,
  holds: 'schemas',
  check,
})
/** How many of the schemas accept the value. */
const accepted = (argument: Json, value: Json, { check }: Around): number =>
  (argument as Schema[]).filter((schema) => check(schema, value).length === 0).length

/** Every keyword that is understood, by its name. */
export const KEYWORDS: { readonly [name: string]: Keyword } = {
  type: {
    expected: `one or several of ${Object.keys(TYPES).join(', ')}`,
    fits: (argument) =>
      [argument].flat().length > 0 &&
      [argument].flat().every((name) => isText(name) && Object.hasOwn(TYPES, name)),
    check(argument, value, { path }) {
      const names = [argument].flat() as string[]
      if (names.some((name) => TYPES[name]?.(value) === true)) return []
      const found = isList(value) ? 'array' : value === null ? 'null' : typeof value
      return [{ message: `expected ${names.join(' or ')}, found ${found}`, path }]
    },
  },
  enum: {
    expected: 'a list of values',
    fits: isList,
    check: (argument, value, { path }) =>
      (argument as Json[]).some((each) => canonical(each) === canonical(value))
        ? []
        : [{ message: `expected one of ${canonical(argument)}`, path }],
  },
  const: {
    expected: 'a value',
    fits: () => true,
    check: (argument, value, { path }) =>
      canonical(argument) === canonical(value)
        ? []
        : [{ message: `expected ${canonical(argument)}`, path }],
  },
  minLength,
  maxLength,
  pattern: about(isText, 'a regular expression', isRegExp, (argument: string, value) =>
    new RegExp(argument, 'u').test(value) ? undefined : `expected a text like ${argument}`,
  ),
  minimum: limit('of at least', (least, value) => value >= least),
  maximum: limit('of at most', (most, value) => value <= most),
  exclusiveMinimum: limit('above', (bound, value) => value > bound),
  exclusiveMaximum: limit('below', (bound, value) => value < bound),
  multipleOf: about(
    isNumber,
    'a positive number',
    (of) => isNumber(of) && of > 0,
    (of: number, value) =>
      Number.isInteger(value / of) ? undefined : `expected a multiple of ${of}, found ${value}`,
  ),
  properties: {
    expected: 'schemas by name',
    fits: isData,
    holds: 'map',
    check: (argument, value, { check }) =>
      isData(value)
        ? Object.entries(argument as { readonly [name: string]: Schema }).flatMap(([key, schema]) =>
            Object.hasOwn(value, key) ? check(schema, value[key] as Json, key) : [],
          )
        : [],
  },
  required: {
    expected: 'a list of names',
    fits: (argument) => isList(argument) && argument.every(isText),
    check: (argument, value, { path }) =>
      isData(value)
        ? (argument as string[])
            .filter((key) => !Object.hasOwn(value, key))
            .map((key) => ({ message: 'is missing', path: [...path, key] }))
        : [],
  },
  additionalProperties: {
    expected: 'a schema',
    fits: isSchema,
    holds: 'schema',
    check: (argument, value, { schema, check }) =>
      isData(value)
        ? Object.keys(value)
            .filter((key) => !Object.hasOwn((schema['properties'] as Data | undefined) ?? {}, key))
            .flatMap((key) => check(argument as Schema, value[key] as Json, key))
        : [],
  },
  minProperties,
  maxProperties,
  items: {
    expected: 'a schema',
    fits: isSchema,
    holds: 'schema',
    check: (argument, value, { check }) =>
      isList(value) ? value.flatMap((each, i) => check(argument as Schema, each, i)) : [],
  },
  minItems,
  maxItems,
  uniqueItems: about(
    isList,
    'true or false',
    (of) => typeof of === 'boolean',
    (of: boolean, value) =>
      of && new Set(value.map(canonical)).size < value.length
        ? 'expected different items'
        : undefined,
  ),
  allOf: many((argument, value, { check }) =>
    (argument as Schema[]).flatMap((schema) => check(schema, value)),
  ),
  anyOf: many((argument, value, around) =>
    accepted(argument, value, around) > 0
      ? []
      : [{ message: 'fits none of the alternatives', path: around.path }],
  ),
  oneOf: many((argument, value, around) => {
    const fit = accepted(argument, value, around)
    const message = `fits ${fit} of the alternatives, expected exactly one`
    return fit === 1 ? [] : [{ message, path: around.path }]
  }),
  not: {
    expected: 'a schema',
    fits: isSchema,
    holds: 'schema',
    check: (argument, value, { check, path }) =>
      check(argument as Schema, value).length > 0
        ? []
        : [{ message: 'is what it must not be', path }],
  },
}
