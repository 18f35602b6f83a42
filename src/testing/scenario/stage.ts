/**
 * Puts the agents of a scenario on the stage: real mailbox, real log, scripted model, virtual clock, and listeners that
 * write down what is to be seen.
 *
 * @module
 */
import type { Agent } from '../../actors/agent-handle.ts'
import type { AgentOptions } from '../../actors/agent-options.ts'
import type { GateAt, PartialConfig } from '../../actors/gates.port.ts'
import type { EventLog } from '../../log/event-log.ts'
import { aborted } from '../latches.ts'
import type { ScriptEntry } from '../script.ts'
import { scriptedModel, type ScriptedModel } from '../scripted-model.ts'
import { probe } from './hook-gates.ts'
import type { GateName } from './moment.ts'
import { recordRun } from './record-run.ts'
import { Refusals, refusingLog } from './refusing-log.ts'
import { gatesOf, type AnyGate, type Setup } from './setup.ts'
import type { AgentRun } from './world.ts'

/** The parts of the product that a run is made with. */
export interface Product {
  readonly createAgent: (options: AgentOptions) => Agent
  readonly createLog: (id: string, now: number) => EventLog
}

/** What is looked at: gates that need a probe, and whether abort listeners do. */
export interface Looks {
  readonly gates: ReadonlySet<GateName>
  readonly aborts: boolean
  readonly assembly: boolean
}

/** Each entry names the provider that answers: the request gate follows, unless a hook switches by itself. */
function following(entries: readonly ScriptEntry[], model: ScriptedModel): AnyGate {
  const unrolled = entries.flatMap((entry) =>
    Array.from({ length: Math.min(entry.times ?? 1, 64) }, () => entry),
  )
  return async (_question, next) => {
    const config = (await next()) as PartialConfig
    const provider = unrolled[model.requests.length]?.provider
    return provider === undefined ? config : { ...config, provider }
  }
}

export class Stage {
  readonly setup: Setup
  readonly product: Product
  readonly looks: Looks
  readonly scripts: ReadonlyMap<string, readonly ScriptEntry[]>
  readonly #models = new Map<string, ScriptedModel>()

  constructor(
    setup: Setup,
    product: Product,
    looks: Looks,
    scripts: ReadonlyMap<string, readonly ScriptEntry[]>,
  ) {
    this.setup = setup
    this.product = product
    this.looks = looks
    this.scripts = scripts
  }

  /** The model of a session; all share one where the setup has one script. */
  #model(name: string): ScriptedModel {
    const key = this.scripts.has(name) ? name : '*'
    const made = this.#models.get(key)
    if (made !== undefined) return made
    const { world, noRoute } = this.setup
    const model = scriptedModel(this.scripts.get(key) ?? [], {
      clock: world.clock,
      latches: world.latches,
      ...(noRoute ? { provider: null, modelId: null } : {}),
      onRequest: (request) => {
        const { agent, turn, step, signal } = request.context
        world.requests.push(Object.assign(request, { agent }))
        this.#watch(agent, signal)
        world.tell({ kind: 'request', agent, asked: { n: world.requests.length, turn, step } })
      },
    })
    this.#models.set(key, model)
    return model
  }

  /** Commands issued inside abort listeners need one. */
  #watch(agent: string, signal: AbortSignal): void {
    if (!this.looks.aborts) return
    void aborted(signal)
    const tell = (): void => {
      this.setup.world.tell({ kind: 'abort', agent, asked: { n: 1 } })
    }
    signal.addEventListener('abort', tell, { once: true })
  }

  #gates(model: ScriptedModel): AgentOptions['gates'] {
    const probes = new Map([...this.looks.gates].map((gate) => [gate, probe(this.setup, gate)]))
    const entries = [...this.scripts.values()].flat()
    const switching = this.setup.gates.has('request')
    const gates = gatesOf(this.setup, probes)
    if (switching || entries.every((entry) => entry.provider === undefined)) return gates
    const asked = (gates.request ?? []) as unknown as readonly AnyGate[]
    return {
      ...gates,
      request: [...asked, following(entries, model)],
    } as unknown as AgentOptions['gates']
  }

  #system(): Pick<AgentOptions, 'system'> {
    const { assemblies, world } = this.setup
    if (assemblies.length === 0 && !this.looks.assembly) return {}
    return {
      system: async (at: GateAt) => {
        const asked = { n: 1, turn: at.turn, step: at.step }
        await world.emit({ kind: 'assembly', agent: at.agent, asked })
        for (const assembly of assemblies) await assembly(at)
        return ''
      },
    }
  }

  /** What the agent of a session is made with, apart from its log. */
  optionsOf(name: string, diagnostics: string[]): AgentOptions {
    const { setup } = this
    const { world } = setup
    const model = this.#model(name)
    let ids = 0
    return {
      id: name,
      ...setup.options,
      ...(world.values.has('cap')
        ? { maxParallelToolCalls: () => world.values.get('cap') as number }
        : {}),
      ...this.#system(),
      ...(setup.contexts.length === 0 ? {} : { context: setup.contexts }),
      ...(setup.dispatch === undefined ? {} : { dispatch: setup.dispatch }),
      model,
      tools: { list: () => setup.tools.values() },
      gates: this.#gates(model) ?? {},
      clock: world.clock,
      ids: () => `${name}-m${(ids += 1)}`,
      onDiagnostic: (diagnostic) => diagnostics.push(`${diagnostic.kind}: ${diagnostic.message}`),
    }
  }

  /** Makes the agent of a session and listens to it. */
  open(name: string, createLog = this.product.createLog): AgentRun {
    const { setup } = this
    const { world } = setup
    const refusals = new Refusals()
    for (const rule of setup.refusals) refusals.add(rule)
    const log = refusingLog(createLog(name, world.clock.now()), refusals)
    const diagnostics: string[] = []
    const agent = this.product.createAgent({ ...this.optionsOf(name, diagnostics), log })
    const run = recordRun(world, name, agent, { diagnostics, refusals })
    for (const attach of setup.onAgent) attach(run)
    return run
  }
}
