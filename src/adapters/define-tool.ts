/**
 * Defines tools: a faulty definition is refused where it stands, not at the first request.
 *
 * @module
 */
import { resolveApproval } from '../actors/approval-policy.ts'
import type { Approval } from '../actors/approval.port.ts'
import type { AnyTool, StandardSchema, Tool, ToolContext, ToolReturn } from '../actors/tool.port.ts'
import { invalidTool, parametersOf } from '../actors/tool-schema.ts'
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
  /** Must somebody allow its calls? Default: what the agent's `approval` says. */
  readonly approval?: Approval
  /** Throwing makes an error outcome; a thrown string `code` is kept. */
  run(input: Input, context: ToolContext): ToolReturn | Promise<ToolReturn>
}

const NAME = /^[A-Za-z0-9_-]{1,64}$/

function givenParameters({ name, parameters }: AnyTool): Json | undefined {
  if (parameters === undefined) return undefined
  try {
    // Generators of JSON Schema leave undefined fields behind.
    return frozenJson(JSON.parse(JSON.stringify(parameters)))
  } catch (thrown) {
    throw invalidTool(`the parameters of tool '${name}' are no JSON`, { cause: thrown })
  }
}

function check(tool: AnyTool): void {
  if (typeof tool.name !== 'string' || !NAME.test(tool.name)) {
    throw invalidTool(`the name of a tool must be 1–64 of [A-Za-z0-9_-], but found '${tool.name}'`)
  }
  if (typeof tool.run !== 'function') throw invalidTool(`tool '${tool.name}' has no function run`)
  const { timeoutMs, approval } = tool
  if (approval !== undefined) resolveApproval(approval, `approval of tool '${tool.name}'`)
  if (timeoutMs !== undefined && !(Number.isFinite(timeoutMs) && timeoutMs > 0)) {
    throw invalidTool(
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
