/**
 * Validates data against JSON Schema, as far as an answer of a model needs it: a subset of drafts 7 and 2020-12, as a Standard
 * Schema.
 *
 * J1 A keyword that is not understood is refused when the schema is read: nothing passes because it was not looked at.
 *    `format` is a note, as in the drafts.
 * J2 Following references ends: one that leads to no schema, or only back to itself, is a fault of the schema.
 *
 * @module
 */
import type { StandardSchema } from '../actors/tool.port.ts'
import type { Json } from '../events/json.ts'
import { KEYWORDS, type Issue, type Schema } from './schema-keywords.ts'

/** Keywords that say nothing about what is valid. */
const NOTES = new Set([
  '$schema',
  '$id',
  '$comment',
  '$defs',
  'definitions',
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'format',
])

/** References that may lead to one another without a step into the data. */
const MAX_REFERENCES = 100

/** Why a schema cannot be used. */
export class SchemaFault extends Error {
  override readonly name = 'SchemaFault'
}

/**
 * Reads a JSON Schema.
 *
 * @throws SchemaFault with the place of what is not understood.
 */
export function readJsonSchema(given: Json): StandardSchema<Json> & { readonly json: Json } {
  const root = checked(given, '#')
  for (const reference of referencesIn(root)) new Validator(root).target(reference)
  const validate = (value: unknown): { value: Json } | { issues: readonly Issue[] } => {
    const issues = new Validator(root).issues(root, value as Json, [])
    return issues.length === 0 ? { value: value as Json } : { issues }
  }
  // What leads back to itself without a step into the data does so for every value.
  validate(null)
  return {
    json: given,
    '~standard': {
      version: 1,
      vendor: 'turnwise',
      validate,
      jsonSchema: { input: () => given as Record<string, unknown> },
    },
  }
}

const isObject = (value: unknown): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Looks at every keyword, in the schemas inside too. @throws SchemaFault */
function checked(schema: Json | undefined, place: string): Schema {
  if (typeof schema === 'boolean') return schema
  if (!isObject(schema)) throw new SchemaFault(`${place}: expected a schema`)
  for (const [keyword, value] of Object.entries(schema)) {
    const at = `${place}/${keyword}`
    if (keyword === '$defs' || keyword === 'definitions') checkedMap(value, at)
    else if (keyword === '$ref') checkRef(value, at)
    else if (!NOTES.has(keyword)) checkKeyword(keyword, value, at)
  }
  return schema
}

function checkKeyword(name: string, value: Json, at: string): void {
  const keyword = Object.hasOwn(KEYWORDS, name) ? KEYWORDS[name] : undefined
  if (keyword === undefined) throw new SchemaFault(`${at}: this keyword is not understood`)
  if (!keyword.fits(value)) throw new SchemaFault(`${at}: expected ${keyword.expected}`)
  if (keyword.holds === 'schema') checked(value, at)
  else if (keyword.holds === 'schemas')
    for (const [i, each] of (value as Json[]).entries()) checked(each, `${at}/${i}`)
  else if (keyword.holds === 'map') checkedMap(value, at)
}

function checkedMap(value: Json, at: string): void {
  if (!isObject(value)) throw new SchemaFault(`${at}: expected schemas by name`)
  for (const [key, each] of Object.entries(value)) checked(each, `${at}/${key}`)
}

function checkRef(value: Json, at: string): void {
  if (typeof value !== 'string' || !/^#(?:\/|$)/.test(value))
    throw new SchemaFault(`${at}: expected a reference within the schema, such as #/$defs/name`)
}

/** All references, wherever they stand. */
function referencesIn(json: Json): string[] {
  if (typeof json !== 'object' || json === null) return []
  return Object.entries(json).flatMap(([key, value]) =>
    key === '$ref' && typeof value === 'string' ? [value] : referencesIn(value as Json),
  )
}

/** Validates one value. */
class Validator {
  private readonly root: Schema
  private references = 0

  constructor(root: Schema) {
    this.root = root
  }

  issues(schema: Schema, value: Json, path: readonly (string | number)[]): readonly Issue[] {
    if (schema === true) return []
    if (schema === false) return [{ message: 'nothing may stand here', path }]
    const found = this.referred(schema, value, path)
    const check = (inner: Schema, of: Json, step?: string | number): readonly Issue[] => {
      if (step === undefined) return this.issues(inner, of, path)
      const before = this.references
      this.references = 0
      const inside = this.issues(inner, of, [...path, step])
      this.references = before
      return inside
    }
    for (const [name, argument] of Object.entries(schema)) {
      const keyword = Object.hasOwn(KEYWORDS, name) ? KEYWORDS[name] : undefined
      if (keyword !== undefined)
        found.push(...keyword.check(argument, value, { schema, path, check }))
    }
    return found
  }

  private referred(
    { $ref: reference }: Exclude<Schema, boolean>,
    value: Json,
    path: readonly (string | number)[],
  ): Issue[] {
    if (typeof reference !== 'string') return []
    this.references += 1
    if (this.references > MAX_REFERENCES)
      throw new SchemaFault(`${reference}: this reference leads back to itself`)
    const found = this.issues(this.target(reference), value, path)
    this.references -= 1
    return [...found]
  }

  /** @throws SchemaFault */
  target(reference: string): Schema {
    let at: Json | undefined = this.root
    for (const part of reference.split('/').slice(1)) {
      const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
      at = isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined
    }
    if (typeof at === 'boolean' || isObject(at)) return at
    throw new SchemaFault(`${reference}: there is no such schema`)
  }
}
