/**
 * What a Standard Schema says of a value, in words for a model, and the JSON Schema that it exports.
 *
 * @module
 */
import { frozenJson, type Json } from '../events/json.ts'
import type { StandardResult, StandardSchema } from './tool.port.ts'

/** More issues than this are only counted. */
const MAX_ISSUES = 20

/** Draft 7 is what the providers' own packages speak. */
const TARGET = 'draft-07'

type Issue = NonNullable<StandardResult<unknown>['issues']>[number]

/** Is it a schema of a library that implements Standard Schema? Some of them are functions. */
export const isSchema = (value: unknown): value is StandardSchema =>
  (typeof value === 'object' || typeof value === 'function') &&
  value !== null &&
  typeof (value as Partial<StandardSchema>)['~standard']?.validate === 'function'

/** A step of a path is a key, or an object that holds one. */
const keyOf = (step: unknown): string =>
  String(typeof step === 'object' && step !== null ? (step as { key?: unknown }).key : step)

function issueText({ message, path = [] }: Issue): string {
  const at = path.map(keyOf).join('.')
  return at === '' ? message : `${at}: ${message}`
}

/** One text for each issue; behind the twentieth they are only counted. */
export function issueTexts(issues: readonly Issue[]): readonly string[] {
  const shown = issues.slice(0, MAX_ISSUES).map(issueText)
  const rest = issues.length - shown.length
  return Object.freeze(rest > 0 ? [...shown, `and ${rest} more`] : shown)
}

/** Does its library export JSON Schema? */
export const exportsJsonSchema = (schema: StandardSchema): boolean =>
  typeof schema['~standard'].jsonSchema?.input === 'function'

/** The JSON Schema of what `schema` accepts. @throws what its library says of a schema that cannot be written. */
export function jsonSchemaOf(schema: StandardSchema): Json {
  const exported = schema['~standard'].jsonSchema?.input({ target: TARGET })
  // What libraries export may hold hidden properties of their own; its draft tells a model nothing.
  const plain = JSON.parse(JSON.stringify(exported)) as Record<string, Json>
  delete plain['$schema']
  return frozenJson(plain)
}
