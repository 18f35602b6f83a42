/**
 * The room of one session in a host: who wants in, and who lives there.
 *
 * It decides nothing and only keeps what the parts of a host share about a session.
 *
 * @module
 */
import type { Agent } from '../../actors/agent-handle.ts'
import { findDoor } from '../../actors/service-door.ts'
import type { EvictionCause } from './host-port.ts'
import type { Tenant } from './tenants.ts'

/** Somebody who wants to use the agent. */
export interface Entrant {
  readonly wake: boolean
  /** Must not throw. */
  readonly enter: (agent: Agent) => void
  readonly refuse: (error: unknown) => void
}

/** One session. */
export class Room {
  readonly id: string
  readonly tenant: Tenant
  /** `waiting` for a place in memory, then `opening`, `open`, and `closing`. */
  state: 'waiting' | 'opening' | 'open' | 'closing' = 'waiting'
  agent: Agent | undefined
  /** Those who come while it is not open, in order. */
  readonly entrants: Entrant[] = []
  /** Uses that have not settled. */
  pins = 0
  /** Since when it has been idle, by the clock of the host. */
  restedAt = 0
  /** Since when somebody wants it open, and when its turn began, in ms of `elapsed`. */
  wantedAt = 0
  turnAt = 0
  /** Messages in its inbox, as last counted. */
  queued = 0
  /** Does its turn run, or wait to? */
  slot: 'none' | 'waiting' | 'held' = 'none'
  /** Why it is closing. */
  why: EvictionCause | undefined

  constructor(id: string, tenant: Tenant) {
    this.id = id
    this.tenant = tenant
  }

  /** The agent, if it takes commands. */
  get living(): Agent | undefined {
    const { agent } = this
    if (this.state !== 'open' || agent === undefined) return undefined
    return findDoor(agent)?.disposing === true ? undefined : agent
  }

  /** Is there nothing that would be cut if it left? */
  get quiet(): boolean {
    const { living: agent } = this
    if (agent === undefined || this.pins > 0) return false
    const door = findDoor(agent)
    if (door === undefined) return agent.status === 'idle'
    return door.quiet || door.standsStill
  }
}
