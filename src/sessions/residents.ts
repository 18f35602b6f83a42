/**
 * Who lives in a registry: a session entry and an agent entry each, and who belongs to whom.
 *
 * E1 An id is taken from the moment a creation asks for it until its session entry is gone.
 * E2 Entries come in the order session, agent and go in the order agent, session; each is announced, in pairs.
 * E3 Only the very agent that an entry was made for can take it away.
 *
 * @module
 */
import type { Agent } from '../actors/agent-handle.ts'
import { findDoor } from '../actors/service-door.ts'
import { AgentDisposedError, TurnwiseError } from '../errors.ts'
import type { Announcements } from './announcements.ts'
import { Household } from './household.ts'

/** An agent with its place in the registry. */
export class Resident {
  readonly id: string
  readonly agent: Agent
  /** The agent it belongs to. */
  owner: Resident | undefined
  /** What it ends with: its factory, its scope, its parent, the registry. */
  households: readonly Household[]
  /** What ends with it. */
  readonly children = new Household()

  constructor(agent: Agent, owner: Resident | undefined, households: readonly Household[]) {
    this.id = agent.id
    this.agent = agent
    this.owner = owner
    this.households = households
  }

  /** Ends what belongs to it; from then on nothing can be added. Undefined if there is nothing to wait for. */
  endChildren(): Promise<void> | undefined {
    const { isEmpty } = this.children
    const ended = this.children.end(new AgentDisposedError(this.id))
    return isEmpty ? undefined : ended
  }

  /** It belongs to `owner` from now on, and ends with `households` instead of with its parent. */
  moveTo(owner: Resident | undefined, households: readonly Household[]): void {
    const { agent, owner: before } = this
    before?.children.drop(agent)
    const kept = this.households.filter((household) => household !== before?.children)
    this.owner = owner
    this.households = [...kept, ...households]
    for (const household of households) household.add(agent)
  }
}

/** The entries of a registry. */
export class Residents {
  private readonly sessions = new Map<string, Resident>()
  private readonly agents = new Map<string, Resident>()
  private readonly creating = new Set<string>()
  /** Agents that are made here, published or not. */
  private readonly known = new WeakMap<Agent, Resident>()
  private readonly announcements: Announcements

  constructor(announcements: Announcements) {
    this.announcements = announcements
  }

  /** Takes `id` for a creation. @returns whether it was free. */
  reserve(id: string): boolean {
    if (this.isTaken(id)) return false
    this.creating.add(id)
    return true
  }

  /** The creation is over. */
  unreserve(id: string): void {
    this.creating.delete(id)
  }

  isTaken(id: string): boolean {
    return this.creating.has(id) || this.sessions.has(id)
  }

  /** Notes an agent that nobody hears of yet. */
  introduce(resident: Resident): void {
    this.known.set(resident.agent, resident)
    for (const household of resident.households) household.add(resident.agent)
  }

  /** The same for an agent that was made elsewhere, whose children end before it just the same. */
  introduceMade(resident: Resident): void {
    this.introduce(resident)
    findDoor(resident.agent)?.endFirst(() => resident.endChildren())
  }

  of(agent: Agent): Resident | undefined {
    return this.known.get(agent)
  }

  /** @throws TurnwiseError SESSION_NOT_LIVE for an agent that does not live here. */
  living(agent: Agent): Resident {
    const resident = this.of(agent)
    if (resident !== undefined) return resident
    throw new TurnwiseError(
      'SESSION_NOT_LIVE',
      'expected an owner that lives in this registry, found another; nothing was created.',
    )
  }

  get(id: string): Resident | undefined {
    return this.agents.get(id)
  }

  list(): readonly Resident[] {
    return [...this.agents.values()]
  }

  /** Enters session and agent and announces both. @returns the vetoes of listeners. */
  publish(resident: Resident): readonly unknown[] {
    const { id, agent } = resident
    this.sessions.set(id, resident)
    this.agents.set(id, resident)
    this.announcements.tell({ type: 'session/created', id, agent })
    return this.announcements.ask({ type: 'agent/created', id, agent })
  }

  /** Takes the agent entry away and says so. */
  leave(resident: Resident): void {
    const { id, agent } = resident
    if (this.agents.get(id) !== resident) return
    this.agents.delete(id)
    this.announcements.tell({ type: 'agent/disposed', id, agent })
  }

  /** Takes the session entry away and says so: the id is free. */
  detach(resident: Resident): void {
    const { id, agent } = resident
    for (const household of resident.households) household.drop(agent)
    if (this.sessions.get(id) !== resident) return
    this.sessions.delete(id)
    this.announcements.tell({ type: 'session/disposed', id, agent })
    this.announcements.drop(agent)
  }
}
