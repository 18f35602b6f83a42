/**
 * What the setup of a scenario was read into, and the tools for reading it.
 *
 * @module
 */
import type { Gate, Gates, GateAt } from '../../actors/gates.port.ts'
import type { AnyTool } from '../../actors/tool.port.ts'
import type { ToolDispatch } from '../../actors/tool-dispatch.port.ts'
import type { Hints } from './hints.ts'
import type { GateName } from './moment.ts'
import type { HouseHook } from './sessions/house.ts'
import type { Refusal } from './refusing-log.ts'
import type { AgentRun, World } from './world.ts'

/** Any gate, as the harness builds them. */
export type AnyGate = Gate<Record<string, unknown>, unknown>

export interface Setup {
  readonly world: World
  readonly hints: Hints
  /** Keys of commands that are issued inside something: a hook does not repeat them. */
  readonly commanded: ReadonlySet<string>
  /** Gates in the order of the setup. */
  readonly gates: Map<GateName, AnyGate[]>
  readonly assemblies: ((at: GateAt) => Promise<void>)[]
  readonly refusals: Refusal[]
  readonly tools: Map<string, AnyTool>
  /** Called with every agent right after it was made. */
  readonly onAgent: ((run: AgentRun) => void)[]
  /** Called at moments of the registry. */
  readonly houseHooks: HouseHook[]
  readonly options: Record<string, unknown>
  readonly unread: string[]
  /** Contexts given by providers: name and text. */
  readonly contexts: { readonly name: string; readonly text: (at: GateAt) => string | undefined }[]
  dispatch?: ToolDispatch
  /** Left out of the agent's options: provider and model. */
  noRoute: boolean
}

/** Gates of an agent: the hooks of the setup, and a probe where something looks at a gate without hooks. */
export const gatesOf = (setup: Setup, probes: ReadonlyMap<GateName, AnyGate>): Gates => {
  const names = new Set([...probes.keys(), ...setup.gates.keys()])
  const entries = [...names].map((name) => {
    const probe = probes.get(name)
    return [name, setup.gates.get(name) ?? (probe === undefined ? [] : [probe])]
  })
  return Object.fromEntries(entries) as Gates
}
