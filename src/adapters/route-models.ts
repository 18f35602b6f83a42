/**
 * Puts several models behind one: each request goes to the provider that its configuration names.
 *
 * @module
 */
import { ModelError, type Model } from '../actors/model.port.ts'
import { TurnwiseError } from '../errors.ts'

/** How requests are routed. */
export interface RouteOptions {
  /** Route of agents that name no provider, with the model id of its model. Default: none. */
  readonly default?: string
}

const namesOf = (models: Readonly<Record<string, Model>>): string =>
  Object.keys(models)
    .map((name) => `'${name}'`)
    .join(', ') || 'none'

function check(models: Readonly<Record<string, Model>>, route: string | undefined): void {
  const faulty = Object.entries(models).find(([, model]) => typeof model?.stream !== 'function')
  if (faulty !== undefined) {
    throw new TurnwiseError(
      'INVALID_OPTION',
      `a model with a method stream was expected for provider '${faulty[0]}', but found ${typeof faulty[1]}; nothing was created.`,
    )
  }
  if (route !== undefined && !Object.hasOwn(models, route)) {
    throw new TurnwiseError(
      'INVALID_OPTION',
      `the default provider '${route}' is none of ${namesOf(models)}; nothing was created.`,
    )
  }
}

/** What an agent may know of a model before its first request. */
function factsOf(provider: string | undefined, model: Model | undefined): Omit<Model, 'stream'> {
  if (provider === undefined || model === undefined) return {}
  const { modelId, contextWindow, defaults } = model
  return {
    provider,
    ...(modelId !== undefined && { modelId }),
    ...(contextWindow !== undefined && { contextWindow }),
    ...(defaults !== undefined && { defaults }),
  }
}

/**
 * Makes one model of several, by the names of their providers. A request for another provider fails with
 * UNKNOWN_PROVIDER.
 *
 * @throws TurnwiseError INVALID_OPTION when a value is no model, or the default is none of the names.
 */
export function routeModels(
  models: Readonly<Record<string, Model>>,
  { default: route }: RouteOptions = {},
): Model {
  check(models, route)
  const routes: ReadonlyMap<string, Model> = new Map(Object.entries(models))
  return {
    ...factsOf(route, route === undefined ? undefined : routes.get(route)),
    stream(request, context) {
      const model = routes.get(request.provider)
      if (model !== undefined) return model.stream(request, context)
      throw new ModelError({
        code: 'UNKNOWN_PROVIDER',
        message: `no model is routed for provider '${request.provider}'; known are ${namesOf(models)}`,
      })
    },
  }
}
