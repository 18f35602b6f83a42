/**
 * The JSON Schema of a tool's arguments, and the tools as a model is shown them.
 *
 * Tools are listed by name in code-unit order, so that the same tools always give the same request.
 *
 * @module
 */
import { causeChain, TurnwiseError } from '../errors.ts'
import type { ToolHeader } from '../events/event.ts'
import type { Json } from '../events/json.ts'
import { exportsJsonSchema, isSchema, jsonSchemaOf } from './schema-issues.ts'
import type { AnyTool, StandardSchema } from './tool.port.ts'

/** The error of a faulty tool. */
export const invalidTool = (message: string, options?: ErrorOptions): TurnwiseError =>
  new TurnwiseError('INVALID_OPTION', `${message}; nothing was defined.`, options)

/** Any object: what a tool without a schema accepts. */
const ANY_OBJECT: Json = Object.freeze({ type: 'object', properties: Object.freeze({}) })

const BOTH_WAYS =
  'use a library with the JSON Schema part of Standard Schema (zod 4.2 and later has it), or give the JSON Schema as parameters (for valibot: toJsonSchema(schema) of @valibot/to-json-schema)'

function exported(name: string, input: StandardSchema): Json {
  if (!exportsJsonSchema(input)) {
    throw invalidTool(
      `the schema of tool '${name}' (${input['~standard'].vendor}) exports no JSON Schema; ${BOTH_WAYS}`,
    )
  }
  try {
    return jsonSchemaOf(input)
  } catch (thrown) {
    throw invalidTool(
      `the schema of tool '${name}' cannot be written as JSON Schema (${causeChain(thrown)}); ${BOTH_WAYS}`,
      { cause: thrown },
    )
  }
}

function checkInput({ name, input }: AnyTool): void {
  if (input === undefined || isSchema(input)) return
  throw invalidTool(`a Standard Schema was expected as input of tool '${name}', but found none`)
}

/** JSON Schema of the arguments: given, exported by `input`, or any object. @throws TurnwiseError INVALID_OPTION */
export function parametersOf(tool: AnyTool): Json {
  checkInput(tool)
  if (tool.parameters !== undefined) return tool.parameters
  return tool.input === undefined ? ANY_OBJECT : exported(tool.name, tool.input)
}

/** Headers of tools that were written by hand; those of `defineTool` carry theirs. */
const derived = new WeakMap<AnyTool, Json>()

function headerOf(tool: AnyTool): ToolHeader {
  const parameters = tool.parameters ?? derived.get(tool) ?? parametersOf(tool)
  if (tool.parameters === undefined) derived.set(tool, parameters)
  const { name, description } = tool
  return { name, ...(description !== undefined && { description }), parameters }
}

const byName = (a: ToolHeader, b: ToolHeader): number => (a.name < b.name ? -1 : 1)

/**
 * The tools as a model is shown them, in canonical order.
 *
 * @throws TurnwiseError INVALID_OPTION when two tools have one name, or one has no usable schema.
 */
export function toolHeaders(tools: Iterable<AnyTool>): ToolHeader[] {
  const headers = [...tools].map(headerOf).toSorted(byName)
  const twice = headers.find((header, at) => header.name === headers[at + 1]?.name)
  if (twice === undefined) return headers
  throw invalidTool(`two tools have the name '${twice.name}'`)
}
