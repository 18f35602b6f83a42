/**
 * The parts of an agent with places inside them: every gate, body, request and abort is one from which a command may come.
 *
 * @module
 */
import type { AgentOptions } from '../../actors/agent-options.ts'
import type { Gates } from '../../actors/gates.port.ts'
import type { Model } from '../../actors/model.port.ts'
import type { AnyTool, ToolContext, ToolSet } from '../../actors/tool.port.ts'

/** Who watches. */
export interface Watcher {
  visit(place: string): void
  /** A request is made for this turn. */
  requested(turn: number): void
  /** A body starts. @returns what to call when it returns. */
  ran(key: string): () => void
}

type AnyGate = (question: unknown, next: unknown) => unknown

function watchedGate(name: string, gate: AnyGate, watcher: Watcher): AnyGate {
  return async (question, next) => {
    watcher.visit(`gate ${name}`)
    const answer = await gate(question, next)
    watcher.visit(`gate ${name} answered`)
    return answer
  }
}

function watchedGates(gates: Gates, watcher: Watcher): Gates {
  const lists = Object.entries(gates).map(([name, given]) => {
    const list = (Array.isArray(given) ? given : [given]) as AnyGate[]
    return [name, list.map((gate) => watchedGate(name, gate, watcher))]
  })
  return Object.fromEntries(lists) as Gates
}

function watchedModel(model: Model, watcher: Watcher): Model {
  return {
    ...model,
    stream(request, context) {
      watcher.requested(context.turn)
      watcher.visit('model')
      return model.stream(request, context)
    },
  }
}

function watchedTool(tool: AnyTool, watcher: Watcher): AnyTool {
  const body = tool.run as (input: unknown, context: ToolContext) => unknown
  const run = async (input: unknown, context: ToolContext): Promise<unknown> => {
    const returned = watcher.ran(context.call.key)
    watcher.visit(`body ${tool.name}`)
    const result = await body.call(tool, input, context)
    returned()
    watcher.visit(`body ${tool.name} answered`)
    return result
  }
  return { ...tool, run: run as AnyTool['run'] }
}

function watchedTools(tools: ToolSet, watcher: Watcher): ToolSet {
  const watch = (tool: AnyTool): AnyTool => watchedTool(tool, watcher)
  if (!('list' in tools)) return tools.map(watch)
  // One wrapper a tool, so that a registry keeps giving the same ones.
  const known = new Map<AnyTool, AnyTool>()
  const same = (tool: AnyTool): AnyTool => {
    const wrapper = known.get(tool) ?? watch(tool)
    known.set(tool, wrapper)
    return wrapper
  }
  return { list: () => Array.from(tools.list(), same) }
}

/** The same options, watched. */
export function watched(options: AgentOptions, watcher: Watcher): AgentOptions {
  const { model, tools, gates } = options
  return {
    ...options,
    ...(model === undefined ? {} : { model: watchedModel(model, watcher) }),
    ...(tools === undefined ? {} : { tools: watchedTools(tools, watcher) }),
    ...(gates === undefined ? {} : { gates: watchedGates(gates, watcher) }),
  }
}
