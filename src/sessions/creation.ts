/**
 * The transaction that creates or resumes a session: all of it, or nothing that anybody could find.
 *
 * In order: the log, a provisional agent, its setup, unpublished; then the entries of session and agent,
 * `session/created`, `agent/created`, `session-start`, the handle. Rolled back, entries go in pairs, a new session is
 * removed and a stored one closed.
 *
 * C1 Whatever is waited for, giving up ends the wait; what settles later is dropped.
 * C2 Nothing starts by itself before the agent is published.
 *
 * @module
 */
import { createAgent } from '../actors/agent.ts'
import type { Agent } from '../actors/agent-handle.ts'
import type { AgentOptions } from '../actors/agent-options.ts'
import { doorOf } from '../actors/service-door.ts'
import { AgentDisposedError } from '../errors.ts'
import type { EventLog } from '../log/event-log.ts'
import type { Announcements } from './announcements.ts'
import type { Household } from './household.ts'
import type { AgentFactory, FactoryInput, StartOptions } from './registry-port.ts'
import { Resident, type Residents } from './residents.ts'

/** What a creation is made in. */
export interface House {
  readonly residents: Residents
  readonly announcements: Announcements
  /** Turns that wait for an approval outlive their process. */
  readonly keepApprovals: boolean
  /** Told of contained faults. */
  readonly onFault: (error: unknown) => void
}

/** Where the log comes from, and how it is given back. */
export interface LogSource {
  open(): Promise<EventLog>
  /** Undoes `open`, after the log was closed. */
  undo(): Promise<void>
}

/** What is to be made. */
export interface Plan {
  readonly id: string
  readonly how: FactoryInput['how']
  readonly source: LogSource
  readonly factory: AgentFactory
  readonly options: StartOptions
  readonly wake: boolean
  readonly owner: Resident | undefined
  readonly households: readonly Household[]
}

/** One creation. */
export class Creation {
  private readonly house: House
  private readonly plan: Plan
  private readonly giveUp = new AbortController()
  /** Resolves when the agent is published; what was resumed starts then. */
  private readonly published: Promise<void>
  private publish = (): void => {}
  private log: EventLog | undefined
  private resident: Resident | undefined

  constructor(house: House, plan: Plan) {
    this.house = house
    this.plan = plan
    this.published = new Promise((resolve) => {
      this.publish = resolve
    })
  }

  /** @throws whatever it failed with, after it was rolled back. */
  async run(): Promise<Agent> {
    const unfollow = this.follow()
    try {
      return await this.make()
    } catch (error) {
      this.giveUp.abort(error)
      await this.rollBack()
      throw error
    } finally {
      unfollow()
      this.house.residents.unreserve(this.plan.id)
    }
  }

  private async make(): Promise<Agent> {
    const { plan } = this
    const { signal } = this.giveUp
    signal.throwIfAborted()
    this.log = await plan.source.open()
    signal.throwIfAborted()
    const resident = await this.provisional(this.log)
    const { agent } = resident
    await this.unlessGivenUp(async () => plan.options.setup?.(agent, signal))
    this.refuseGone(agent)
    const heard = this.enter(resident)
    this.publish()
    await this.unlessGivenUp(() => Promise.race([heard, gone(agent)]))
    signal.throwIfAborted()
    return agent
  }

  /** Nobody is to hear of what was given up, or ended, while it was set up. */
  private refuseGone(agent: Agent): void {
    this.giveUp.signal.throwIfAborted()
    if (doorOf(agent).disposing) throw new AgentDisposedError(agent.id)
  }

  private async provisional(log: EventLog): Promise<Resident> {
    const { id, how, factory, options, owner, households } = this.plan
    const { signal } = this.giveUp
    const made = await this.unlessGivenUp(async () =>
      factory({ id, header: log.header, how, signal }),
    )
    const agent = createAgent({ ...made, ...options.agent, ...this.fixed(log) })
    const resident = new Resident(agent, owner, households)
    this.resident = resident
    this.house.residents.introduce(resident)
    agent.onDispose(() => {
      this.house.residents.leave(resident)
    })
    return resident
  }

  /** What neither factory nor caller may choose. */
  private fixed(log: EventLog): AgentOptions {
    const { id, wake } = this.plan
    return {
      id,
      log,
      wake,
      ...(this.house.keepApprovals && { keepApprovals: true }),
      residence: {
        startAfter: this.published,
        beforeDisposed: () => this.beforeDisposed(),
        afterClosed: () => {
          if (this.resident !== undefined) this.house.residents.detach(this.resident)
        },
      },
    }
  }

  /** An announcement is heard by all before what it announces is torn down, and children end first. */
  private beforeDisposed(): Promise<void> | undefined {
    const { over } = this.house.announcements
    const resident = this.resident as Resident
    return over === undefined ? resident.endChildren() : over.then(() => resident.endChildren())
  }

  /** Commits, and announces everything as one. @returns a promise of what `session-start` was answered with. */
  private enter(resident: Resident): Promise<void> {
    const { residents, announcements } = this.house
    const { id, agent } = resident
    let heard = Promise.resolve()
    let vetoes: readonly unknown[] = []
    announcements.during(() => {
      vetoes = residents.publish(resident)
      if (vetoes.length > 0 || this.giveUp.signal.aborted) return
      heard = announcements.consult({ type: 'session-start', id, agent, how: this.plan.how })
    })
    if (vetoes.length > 0) throw vetoes[0]
    this.giveUp.signal.throwIfAborted()
    return heard
  }

  /** Waits for foreign code, no longer than the creation lasts. */
  private unlessGivenUp<T>(call: () => Promise<T>): Promise<T> {
    const { signal } = this.giveUp
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        reject(signal.reason as Error)
      }
      signal.addEventListener('abort', stop, { once: true })
      const over = (): void => {
        signal.removeEventListener('abort', stop)
      }
      call().then(resolve, reject).finally(over)
    })
  }

  /** Gives up when the caller, or anything that the agent would belong to, says so. */
  private follow(): () => void {
    const { options, households } = this.plan
    const signals = [options.signal, ...households.map((household) => household.signal)]
    const undos = signals.map((signal) => {
      if (signal === undefined) return () => {}
      const stop = (): void => {
        this.giveUp.abort(signal.reason)
      }
      if (signal.aborted) stop()
      signal.addEventListener('abort', stop, { once: true })
      return () => {
        signal.removeEventListener('abort', stop)
      }
    })
    return () => {
      for (const undo of undos) undo()
    }
  }

  /** Nothing of it may stay; what goes wrong meanwhile does not hide why it is rolled back. */
  private async rollBack(): Promise<void> {
    const { log, resident, plan, house } = this
    this.publish()
    try {
      if (resident !== undefined) await resident.agent.dispose({ keepInbox: true })
      else await log?.close()
    } catch (error) {
      house.onFault(error)
    }
    if (log === undefined) return
    await plan.source.undo().catch(house.onFault)
  }
}

/** Resolves when the agent is disposed: nobody waits longer for what it is announced to. */
const gone = (agent: Agent): Promise<void> =>
  new Promise((resolve) => {
    agent.onDispose(resolve)
  })
