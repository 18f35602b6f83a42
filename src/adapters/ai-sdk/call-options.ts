/**
 * Writes the options of one `doStream` call.
 *
 * C1 Settings are passed by name; an unknown name fails the attempt, so that a misspelt one is not ignored in silence.
 * C2 Headers come from the adapter's options, never from the settings: settings stand in the log.
 *
 * @module
 */
import { ModelError, type ModelRequest } from '../../actors/model.port.ts'
import type { RequestConfig, ToolHeader } from '../../events/event.ts'
import type { Json } from '../../events/json.ts'
import { recordOf, type SpecVersion } from './language-model.ts'
import { promptOf, type PromptMessage } from './prompt.ts'

/** A tool that the provider itself defines, in the form its package makes. */
export interface ProviderTool {
  readonly type: string
  readonly name: string
  readonly [field: string]: unknown
}

/** Options of `doStream`, as far as they are set here. */
export interface CallOptions {
  readonly prompt: readonly PromptMessage[]
  readonly includeRawChunks: false
  /** Read by wrappers that repeat requests; models of provider packages never do. */
  readonly maxRetries: 0
  readonly abortSignal: AbortSignal
  readonly maxOutputTokens?: number
  readonly tools?: readonly unknown[]
  readonly headers?: Readonly<Record<string, string>>
  readonly [setting: string]: unknown
}

/** What an adapter adds to every request. */
export interface CallDefaults {
  readonly settings?: RequestConfig['settings']
  readonly headers?: Readonly<Record<string, string>>
  readonly providerTools?: readonly ProviderTool[]
}

const SETTINGS: ReadonlySet<string> = new Set([
  'temperature',
  'topP',
  'topK',
  'stopSequences',
  'presencePenalty',
  'frequencyPenalty',
  'seed',
  'responseFormat',
  'toolChoice',
  'providerOptions',
])

function settingsOf(
  request: ModelRequest,
  defaults: CallDefaults,
  version: SpecVersion,
): Record<string, Json> {
  const given = { ...defaults.settings, ...request.settings }
  for (const name of Object.keys(given)) {
    // Reasoning effort is an option of its own since version 4; before, it is one of the provider's options.
    if (SETTINGS.has(name) || (name === 'reasoning' && version === 'v4')) continue
    throw new ModelError({
      code: 'UNKNOWN',
      message: `the setting '${name}' is unknown to language models of version ${version}; known are ${[...SETTINGS].join(', ')}. Options of one provider belong into providerOptions.`,
    })
  }
  return given
}

const functionTool = ({ name, description, parameters }: ToolHeader): object => ({
  type: 'function',
  name,
  ...(description !== undefined && { description }),
  inputSchema: parameters,
})

/** A tool of the provider takes the place of a tool of the agent with the same name, which then runs its calls. */
function toolsOf(request: ModelRequest, providerTools: readonly ProviderTool[]): unknown[] {
  const taken = new Set(providerTools.map(({ name }) => name))
  return [
    ...request.tools.filter(({ name }) => !taken.has(name)).map(functionTool),
    ...providerTools,
  ]
}

/** The options for one request. @throws ModelError when a setting is unknown. */
export function callOptions(
  request: ModelRequest,
  signal: AbortSignal,
  version: SpecVersion,
  defaults: CallDefaults,
): CallOptions {
  const tools = toolsOf(request, defaults.providerTools ?? [])
  return {
    ...settingsOf(request, defaults, version),
    prompt: promptOf(request, version),
    ...(request.maxTokens !== undefined && { maxOutputTokens: request.maxTokens }),
    ...(tools.length > 0 && { tools }),
    ...(defaults.headers !== undefined && { headers: defaults.headers }),
    abortSignal: signal,
    includeRawChunks: false,
    maxRetries: 0,
  }
}

/** Names of the settings of an adapter that `fromAiSdk` must refuse at once. */
export const isSettings = (value: unknown): boolean => {
  const settings = recordOf(value)
  return value === undefined || (settings !== undefined && !('headers' in settings))
}
