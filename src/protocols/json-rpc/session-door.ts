/**
 * The way into the sessions: which agent a request means, and who is made, woken or closed for it.
 *
 * D1 Requests about one session that came while it is being created or closed wait for that, and then go on in the order
 *    in which they came.
 * D2 An unknown session is created and a stored one is resumed, parked, by its first prompt; prompts meanwhile share that
 *    creation and its failure, and the next one tries again.
 * D3 A session whose agent was disposed behind this door takes nothing more until it is resumed.
 * D4 Once the end has begun nobody comes in. Who came before a shutdown and waits for a creation gets in, and ends with it.
 *
 * @module
 */
import type { Agent } from '../../actors/agent-handle.ts'
import type { AgentOptions } from '../../actors/agent-options.ts'
import type { Clock } from '../../actors/clock.ts'
import { AgentDisposedError, TurnwiseError } from '../../errors.ts'
import type { Registry } from '../../sessions/registry-port.ts'
import { Lanes } from './lanes.ts'
import { notLive, overloaded } from './rpc-error.ts'

/** With what an agent is made. */
export interface Making {
  readonly cwd: string
  readonly agent: AgentOptions
}

/** Sessions that are remembered as disposed; the oldest are forgotten. */
const MAX_GONE = 10_000

/** The door. */
export class SessionDoor {
  private readonly registry: Registry
  private readonly clock: Clock
  private readonly maxSessions: number
  private readonly creating = new Map<string, Promise<Agent>>()
  private readonly closing = new Map<string, Promise<void>>()
  private readonly gone = new Set<string>()
  private readonly lanes = new Lanes()
  private readonly unlisten: () => void
  private ended: Promise<void> | undefined
  private suspended = false

  constructor(registry: Registry, clock: Clock, maxSessions: number) {
    this.registry = registry
    this.clock = clock
    this.maxSessions = maxSessions
    this.unlisten = registry.listen(({ type, id }) => {
      if (type === 'agent/created') this.gone.delete(id)
      if (type === 'agent/disposed' && !this.closing.has(id)) this.remember(id)
    })
  }

  get ending(): boolean {
    return this.ended !== undefined
  }

  /** Uses the agent for a prompt; it is made if need be. @throws TurnwiseError */
  admit<T>(id: string, making: Making, use: (agent: Agent) => T): T | Promise<T> {
    this.refuseAtEnd(id)
    // Whoever comes while it is made shares what becomes of that, unless it was closed in between.
    const shared = this.creating.get(id)
    const find = (): Agent | Promise<Agent> =>
      shared?.then((agent) => (this.isOpen(agent) ? agent : this.openFor(id, making))) ??
      this.openFor(id, making)
    return this.lanes.enter(id, find, (agent) => {
      if (this.suspended) throw new AgentDisposedError(id)
      return use(agent)
    })
  }

  /** Uses the agent of a live session to send it something. @throws like `live`; AgentDisposedError at the end */
  send<T>(id: string, use: (agent: Agent) => T): T | Promise<T> {
    this.refuseAtEnd(id)
    return this.live(id, use)
  }

  /** Resolves when what was asked about a session that is being created was done. Never rejects. */
  async settled(id: string): Promise<void> {
    if (this.creating.has(id)) await this.lanes.settled(id)
  }

  /** Uses the agent of a session that is live already. @throws TurnwiseError SESSION_NOT_LIVE, AgentDisposedError */
  live<T>(id: string, use: (agent: Agent) => T): T | Promise<T> {
    return this.liveOrGone(id, (agent) => {
      if (agent === undefined) throw new AgentDisposedError(id)
      return use(agent)
    })
  }

  /** Uses the agent of a session, or undefined where it was disposed. @throws TurnwiseError SESSION_NOT_LIVE */
  liveOrGone<T>(id: string, use: (agent: Agent | undefined) => T): T | Promise<T> {
    const shared = this.creating.get(id)
    const find = (): undefined | Promise<undefined> =>
      shared?.then(
        () => undefined,
        () => undefined,
      )
    return this.lanes.enter(id, find, () => {
      const agent = this.registry.get(id)
      if (agent === undefined && !this.gone.has(id)) throw notLive(id)
      return use(agent)
    })
  }

  /** Opens a stored session. @throws TurnwiseError SESSION_LIVE, SESSION_NOT_FOUND */
  resume<T>(
    id: string,
    wake: boolean,
    { agent }: Making,
    use: (agent: Agent) => T,
  ): T | Promise<T> {
    const open = (): Promise<Agent> => {
      this.refuseAtEnd(id)
      const resumed = this.registry.resume(id, { wake, agent })
      return this.creating.has(id) ? resumed : this.note(id, resumed)
    }
    return this.lanes.enter(id, () => this.closing.get(id)?.then(open, open) ?? open(), use)
  }

