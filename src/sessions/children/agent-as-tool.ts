/**
 * An agent as a tool of another one: each call is a child that runs to its end.
 *
 * @module
 */
import type { AnyTool, Tool } from '../../actors/tool.port.ts'
import type { Json } from '../../events/json.ts'
import type { MessageInput } from '../../events/message.ts'
import type { Children, SpawnOptions } from './child-port.ts'
import { runChild, toldOf } from './child-tools.ts'

export interface AgentToolOptions
  extends
    Pick<SpawnOptions, 'agent' | 'output' | 'outputParameters' | 'fork'>,
    Pick<Tool, 'name' | 'description' | 'timeoutMs'> {
  readonly input?: AnyTool['input']
  /** JSON Schema of the arguments. Default: an object with a `prompt`. */
  readonly parameters?: Json
  /** Says what the child is asked. Default: the `prompt` of the arguments. */
  readonly prompt?: (input: never) => MessageInput
  /** May calls run beside each other? Default true. */
  readonly parallel?: AnyTool['parallel']
}

const PROMPT: Json = {
  type: 'object',
  properties: { prompt: { type: 'string', description: 'The task.' } },
  required: ['prompt'],
}

const promptOf = (input: { readonly prompt?: unknown } | null): string => {
  const prompt = input?.prompt
  if (typeof prompt === 'string' && prompt !== '') return prompt
  throw Object.assign(new Error('expected a text as prompt'), { code: 'INVALID_ARGS' })
}

/** What of the options is that of any tool. */
function shownOf(options: AgentToolOptions): Omit<AnyTool, 'run'> {
  const { name, description, timeoutMs, input, parallel = true } = options
  const parameters = options.parameters ?? (input === undefined ? PROMPT : undefined)
  return {
    name,
    parallel,
    ...(description !== undefined && { description }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(input !== undefined && { input }),
    ...(parameters !== undefined && { parameters }),
  }
}

/** Makes the tool. Its agents live in the registry of `children`. */
export function agentAsTool(children: Children, options: AgentToolOptions): AnyTool {
  const { name, agent, output, outputParameters, fork, prompt = promptOf } = options
  const fixed = { name, ...given({ agent, output, outputParameters, fork }) }
  return {
    ...shownOf(options),
    async run(input: never, context) {
      const asked = prompt(input)
      try {
        const result = await runChild(children, { ...fixed, prompt: asked }, context)
        const said = toldOf(result)
        return output === undefined ? said : (result.structured as Json)
      } catch (error) {
        if (context.signal.aborted) return ''
        throw error
      }
    },
  }
}

type Given<T> = { readonly [K in keyof T]?: NonNullable<T[K]> }

/** The options that were given. */
const given = <T extends object>(options: T): Given<T> =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Given<T>
