/**
 * What a request is made with: the agent's own configuration at first, later the logged one, then the request gate.
 *
 * @module
 */
import type { EventMap, RequestConfig, ToolHeader } from '../events/event.ts'
import { frozenJson } from '../events/json.ts'
import type { Failure } from '../events/message.ts'
import type { AgentOptions } from './agent-options.ts'
import type { PartialConfig } from './gates.port.ts'
import type { Model } from './model.port.ts'

type Header = EventMap['request/header']

/** Drops what is undefined. */
const defined = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as T

/** The configuration of a new agent. */
export const ownConfig = (options: AgentOptions, model: Model | undefined): PartialConfig =>
  defined({
    provider: options.provider ?? model?.provider,
    model: options.modelId ?? model?.modelId,
    maxTokens: options.maxTokens,
    settings: options.settings,
  }) as PartialConfig

/** The logged configuration. Settings that came from an adapter are left out, so that a new provider derives its own. */
export function loggedConfig(header: Header): PartialConfig {
  const { provider, model, maxTokens, settings, adapterDefaults } = header
  const own = Object.entries(settings ?? {}).filter(
    ([name]) => adapterDefaults?.includes(name) !== true,
  )
  return defined({
    provider,
    model,
    maxTokens,
    settings: own.length === 0 ? undefined : Object.fromEntries(own),
  }) as PartialConfig
}

/** The failure of a configuration without a route. */
export const NO_ROUTE: Failure = Object.freeze({
  code: 'UNKNOWN',
  message:
    'expected a provider and a model, found neither or only one of them: give the agent a model with both (or the options provider and modelId), or supply provider and model in the request gate',
})

/** The route is complete. */
export const hasRoute = (config: PartialConfig): config is RequestConfig =>
  typeof config.provider === 'string' && typeof config.model === 'string'

/** Adds the defaults of the adapter; answers the names of what it added. */
export function withDefaults(
  config: RequestConfig,
  defaults: RequestConfig['settings'],
): { config: RequestConfig; added: readonly string[] } {
  const added = Object.keys(defaults ?? {}).filter((name) => config.settings?.[name] === undefined)
  if (added.length === 0) return { config, added }
  return { config: { ...config, settings: { ...defaults, ...config.settings } }, added }
}

/** What a header says, without where it stands. */
export interface HeaderFacts {
  readonly config: RequestConfig
  readonly added: readonly string[]
  readonly system: string | undefined
  readonly tools: readonly ToolHeader[]
}

/** Payload of a header, without its place and its reason; frozen. */
export const headerFields = (facts: HeaderFacts): Omit<Header, 'turn' | 'step' | 'reason'> =>
  frozenJson(
    defined({
      ...facts.config,
      settings: facts.config.settings,
      system: facts.system,
      tools: facts.tools.length === 0 ? undefined : facts.tools,
      adapterDefaults: facts.added.length === 0 ? undefined : facts.added,
    }),
  )

/** A stable text of JSON: keys sorted at every depth. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  ) ?? ''
