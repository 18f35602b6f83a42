/**
 * What the rooms of a host are kept with, and how they are entered.
 *
 * @module
 */
import type { Agent } from '../../actors/agent-handle.ts'
import type { IdleOrder } from './idle-order.ts'
import type { Made } from './make-agent.ts'
import type { PlaceKeeper, Places } from './places.ts'
import type { Room } from './room.ts'
import type { Tally } from './tally.ts'
import type { Tenants } from './tenants.ts'

/** What rooms are kept with. */
export interface RoomsOptions {
  readonly tenants: Tenants
  readonly tally: Tally
  readonly elapsed: () => number
  readonly idle: IdleOrder
  readonly places: (keeper: PlaceKeeper) => Places
  /** Finds, resumes or creates the agent of a room. */
  readonly make: (id: string, wake: boolean) => Promise<Made>
  /** Is this the agent that lives in the registry under its id? */
  readonly lives: (agent: Agent) => boolean
  /** Does it belong to another agent, or another one to it? */
  readonly related: (id: string) => boolean
  readonly watch: (room: Room, agent: Agent) => void
  readonly left: (room: Room) => void
}

export interface Entering {
  readonly wake: boolean
  /** Is a message sent, so that the limit of pending ones holds in any case? */
  readonly sends: boolean
}
