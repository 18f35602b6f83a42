/**
 * Which model answers: the one that was asked for, else one that the environment has a key or an address for, else the
 * offline planner.
 *
 * @module
 */
import type { Model } from '../actors/model.port.ts'
import type { RetryPolicy } from '../actors/agent-options.ts'
import { fromAiSdk } from '../adapters/ai-sdk/from-ai-sdk.ts'
import { SetupFault, UsageFault } from './fault.ts'
import { offlineModel } from './offline/offline-model.ts'
import type { OfflineModelOptions } from './offline/offline-model.ts'
import { isProviderName, notInstalled, PROVIDERS } from './providers.ts'
import type { Env, Provider, ProviderName, Settings } from './providers.ts'

/** A model and how a person would call it. */
export interface ChosenModel {
  readonly model: Model
  readonly title: string
  readonly retry: RetryPolicy | boolean
}

/** A choice before anything was loaded. */
export type Choice =
  | { readonly kind: 'offline' }
  | { readonly kind: 'provider'; readonly name: ProviderName; readonly model: string }

/** Reads `--model` and the environment. @throws UsageFault for a provider that is not known. */
export function readChoice(asked: string | undefined, env: Env): Choice {
  if (asked !== undefined) return namedChoice(asked)
  const name = nameFrom(env)
  if (name === undefined) return { kind: 'offline' }
  const model = given(env, 'TURNWISE_MODEL') ?? PROVIDERS[name].defaultModel
  return { kind: 'provider', name, model }
}

function namedChoice(asked: string): Choice {
  if (asked === 'offline') return { kind: 'offline' }
  const colon = asked.indexOf(':')
  const name = asked.slice(0, Math.max(colon, 0))
  const model = asked.slice(colon + 1).trim()
  if (!isProviderName(name) || model === '') {
    const names = Object.keys(PROVIDERS).join(', ')
    throw new UsageFault(
      `--model must be "offline" or PROVIDER:MODEL with PROVIDER one of ${names}; found ${JSON.stringify(asked)}`,
    )
  }
  return { kind: 'provider', name, model }
}

/** An address speaks before keys, and the order of keys is fixed, so that the same environment gives the same model. */
function nameFrom(env: Env): ProviderName | undefined {
  if (given(env, 'OPENAI_BASE_URL') !== undefined) return 'openai-compatible'
  const names = ['openai', 'anthropic', 'deepseek'] as const
  return names.find((name) => given(env, PROVIDERS[name].key) !== undefined)
}

/** Empty variables count as missing: that is how shells unset them for one command. */
const given = (env: Env, name: string): string | undefined => {
  const value = env[name]?.trim()
  return value === '' ? undefined : value
}

/**
 * Makes the chosen model.
 *
 * @throws SetupFault when its package, its key or its address is missing; nothing was created.
 */
export async function makeModel(
  choice: Choice,
  env: Env,
  offline: OfflineModelOptions,
  nodeVersion: string = process.versions.node,
): Promise<ChosenModel> {
  if (choice.kind === 'offline') {
    const title = 'offline planner (not a language model)'
    return { model: offlineModel(offline), title, retry: false }
  }
  const { name, model } = choice
  const provider = PROVIDERS[name]
  const settings = settingsFrom(env, name, provider)
  try {
    const languageModel = await provider.load(model, settings)
    return {
      model: fromAiSdk(languageModel, { provider: name, modelId: model }),
      title: `${name}:${model}`,
      retry: true,
    }
  } catch (error) {
    throw notInstalled(name, error, nodeVersion)
  }
}

function settingsFrom(env: Env, name: ProviderName, provider: Provider): Settings {
  const apiKey = given(env, provider.key)
  const baseURL = given(env, provider.baseUrl)
  const need = (variable: string): never => {
    throw new SetupFault(
      'AUTH',
      `${name} needs ${variable} in the environment; nothing was created`,
    )
  }
  if (name === 'openai-compatible')
    return { ...optional({ apiKey }), baseURL: baseURL ?? need(provider.baseUrl) }
  if (baseURL === undefined) return { apiKey: apiKey ?? need(provider.key) }
  // A server of one's own may want no key, but the packages do.
  return { apiKey: apiKey ?? 'none', baseURL }
}

const optional = ({ apiKey }: { apiKey: string | undefined }): { apiKey?: string } =>
  apiKey === undefined ? {} : { apiKey }
