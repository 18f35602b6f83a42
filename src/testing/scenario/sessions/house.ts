/**
 * The registry of a scenario: sessions that are created, resumed and forked by commands, and what is to be seen of it.
 *
 * @module
 */
import type { Agent } from '../../../actors/agent-handle.ts'
import type { ForkOptions } from '../../../sessions/fork.ts'
import type {
  ConfiguredAgent,
  FactoryHandle,
  OwnerScope,
  Registry,
  RegistryNotice,
  StartOptions,
} from '../../../sessions/registry-port.ts'
import { createRegistry } from '../../../sessions/registry.ts'
import { EventPrinter } from '../../print-event.ts'
import { recordRun } from '../record-run.ts'
import { Refusals } from '../refusing-log.ts'
import type { Stage } from '../stage.ts'
import type { AgentRun, World } from '../world.ts'
import { Forks } from './forks.ts'
import type { ScenarioStore } from './scenario-store.ts'

/** What a hook of the setup does at a moment of the registry. */
export interface HouseHook {
  readonly at: RegistryNotice['type'] | 'setup'
  readonly run: (run: AgentRun) => unknown
}

/** One creation or resumption that was asked for. */
interface Asked {
  readonly verb: 'create' | 'resume'
  readonly id: string
  error?: unknown
  settled: boolean
}

/** What a house is made of. */
export interface HouseParts {
  readonly store: ScenarioStore
  /** Can its sessions be resumed? */
  readonly stored: boolean
  readonly agents: readonly ConfiguredAgent[]
  /** Counts the processes from 1. */
  readonly process: number
}

export class ScenarioHouse {
  readonly registry: Registry
  readonly scope: OwnerScope
  readonly store: ScenarioStore
  /** Announcements and the ends of creations, in order. */
  readonly order: string[] = []
  readonly asked: Asked[] = []
  /** What creations and resumptions have answered, in order. */
  readonly handles: Agent[] = []
  /** Aborts what was created with a signal. */
  readonly giveUp = new AbortController()
  factory: FactoryHandle | undefined
  readonly forks: Forks
  readonly world: World
  private readonly stage: Stage
  private readonly hooks: readonly HouseHook[]

  constructor(stage: Stage, { store, stored, agents, process }: HouseParts) {
    const { setup } = stage
    this.stage = stage
    this.world = setup.world
    this.store = store
    this.forks = new Forks(store)
    this.hooks = setup.houseHooks
    this.registry = createRegistry({
      ...(stored ? { store } : {}),
      agents: agents.map((agent) => ({ ...agent, setup: this.setup({}) })),
      now: () => this.world.clock.now(),
    })
    let ids = 0
    this.factory = this.registry.setFactory(({ id }) => ({
      ...stage.optionsOf(id, this.diagnosticsOf(id)),
      // Another process must not make the ids of this one again.
      ids: () => `${id}-p${process}-m${(ids += 1)}`,
    }))
    this.scope = this.registry.scope('owner')
    this.registry.listen((notice) => this.hear(notice))
  }

  private readonly diagnostics = new Map<string, string[]>()

  private diagnosticsOf(id: string): string[] {
    const known = this.diagnostics.get(id) ?? []
    this.diagnostics.set(id, known)
    return known
  }

  /** Puts an agent that was made by hand into the registry. */
  adopt(run: AgentRun): void {
    this.registry.register(run.agent)
  }

  /** Does a setup hook wait? Then whoever creates does not wait for it. */
  get waits(): boolean {
    return this.hooks.some(({ at }) => at === 'setup')
  }

  create(id: string, more: StartOptions = {}): Promise<Agent> {
    const promise = this.scope.create({ id, ...more, setup: this.setup(more) })
    return this.follow('create', id, promise)
  }

  resume(id: string, wake: boolean): Promise<Agent> {
    const promise = this.registry.resume(id, { wake, setup: this.setup({}) })
    return this.follow('resume', id, promise)
  }

  private setup({ setup }: StartOptions): NonNullable<StartOptions['setup']> {
    return async (agent, signal) => {
      const run = this.record(agent)
      this.order.push(`setup begin listed=${this.registry.get(agent.id) !== undefined}`)
      await setup?.(agent, signal)
      for (const hook of this.hooks) if (hook.at === 'setup') await hook.run(run)
      await Promise.resolve()
      this.order.push('setup end')
    }
  }

