/**
 * What a child takes over from its parent, as it is at the call that starts it.
 *
 * @module
 */
import type { Agent } from '../../actors/agent-handle.ts'
import type { AgentOptions } from '../../actors/agent-options.ts'
import { loggedConfig } from '../../actors/request-config.ts'
import { requestHeader } from '../../projections/request-header.ts'

const ROUTE = ['provider', 'modelId', 'settings'] as const satisfies readonly (keyof AgentOptions)[]

const NAMES = [
  'model',
  'maxTokens',
  'maxAttempts',
  'retry',
  'streamIdleMs',
  'drainGraceMs',
  'rejectEmpty',
  'toolTimeoutMs',
  'chunks',
  'durability',
  'clock',
  'ids',
  'onDiagnostic',
] as const satisfies readonly (keyof AgentOptions)[]

/** The route that the parent uses now: of its last request, if it has made one. */
function routeOf(parent: Agent): AgentOptions {
  const { header } = parent.read(requestHeader)
  if (header === null) return {}
  const { model, ...rest } = loggedConfig(header)
  return { ...rest, ...(model !== undefined && { modelId: model }) }
}

/** Options for a child, below those that it is given: `given` says what it does not take over. */
export function inheritedOptions(parent: Agent, given: AgentOptions): AgentOptions {
  const { options } = parent
  const taken = (names: readonly (keyof AgentOptions)[]): AgentOptions =>
    Object.fromEntries(
      names.filter((name) => options[name] !== undefined).map((name) => [name, options[name]]),
    )
  // A route belongs to its model: a child with a model of its own starts on that one's.
  const route = given.model === undefined ? { ...taken(ROUTE), ...routeOf(parent) } : {}
  return { ...taken(NAMES), ...route, ...given }
}
