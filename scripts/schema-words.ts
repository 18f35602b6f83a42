/**
 * Says in words what a Valibot schema takes, for docs.
 *
 * @module
 */
import { getDescription, type GenericSchema } from 'valibot'

/** The parts of a schema that are read here. */
interface Node {
  readonly kind: string
  readonly type: string
  readonly pipe?: readonly Node[]
  readonly wrapped?: Node
  readonly item?: Node
  readonly value?: Node
  readonly rest?: Node
  readonly entries?: Readonly<Record<string, Node>>
  readonly options?: readonly unknown[]
  readonly literal?: unknown
  readonly requirement?: unknown
}

/** Schemas that have a name of their own in the docs. */
export type Named = ReadonlyMap<unknown, string>

const asNode = (schema: GenericSchema): Node => schema

const OPTIONAL = new Set(['optional', 'exact_optional'])

/** May the field be left out? */
export const isOptional = (schema: GenericSchema): boolean => OPTIONAL.has(asNode(schema).type)

/** The sentence that stands beside a schema, also behind what only makes it optional. */
export function meaningOf(schema: GenericSchema): string {
  const { wrapped } = asNode(schema)
  return (
    getDescription(schema) ??
    (wrapped === undefined ? '' : meaningOf(wrapped as unknown as GenericSchema))
  )
}

const quoted = (value: unknown): string =>
  typeof value === 'string' ? `'${value}'` : String(value)

/** A schema in a pipe may be a pipe itself. */
const checksOf = ({ pipe = [] }: Node): Node[] =>
  pipe.flatMap((part) => (part.kind === 'schema' ? checksOf(part) : [part]))

function numberWords(node: Node): string {
  const checks = checksOf(node)
  const whole = checks.some(({ type }) => type === 'integer')
  const least = checks.find(({ type }) => type === 'min_value')?.requirement
  return `${whole ? 'integer' : 'number'}${typeof least === 'number' ? ` ≥ ${least}` : ''}`
}

function objectWords(node: Node, named: Named): string {
  const fields = Object.entries(node.entries ?? {}).map(([key, field]) => {
    const mark = OPTIONAL.has(field.type) ? '?' : ''
    return `${key}${mark}: ${words(field, named)}`
  })
  return `{ ${[...fields, ...(node.rest === undefined ? [] : ['…'])].join(', ')} }`
}

const WORDS: Readonly<Record<string, (node: Node, named: Named) => string>> = {
  string: () => 'string',
  boolean: () => 'boolean',
  custom: () => 'JSON',
  number: numberWords,
  literal: ({ literal }) => quoted(literal),
  picklist: ({ options = [] }) => options.map(quoted).join(' | '),
  array: ({ item }, named) => `list of ${item === undefined ? 'JSON' : words(item, named)}`,
  record: ({ value }, named) => `map of ${value === undefined ? 'JSON' : words(value, named)}`,
  nullable: ({ wrapped }, named) => `${wrapped === undefined ? '' : words(wrapped, named)} | null`,
  optional: ({ wrapped }, named) => (wrapped === undefined ? '' : words(wrapped, named)),
  exact_optional: ({ wrapped }, named) => (wrapped === undefined ? '' : words(wrapped, named)),
  variant: ({ options = [] }, named) =>
    (options as Node[]).map((way) => words(way, named)).join(' | '),
  object: objectWords,
  object_with_rest: objectWords,
}

function words(node: Node, named: Named): string {
  const name = named.get(node)
  if (name !== undefined) return name
  const say = WORDS[node.type]
  if (say === undefined) throw new Error(`no words for a schema of type ${node.type}`)
  return say(node, named)
}

/** The type of a schema in one line. */
export const typeWords = (schema: GenericSchema, named: Named): string =>
  words(asNode(schema), named)

/** Alternatives of a schema, each in one line; one for what has none. */
export function waysOf(schema: GenericSchema, named: Named): string[] {
  const node = asNode(schema)
  const ways = node.type === 'variant' ? (node.options as readonly Node[]) : [node]
  // The schema itself is named, and must be spelled out here.
  const others = new Map([...named].filter(([known]) => known !== schema))
  return ways.map((way) => words(way, others))
}

/** Fields of an object schema. */
export const fieldsOf = (schema: GenericSchema): [name: string, field: GenericSchema][] =>
  Object.entries(
    (asNode(schema).entries ?? {}) as unknown as Readonly<Record<string, GenericSchema>>,
  )