  /**
   * Waits for quiescence, at most `graceMs`, and disposes; with `keepInbox` at once.
   *
   * @throws TurnwiseError SESSION_NOT_LIVE; what could not be written.
   */
  async close(id: string, keepInbox: boolean, graceMs: number): Promise<void> {
    const found = await this.liveOrGone(id, (agent) => ({
      closed: this.closing.get(id) ?? this.startClosing(agent, keepInbox, graceMs),
    }))
    await found.closed
  }

  private startClosing(
    agent: Agent | undefined,
    keepInbox: boolean,
    graceMs: number,
  ): Promise<void> | undefined {
    if (agent === undefined) return undefined
    const { id } = agent
    const closed = this.end(agent, keepInbox, graceMs).finally(() => this.closing.delete(id))
    this.closing.set(id, closed)
    return closed
  }

  private async end(agent: Agent, keepInbox: boolean, graceMs: number): Promise<void> {
    if (!keepInbox && graceMs > 0) await this.atMost(graceMs, agent.whenIdle())
    await agent.dispose({ keepInbox })
  }

  private atMost(ms: number, wait: Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      const drop = this.clock.after(ms, resolve)
      void wait.then(() => {
        drop()
        resolve()
      })
    })
  }

  /**
   * Ends everything: creations are waited for, then every agent is disposed.
   *
   * @throws what could not be written; an AggregateError if that was more than one thing.
   */
  shutdown(keepInbox: boolean): Promise<void> {
    this.ended ??= this.endAll(keepInbox)
    return this.ended
  }

  /** Ends everything now: creations are given up, agents suspended. @throws like `shutdown`. */
  suspend(): Promise<void> {
    this.suspended = true
    const closed = this.registry.close().finally(this.unlisten)
    this.ended ??= closed
    // A shutdown that is under way tells what went wrong.
    if (this.ended !== closed) closed.catch(() => {})
    return this.ended
  }

  private async endAll(keepInbox: boolean): Promise<void> {
    const { registry } = this
    const failures: unknown[] = []
    // What was asked before, and waits for a creation, is done first.
    await Promise.all([...this.creating.keys()].map((id) => this.lanes.settled(id)))
    // Whoever belongs to another one ends with it, before it.
    for (const agents of [registry.roots(), registry.list()]) {
      const settled = await Promise.allSettled(agents.map((agent) => agent.dispose({ keepInbox })))
      failures.push(...settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : [])))
    }
    await registry.close().catch((error: unknown) => failures.push(error))
    this.unlisten()
    const different = [...new Set(failures)]
    if (different.length === 0) return
    throw new AggregateError(
      different,
      `${different.length} of the sessions could not be ended in good order; the others were.`,
    )
  }

  private isOpen({ id }: Agent): boolean {
    return this.registry.get(id) !== undefined && !this.closing.has(id)
  }

  /** The agent for a prompt, behind a close that is under way. */
  private openFor(id: string, making: Making): Agent | Promise<Agent> {
    const go = (): Agent | Promise<Agent> => this.getOrMake(id, making)
    this.refuseAtEnd(id)
    return this.closing.get(id)?.then(go, go) ?? go()
  }

  private getOrMake(id: string, making: Making): Agent | Promise<Agent> {
    this.refuseAtEnd(id)
    const agent = this.registry.get(id)
    if (agent !== undefined) return agent
    if (this.gone.has(id)) throw new AgentDisposedError(id)
    if (this.registry.list().length + this.creating.size >= this.maxSessions)
      throw overloaded(`expected fewer than ${this.maxSessions} live sessions`)
    return this.note(id, this.createOrResume(id, making))
  }

  private async createOrResume(id: string, { cwd, agent }: Making): Promise<Agent> {
    try {
      return await this.registry.create({ id, cwd, agent })
    } catch (error) {
      if (!(error instanceof TurnwiseError) || error.code !== 'SESSION_ALREADY_EXISTS') throw error
    }
    return this.registry.get(id) ?? this.registry.resume(id, { wake: false, agent })
  }

  /** Others wait for it from now on. */
  private async note(id: string, creation: Promise<Agent>): Promise<Agent> {
    this.creating.set(id, creation)
    try {
      return await creation
    } finally {
      this.creating.delete(id)
    }
  }

  private remember(id: string): void {
    this.gone.add(id)
    const [oldest] = this.gone
    if (this.gone.size > MAX_GONE && oldest !== undefined) this.gone.delete(oldest)
  }

  private refuseAtEnd(id: string): void {
    if (this.ending) throw new AgentDisposedError(id)
  }
}
