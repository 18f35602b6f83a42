/**
 * The rooms of a host: who may come in, and how sessions get into the memory and out of it.
 *
 * R1 A session has one room and lives in it once. Who comes while it opens or closes waits, and uses it in the order of coming.
 * R2 A room that is not wanted and not lived in is forgotten.
 * R3 Nobody leaves with events that are not written, unless somebody else owns the session.
 *
 * @module
 */
import { AsyncResource } from 'node:async_hooks'
import type { Agent } from '../../actors/agent-handle.ts'
import { runOutside } from '../../actors/initiator.ts'
import { AgentDisposedError } from '../../errors.ts'
import { checkSessionId } from '../../log/log-place.ts'
import type { EvictionCause } from './host-port.ts'
import type { Made } from './make-agent.ts'
import type { PlaceKeeper, Places } from './places.ts'
import { hostClosing, overloaded } from './refusals.ts'
import { Room } from './room.ts'
import type { Entering, RoomsOptions } from './rooms-port.ts'

/** All rooms of one host. */
export class Rooms implements PlaceKeeper {
  closing = false
  private readonly rooms = new Map<string, Room>()
  private readonly options: RoomsOptions
  private readonly places: Places

  constructor(options: RoomsOptions) {
    this.options = options
    this.places = options.places(this)
  }

  list(): readonly Room[] {
    return [...this.rooms.values()]
  }

  get(id: string): Room | undefined {
    return this.rooms.get(id)
  }