  /** Listens from the first event on, as if the run had been seen as a whole. */
  private record(agent: Agent): AgentRun {
    const parts = { diagnostics: this.diagnosticsOf(agent.id), refusals: new Refusals() }
    const run = recordRun(this.world, agent.id, agent, parts)
    for (const event of agent.log.read()) {
      run.events.push(event)
      for (const line of run.printer.lines(event)) {
        run.lines.push({ type: event.type, line })
        run.trace.push({ type: event.type, line })
      }
    }
    for (const attach of this.stage.setup.onAgent) attach(run)
    return run
  }

  private async follow(verb: Asked['verb'], id: string, promise: Promise<Agent>): Promise<Agent> {
    const asked: Asked = { verb, id, settled: false }
    this.asked.push(asked)
    const { world } = this
    try {
      const agent = await promise
      this.order.push('handle')
      this.handles.push(agent)
      return agent
    } catch (error) {
      asked.error = error
      world.values.set('createdAfterFailure', this.count('agent/created'))
      throw error
    } finally {
      asked.settled = true
      world.values.set('createdAfterSecondTry', this.count('agent/created'))
    }
  }

  private hear(notice: RegistryNotice): unknown {
    const how = notice.type === 'session-start' ? `:${notice.how}` : ''
    this.order.push(`${notice.type}${how}`)
    if (!('agent' in notice)) return undefined
    const run = this.world.agents.get(notice.id)
    if (run === undefined) return undefined
    this.world.tell({
      kind: 'notice',
      agent: notice.id,
      notice: notice as never,
      disposing: false,
      asked: { n: 0 },
    })
    const answers = this.hooks.filter(({ at }) => at === notice.type).map((hook) => hook.run(run))
    return Promise.all(answers)
  }

  count(type: string): number {
    return this.order.filter((entry) => entry === type).length
  }

  /** Forks a session. @returns the name that scenarios give to the child. */
  async fork(parent: string, options: ForkOptions): Promise<string> {
    await this.forks.fork(this.registry, parent, options)
    return 'child'
  }

  /** Leaves what the probe may ask for under its names; the log of a fork is that of its child. */
  conclude(): void {
    const { values, agents } = this.world
    for (const [key, value] of this.facts()) if (!values.has(key)) values.set(key, value)
    const run = agents.get('s1')
    const { child } = this.forks
    if (run === undefined || child === undefined || !this.stage.setup.hints.forked) return
    const printer = new EventPrinter()
    const lines = child
      .read()
      .flatMap((event) => printer.lines(event).map((line) => ({ type: event.type, line })))
    agents.set('s1', { ...run, events: [...child.read()], lines, trace: lines })
  }

  private facts(): ReadonlyMap<string, unknown> {
    const { registry } = this
    const errors = this.world.answers
      .map(({ threw }) => threw)
      .filter((threw) => threw !== undefined)
      .map(wordOf)
    return new Map<string, unknown>([
      ['order', this.order],
      ['announcements', this.order.filter((entry) => /\/|session-start/.test(entry))],
      ['listed', registry.list().length],
      ['list', idsOf(registry.list())],
      ['roots', idsOf(registry.roots())],
      ['created', this.count('agent/created')],
      ['rejectsWith', errors],
      ['rejected', errors.length],
      ...this.forks.facts,
      ...this.byNumber(),
    ])
  }

  /** `second create` as `rejects SESSION_ALREADY_EXISTS`. */
  private byNumber(): [string, unknown][] {
    const numbers = ['first', 'second', 'third']
    return (['create', 'resume'] as const).flatMap((verb) =>
      this.asked
        .filter((asked) => asked.verb === verb)
        .map(({ error }, i): [string, unknown] => [
          `${numbers[i] ?? i + 1} ${verb}`,
          error === undefined ? 'resolves' : `rejects ${wordOf(error)}`,
        ]),
    )
  }
}

const idsOf = (agents: readonly Agent[]): string[] => agents.map(({ id }) => id)

/** An error by its code, or by its message. */
const wordOf = (error: unknown): string => {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
  return typeof code === 'string' ? code : String(message)
}
