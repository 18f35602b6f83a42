/**
 * The providers that the command can reach, each through its AI SDK package, loaded only when it is used.
 *
 * @module
 */
import type { LanguageModelLike } from '../adapters/ai-sdk/language-model.ts'
import { SetupFault } from './fault.ts'

/** Environment variables by name. */
export type Env = Readonly<Record<string, string | undefined>>

/** How one provider is reached. */
export interface Provider {
  /** The npm package; an optional peer of turnwise. */
  readonly packageName: string
  /** The model that is used when none was named. */
  readonly defaultModel: string
  /** Names of the variables with the key and with the address. */
  readonly key: string
  readonly baseUrl: string
  /** Loads the package and makes the language model. */
  load(model: string, settings: Settings): Promise<LanguageModelLike>
}

/** What the environment says; a missing key is left out. */
export interface Settings {
  readonly apiKey?: string
  readonly baseURL?: string
}

export type ProviderName = 'openai' | 'openai-compatible' | 'anthropic' | 'deepseek'

/** Every provider by the name that `--model` uses. */
export const PROVIDERS: Readonly<Record<ProviderName, Provider>> = {
  openai: {
    packageName: '@ai-sdk/openai',
    defaultModel: 'gpt-5-mini',
    key: 'OPENAI_API_KEY',
    baseUrl: 'OPENAI_BASE_URL',
    load: async (model, settings) => {
      const { createOpenAI } = await import('@ai-sdk/openai')
      const openai = createOpenAI(settings)
      // Other servers speak the older of the two interfaces.
      return settings.baseURL === undefined ? openai(model) : openai.chat(model)
    },
  },
  'openai-compatible': {
    packageName: '@ai-sdk/openai-compatible',
    defaultModel: 'gpt-5-mini',
    key: 'OPENAI_API_KEY',
    baseUrl: 'OPENAI_BASE_URL',
    load: async (model, { apiKey, baseURL = '' }) => {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      const key = apiKey === undefined ? {} : { apiKey }
      return createOpenAICompatible({
        name: 'openai-compatible',
        baseURL,
        includeUsage: true,
        ...key,
      })(model)
    },
  },
  anthropic: {
    packageName: '@ai-sdk/anthropic',
    defaultModel: 'claude-sonnet-4-5',
    key: 'ANTHROPIC_API_KEY',
    baseUrl: 'ANTHROPIC_BASE_URL',
    load: async (model, settings) => {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return createAnthropic(settings)(model)
    },
  },
  deepseek: {
    packageName: '@ai-sdk/deepseek',
    defaultModel: 'deepseek-chat',
    key: 'DEEPSEEK_API_KEY',
    baseUrl: 'DEEPSEEK_BASE_URL',
    load: async (model, settings) => {
      const { createDeepSeek } = await import('@ai-sdk/deepseek')
      return createDeepSeek(settings)(model)
    },
  },
}

export const isProviderName = (name: string): name is ProviderName => Object.hasOwn(PROVIDERS, name)

/** Says how to install what is missing; anything else that went wrong while loading is thrown as it is. */
export function notInstalled(name: ProviderName, error: unknown, nodeVersion: string): unknown {
  const { packageName } = PROVIDERS[name]
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const missing = code === 'ERR_MODULE_NOT_FOUND' && String(error).includes(packageName)
  if (!missing) return error
  return new SetupFault(
    'UNKNOWN_PROVIDER',
    `${name} needs the package ${packageName}, which is not installed; nothing was created. Install it beside turnwise: npm install ${packageName}${rangeFor(name, nodeVersion)}`,
    { cause: error },
  )
}

/** The newest packages want Node 22; this is the last range that runs on Node 20. */
function rangeFor(name: ProviderName, nodeVersion: string): string {
  if (Number.parseInt(nodeVersion, 10) >= 22) return ''
  return name === 'openai' || name === 'anthropic' ? '@3' : '@2'
}
