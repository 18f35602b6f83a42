/**
 * Agents with a fault planted around them, each for a rule that no log alone can hold.
 *
 * @module
 */
import { createAgent } from '../../../src/actors/agent.ts'
import type { AgentOptions } from '../../../src/actors/agent-options.ts'
import type { Model } from '../../../src/actors/model.port.ts'
import type { ExploreOptions } from '../../../src/testing/explore/options.ts'

const none = Object.freeze({})

/** A model that asks once more when it is told to stop. */
const restless = (model: Model): Model => ({
  ...model,
  stream(request, context) {
    context.signal.addEventListener('abort', () => {
      queueMicrotask(() => void model.stream(request, context))
    })
    return model.stream(request, context)
  },
})

const wrapped = (options: AgentOptions): AgentOptions => ({
  ...options,
  ...(options.model === undefined ? none : { model: restless(options.model) }),
})

/** A request is made after the cancel. */
export const leaking: ExploreOptions = {
  create: (options) => createAgent(wrapped(options)),
  budgets: { followup: 1, cancel: 1, inside: 1 },
}

/** Whoever disposes inside a callback waits for ever. */
export const hanging: ExploreOptions = {
  create(options) {
    const agent = createAgent(options)
    const dispose = agent.dispose.bind(agent)
    let inside = 0
    options.log?.observe(() => {
      inside += 1
      queueMicrotask(() => (inside -= 1))
    })
    agent.dispose = (how) => (inside > 0 ? new Promise(() => {}) : dispose(how))
    return agent
  },
  budgets: { followup: 1, dispose: 1, inside: 1 },
}

/** Somebody is rejected, and nobody hears. */
export const unheard: ExploreOptions = {
  agent: () => ({
    gates: { preStep: (_, next) => (void Promise.reject(new Error('lost')), next()) },
  }),
  budgets: { followup: 1 },
}

/** A body runs twice for one call. */
export const doubled: ExploreOptions = {
  create(options) {
    type Body = { readonly run: (...given: unknown[]) => unknown }
    const tools = (options.tools as unknown as readonly Body[]).map((tool) => ({
      ...tool,
      run: (...given: unknown[]) => (void tool.run(...given), tool.run(...given)),
    }))
    return createAgent({ ...options, tools } as unknown as AgentOptions)
  },
  agent: () => ({ tools: [{ name: 'work', run: () => 'done' }] }),
  budgets: { followup: 1 },
}
