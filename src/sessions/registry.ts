/**
 * The sessions that live in this process: creating, resuming, forking, finding and ending them.
 *
 * R1 A session is live at most once; its id is free again when its session entry is gone.
 * R2 Creating and resuming are transactions (`creation.ts`); forking stores a session and makes nobody live.
 * R3 What an agent belongs to (its parent, a scope, the factory, the registry) ends only after it.
 *
 * @module
 */
import { randomUUID } from 'node:crypto'
import type { Agent } from '../actors/agent-handle.ts'
import { whole } from '../actors/read-options.ts'
import { causeChain, TurnwiseError } from '../errors.ts'
import type { LogHeader } from '../events/event.ts'
import type { EventLog } from '../log/event-log.ts'
import { checkSessionId } from '../log/log-place.ts'
import { createMemoryLog } from '../log/memory-log.ts'
import { Announcements } from './announcements.ts'
import { checkConfigured, startConfigured } from './configured-agents.ts'
import { Creation, type Plan } from './creation.ts'
import { FactorySlot } from './factory-slot.ts'
import type { ForkOptions } from './fork.ts'
import { forkSession } from './fork-session.ts'
import { Household } from './household.ts'
import { childOf, nextOwnership, ownershipOf, Scope } from './owner.ts'
import type {
  AgentFactory,
  CreateOptions,
  FactoryHandle,
  OwnerScope,
  Registry,
  RegistryListener,
  RegistryOptions,
  ResumeOptions,
  StartOptions,
} from './registry-port.ts'
import { type RepairOptions, repairLog } from './repair.ts'
import { Resident, Residents } from './residents.ts'
import { alreadyExists, isLive, type SessionStore } from './session-store.ts'

/**
 * Makes a registry.
 *
 * @throws TurnwiseError INVALID_OPTION for configured agents that exclude each other.
 */
export function createRegistry(options: RegistryOptions = {}): Registry {
  checkConfigured(options.agents ?? [])
  return new LocalRegistry(options)
}

class LocalRegistry implements Registry {
  private readonly options: RegistryOptions
  private readonly store: SessionStore | undefined
  private readonly now: () => number
  private readonly ids: () => string
  private readonly announcements: Announcements
  private readonly residents: Residents
  private readonly factories = new FactorySlot()
  private readonly all = new Household()

  constructor(options: RegistryOptions) {
    this.options = options
    this.store = options.store
    this.now = options.now ?? Date.now
    this.ids = options.ids ?? randomUUID
    this.announcements = new Announcements(this.onFault)
    this.residents = new Residents(this.announcements)
    if (options.factory !== undefined) this.factories.set(options.factory)
  }

  private readonly onFault = (error: unknown): void => {
    this.options.onDiagnostic?.({ kind: 'listener', message: causeChain(error), error })
  }

  setFactory(factory: AgentFactory): FactoryHandle {
    return this.factories.set(factory)
  }

  create(options: CreateOptions = {}): Promise<Agent> {
    return this.begin(options, 'startup', () => {
      const id = checkSessionId(options.id ?? this.ids())
      if (!this.residents.reserve(id)) throw alreadyExists(id)
      return { id, wake: false, source: (owner) => this.newLog(id, options, owner) }
    })
  }

  resume(id: string, options: ResumeOptions = {}): Promise<Agent> {
    return this.begin(options, 'resume', () => {
      const store = this.persistence()
      if (!this.residents.reserve(id)) throw isLive(id)
      const keepApprovals = this.options.keepApprovals === true
      return {
        id,
        wake: options.wake === true,
        source: () => storedLog(store, id, { keepApprovals }),
      }
    })
  }

  /** Everything that the creation depends on is looked at before the first await. */
  private begin(
    options: StartOptions,
    how: Plan['how'],
    aim: () => Pick<Plan, 'id' | 'wake'> & {
      source: (owner: Resident | undefined) => Plan['source']
    },
  ): Promise<Agent> {
    try {
      const { factory, household } = this.factories.current
      whole(options.agent ?? {}, 'maxTokens', 1)
      options.signal?.throwIfAborted()
      this.all.signal.throwIfAborted()
      const { owner, households } = ownershipOf(options.owner, this.residents)
      const { id, wake, source } = aim()
      const within = [this.all, household, ...households]
      const { residents, announcements, onFault } = this
      const creation = new Creation(
        { residents, announcements, onFault, keepApprovals: this.options.keepApprovals === true },
        { id, how, wake, factory, options, owner, households: within, source: source(owner) },
      ).run()
      for (const house of within) house.await(creation)
      return creation
    } catch (error) {
      return Promise.reject(error)
    }
  }

