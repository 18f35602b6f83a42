/**
 * Defines tools, and lists them as a model is shown them.
 *
 * T1 A faulty definition is refused where it stands, not at the first request.
 * T2 Tools are listed by name in code-unit order, so that the same tools always give the same request.
 *
 * @module
 */
import type { AnyTool, StandardSchema, Tool, ToolContext, ToolReturn } from '../actors/tool.port.ts'
import { causeChain, TurnwiseError } from '../errors.ts'
import type { ToolHeader } from '../events/event.ts'
import { frozenJson, type Json } from '../events/json.ts'

/** What a schema turns valid arguments into. */
export type InferInput<Schema extends StandardSchema> = NonNullable<
  Schema['~standard']['types']
>['output']

/** Arguments of a tool without a schema. */
export type AnyArguments = { readonly [name: string]: Json | undefined }

/** A tool before it is defined: `run` and `parallel` are typed by `input`. */
export interface ToolDefinition<Input, Schema> {
  /** 1–64 of `[A-Za-z0-9_-]`, which is what every provider takes. */
  readonly name: string
  /** What the model is told of it. */
  readonly description?: string
  /** Validates the arguments: a schema of zod, valibot, arktype or another library of Standard Schema. */
  readonly input?: Schema
  /** JSON Schema of the arguments. Default: what `input` exports; any object without `input`. */
  readonly parameters?: Json
  /** May this call run beside others of its kind? Only exactly `true` counts. Default: no. */
  readonly parallel?: boolean | ((input: Input) => unknown)
  /** Calling it again after an unknown outcome is safe. Default: false. */
  readonly repeatable?: boolean
  /** Ms until the outcome is TIMEOUT, positive. Default: the agent's `toolTimeoutMs`. */
  readonly timeoutMs?: number
  /** Throwing makes an error outcome; a thrown string `code` is kept. */
  run(input: Input, context: ToolContext): ToolReturn | Promise<ToolReturn>
}

const NAME = /^[A-Za-z0-9_-]{1,64}$/

const invalid = (message: string, options?: ErrorOptions): TurnwiseError =>
  new TurnwiseError('INVALID_OPTION', `${message}; nothing was defined.`, options)

/** Any object: what a tool without a schema accepts. */
const ANY_OBJECT: Json = Object.freeze({ type: 'object', properties: Object.freeze({}) })

/** Draft 7 is what the providers' own packages speak. */
const TARGET = 'draft-07'

const BOTH_WAYS =
  'use a library with the JSON Schema part of Standard Schema (zod 4.2 and later has it), or give the JSON Schema as parameters (for valibot: toJsonSchema(schema) of @valibot/to-json-schema)'

function exported(name: string, input: StandardSchema): Json {
  const companion = input['~standard'].jsonSchema
  if (typeof companion?.input !== 'function') {
    throw invalid(
      `the schema of tool '${name}' (${input['~standard'].vendor}) exports no JSON Schema; ${BOTH_WAYS}`,
    )
  }
  try {
    // What libraries export may hold hidden properties of their own; its draft tells a model nothing.
    const schema = JSON.parse(JSON.stringify(companion.input({ target: TARGET }))) as Record<
      string,
      Json
    >
    delete schema['$schema']
    return frozenJson(schema)
  } catch (thrown) {
    throw invalid(
      `the schema of tool '${name}' cannot be written as JSON Schema (${causeChain(thrown)}); ${BOTH_WAYS}`,
      { cause: thrown },
    )
  }
}

const isSchema = (value: unknown): boolean =>
  (typeof value === 'object' || typeof value === 'function') &&
  value !== null &&
  typeof (value as Partial<StandardSchema>)['~standard']?.validate === 'function'

function checkInput({ name, input }: AnyTool): void {
  if (input === undefined || isSchema(input)) return
  throw invalid(`a Standard Schema was expected as input of tool '${name}', but found none`)
}

function parametersOf(tool: AnyTool): Json {
  checkInput(tool)
  if (tool.parameters !== undefined) return tool.parameters
  return tool.input === undefined ? ANY_OBJECT : exported(tool.name, tool.input)
}

function givenParameters({ name, parameters }: AnyTool): Json | undefined {
  if (parameters === undefined) return undefined
  try {
    // Generators of JSON Schema leave undefined fields behind.
    return frozenJson(JSON.parse(JSON.stringify(parameters)))
  } catch (thrown) {
    throw invalid(`the parameters of tool '${name}' are no JSON`, { cause: thrown })
  }
}

function check(tool: AnyTool): void {
  if (typeof tool.name !== 'string' || !NAME.test(tool.name)) {
    throw invalid(`the name of a tool must be 1–64 of [A-Za-z0-9_-], but found '${tool.name}'`)
  }
  if (typeof tool.run !== 'function') throw invalid(`tool '${tool.name}' has no function run`)
  const { timeoutMs } = tool
  if (timeoutMs !== undefined && !(Number.isFinite(timeoutMs) && timeoutMs > 0)) {
    throw invalid(
      `timeoutMs of tool '${tool.name}' must be a positive number of ms, but found ${timeoutMs}`,
    )
  }
}

/**
 * Defines a tool whose `run` is typed by its schema; without `input` it takes any JSON object.
 *
 * @throws TurnwiseError INVALID_OPTION for a name, a time limit or a schema that cannot be used.
 */
export function defineTool<Schema extends StandardSchema>(
  definition: ToolDefinition<InferInput<Schema>, Schema> & { readonly input: Schema },
): Tool<InferInput<Schema>>
export function defineTool(definition: ToolDefinition<AnyArguments, undefined>): Tool<AnyArguments>
export function defineTool(definition: ToolDefinition<never, StandardSchema | undefined>): AnyTool {
  const { input, ...rest } = definition
  const made: AnyTool = input === undefined ? rest : { ...rest, input }
  check(made)
  const given = givenParameters(made)
  const tool = given === undefined ? made : { ...made, parameters: given }
  return Object.freeze({ ...tool, parameters: parametersOf(tool) })
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
  throw invalid(`two tools have the name '${twice.name}'`)
}