  /** Uses the agent of a session, which is brought in for it. @throws (the promise rejects) as `AgentHost.with`. */
  enter<T>(id: string, use: (agent: Agent) => T | PromiseLike<T>, how: Entering): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.closing) throw hostClosing(id)
      const room = this.rooms.get(checkSessionId(id)) ?? this.newRoom(id)
      const enter = (agent: Agent): void => {
        room.pins += 1
        this.options.idle.delete(room)
        const used = new Promise<T>((done) => {
          done(use(agent))
        })
        used.then(resolve, reject).finally(() => {
          room.pins -= 1
          this.look(room)
        })
      }
      try {
        this.admit(room, how, enter, reject)
      } finally {
        this.forgetIfUnwanted(room)
      }
    })
  }

  private admit(
    room: Room,
    { wake, sends }: Entering,
    enter: (agent: Agent) => void,
    refuse: (error: unknown) => void,
  ): void {
    const agent = room.entrants.length === 0 ? room.living : undefined
    if (sends || agent === undefined) this.refuseOverload(room)
    if (agent !== undefined) {
      enter(agent)
      return
    }
    if (room.entrants.length === 0) room.wantedAt = this.options.elapsed()
    room.entrants.push({ wake, enter: AsyncResource.bind(enter), refuse })
    room.tenant.add('entering', 1)
    if (room.state === 'waiting' && room.entrants.length === 1) this.places.seek(room)
  }

  private refuseOverload({ id, tenant }: Room): void {
    const { house } = this.options.tenants
    const full = [tenant, house].find((account) => !account.mayTake)
    if (full === undefined) return
    const whose = full === house ? 'in all' : `of tenant ${JSON.stringify(tenant.name)}`
    throw overloaded(id, { most: full.limits.maxPending, found: full.pending, whose })
  }

  private newRoom(id: string): Room {
    const room = new Room(id, this.options.tenants.join(id))
    room.wantedAt = this.options.elapsed()
    this.rooms.set(id, room)
    return room
  }

  private forgetIfUnwanted(room: Room): void {
    if (room.state !== 'waiting' || room.entrants.length > 0) return
    if (this.rooms.get(room.id) !== room) return
    this.rooms.delete(room.id)
    this.options.tenants.leave(room.tenant)
  }

  /** An agent that came into the registry by another door is treated like any other; nobody asked whether there is room. */
  adopt(agent: Agent): void {
    const known = this.rooms.get(agent.id)
    if (this.closing || known?.state === 'opening' || known?.agent === agent) return
    const room = known ?? this.newRoom(agent.id)
    this.places.forgo(room)
    room.tenant.add('resident', 1)
    this.moveIn(room, { agent, how: 'found' })
  }

  /** It has a place. */
  open(room: Room): void {
    room.state = 'opening'
    const wake = room.entrants.some((entrant) => entrant.wake)
    void runOutside(() => this.options.make(room.id, wake)).then(
      (made) => {
        this.moveIn(room, made)
      },
      (error: unknown) => {
        this.fail(room, error)
      },
    )
  }

  private moveIn(room: Room, { agent, how }: Made): void {
    const { tally, elapsed } = this.options
    if (!this.options.lives(agent)) {
      this.fail(room, new AgentDisposedError(room.id))
      return
    }
    room.state = 'open'
    room.agent = agent
    tally.openMs.add(elapsed() - room.wantedAt)
    tally.tell({ type: 'opened', how, id: room.id, tenant: room.tenant.name })
    this.options.watch(room, agent)
    this.letIn(room)
    this.look(room)
  }

  /** Whoever still waits once the agent takes no more commands waits for its next life. */
  private letIn(room: Room): void {
    for (let { living } = room; living !== undefined; { living } = room) {
      const entrant = room.entrants.shift()
      if (entrant === undefined) return
      room.tenant.add('entering', -1)
      entrant.enter(living)
    }
  }

  private fail(room: Room, error: unknown): void {
    room.state = 'waiting'
    this.refuseAll(room, error)
    this.forgetIfUnwanted(room)
    this.places.vacate(room)
  }

  private refuseAll(room: Room, error: unknown): void {
    const refused = room.entrants.splice(0)
    room.tenant.add('entering', -refused.length)
    for (const { refuse } of refused) refuse(error)
  }

  /** Does it rest? */
  look(room: Room): void {
    const { idle } = this.options
    if (!room.quiet) idle.delete(room)
    else if (!this.closing) {
      idle.add(room)
      this.places.settle(room.tenant)
    }
  }

  mayLeave(room: Room): boolean {
    const { agent, tenant } = room
    if (agent === undefined || !room.quiet || this.options.related(room.id)) return false
    const unwritten = agent.log.durable(agent.log.length - 1)
    unwritten?.then(
      () => {
        this.places.settle(tenant)
      },
      (error: unknown) => {
        this.options.tally.fault('durability', error)
      },
    )
    return unwritten === undefined
  }

  /** It has rested for long. */
  due(room: Room): void {
    if (this.mayLeave(room)) this.evict(room, 'idle')
    else this.look(room)
  }

  evict(room: Room, why: EvictionCause = 'pressure'): void {
    void this.suspend(room, why).catch((error: unknown) => {
      this.options.tally.fault('durability', error)
    })
  }

  /** Suspends the agent of an open room. @throws what could not be written. */
  async suspend(room: Room, why: EvictionCause): Promise<void> {
    const { agent } = room
    if (agent === undefined) return
    if (room.state === 'open') {
      room.state = 'closing'
      room.why = why
      room.tenant.add('leaving', 1)
      this.options.idle.delete(room)
    }
    await runOutside(() => agent.dispose({ keepInbox: true }))
  }

  /** The registry says that the session of an agent is closed. */
  gone(agent: Agent): void {
    const room = this.rooms.get(agent.id)
    if (room?.agent !== agent) return
    const { tenant } = room
    if (room.state === 'closing') tenant.add('leaving', -1)
    tenant.add('queued', -room.queued)
    room.queued = 0
    room.agent = undefined
    room.state = 'waiting'
    this.options.idle.delete(room)
    this.options.left(room)
    const { id, why = 'elsewhere' } = room
    room.why = undefined
    this.options.tally.tell({ type: 'evicted', why, id, tenant: tenant.name })
    if (room.entrants.length > 0) this.places.seek(room)
    else this.forgetIfUnwanted(room)
    this.places.vacate(room)
  }

  /** Lets nobody in any more. */
  shut(): void {
    this.closing = true
    for (const room of this.list()) {
      this.refuseAll(room, hostClosing(room.id))
      this.options.idle.delete(room)
      this.places.forgo(room)
      this.forgetIfUnwanted(room)
    }
  }
}