  private newLog(id: string, { cwd }: CreateOptions, owner: Resident | undefined): Plan['source'] {
    const { store } = this
    const header: LogHeader = {
      id,
      formatVersion: 1,
      createdAt: this.now(),
      ...(cwd !== undefined && { cwd }),
      ...(owner !== undefined && childOf(owner)),
    }
    return {
      open: async () => (store === undefined ? createMemoryLog({ header }) : store.create(header)),
      undo: async () => store?.remove(id),
    }
  }

  private persistence(): SessionStore {
    if (this.store !== undefined) return this.store
    throw new TurnwiseError(
      'NO_PERSISTENCE',
      'expected a store to find the session in, found none; nothing was created. Give the registry a store.',
    )
  }

  // eslint-disable-next-line typescript/require-await -- a throw must be a rejection
  async fork(id: string, options: ForkOptions = {}): Promise<LogHeader> {
    const { residents, ids, now } = this
    return forkSession({ store: this.persistence(), residents, ids, now }, id, options)
  }

  register(agent: Agent, options: { readonly owner?: Agent | OwnerScope } = {}): () => void {
    const { residents } = this
    if (residents.isTaken(agent.id)) throw alreadyExists(agent.id)
    const { owner, households } = ownershipOf(options.owner, residents)
    const resident = new Resident(agent, owner, [this.all, ...households])
    const detach = (): void => {
      residents.leave(resident)
      residents.detach(resident)
    }
    residents.introduceMade(resident)
    const [veto] = residents.publish(resident)
    if (veto !== undefined) {
      detach()
      throw veto
    }
    agent.onDispose(detach)
    return detach
  }

  handOver(agent: Agent, to?: Agent | OwnerScope): void {
    const resident = this.residents.living(agent)
    const { owner, households } = nextOwnership(resident, to, this.residents)
    resident.moveTo(owner, households)
  }

  get(id: string): Agent | undefined {
    return this.residents.get(id)?.agent
  }

  list(): readonly Agent[] {
    return this.residents.list().map(({ agent }) => agent)
  }

  roots(): readonly Agent[] {
    const roots = this.residents.list().filter(({ owner }) => owner === undefined)
    return roots.map(({ agent }) => agent)
  }

  ownerOf(id: string): Agent | undefined {
    return this.residents.get(id)?.owner?.agent
  }

  childrenOf(id: string): readonly Agent[] {
    const children = this.residents.list().filter(({ owner }) => owner?.id === id)
    return children.map(({ agent }) => agent)
  }

  scope(name = ''): OwnerScope {
    return new Scope(name, this)
  }

  listen(listener: RegistryListener, of?: Agent): () => void {
    return this.announcements.add(listener, of)
  }

  start(): Promise<void> {
    return startConfigured(this.options.agents ?? [], {
      registry: this,
      has: (id) => this.store?.has(id) ?? Promise.resolve(false),
      failed: (id, error) => {
        if (this.factories.active) this.announcements.tell({ type: 'start-failed', id, error })
      },
    })
  }

  close(): Promise<void> {
    return this.all.end(
      new TurnwiseError(
        'FACTORY_INACTIVE',
        'expected an open registry, found it closed; nothing was created.',
      ),
    )
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}

/** A stored log is repaired before anything is made of it. */
function storedLog(store: SessionStore, id: string, keep: RepairOptions): Plan['source'] {
  const open = async (): Promise<EventLog> => {
    const log = await store.open(id)
    try {
      if (repairLog(log, keep) > 0) await log.flush()
      return log
    } catch (error) {
      await log.close().catch(() => {})
      throw error
    }
  }
  return { open, undo: () => Promise.resolve() }
}
