/**
 * Reads the arguments of a call, and checks them against the tool's schema.
 *
 * @module
 */
import { causeChain } from '../errors.ts'
import type { Json } from '../events/json.ts'
import { issueTexts } from './schema-issues.ts'
import type { AnyTool, StandardResult } from './tool.port.ts'

/** What a validation answers: the value for the body, or a text for the model. */
export type ValidatedInput =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly code: 'INVALID_ARGS'; readonly message: string }

/** The arguments as policies see them: empty text is `{}`, text that is not JSON stays a text. */
export function parseArguments(raw: string): Json {
  if (raw.trim() === '') return {}
  try {
    return JSON.parse(raw) as Json
  } catch {
    return raw
  }
}

const refused = (tool: AnyTool, why: string): ValidatedInput => ({
  ok: false,
  code: 'INVALID_ARGS',
  message: `Invalid arguments for tool ${tool.name}: ${why}`,
})

const isObject = (value: Json): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const found = (value: Json): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'string' ? 'text that is no JSON object' : `a ${typeof value}`
}

/**
 * Validates the arguments of a call; at once where the schema does. Never throws or rejects: a schema that fails refuses
 * the arguments.
 *
 * A tool without `input` takes any JSON object.
 */
export function validateInput(
  tool: AnyTool,
  value: Json,
): ValidatedInput | Promise<ValidatedInput> {
  if (tool.input === undefined) {
    return isObject(value)
      ? { ok: true, value }
      : refused(tool, `a JSON object was expected, but found ${found(value)}`)
  }
  const failed = (thrown: unknown): ValidatedInput =>
    refused(tool, `its schema failed: ${causeChain(thrown)}`)
  try {
    const result = tool.input['~standard'].validate(value)
    return result instanceof Promise
      ? result.then((answer) => judged(tool, answer), failed)
      : judged(tool, result)
  } catch (thrown) {
    return failed(thrown)
  }
}

const judged = (tool: AnyTool, result: StandardResult<unknown>): ValidatedInput =>
  result.issues === undefined
    ? { ok: true, value: result.value }
    : refused(tool, issueTexts(result.issues).join('; '))
