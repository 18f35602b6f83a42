/**
 * Places in memory: who gets the next one, and who leaves for it.
 *
 * P1 No more sessions are in memory than may be, of a tenant and of all; those that come and go count.
 * P2 Whoever waits for a place gets it in fair order over tenants.
 * P3 Only a room at rest leaves for another one: the one that has rested longest, of the tenant that has too many, or of all.
 *
 * @module
 */
import { FairQueue } from './fair-queue.ts'
import type { IdleOrder } from './idle-order.ts'
import type { Room } from './room.ts'
import type { Account, Tenant } from './tenants.ts'

/** What places are given and taken with. */
export interface PlaceKeeper {
  /** The room has a place. */
  open(room: Room): void
  /** May it leave at once? If it has to write something first, it is looked at again after that. */
  mayLeave(room: Room): boolean
  /** It has to leave. */
  evict(room: Room): void
}

/** The places of one host. */
export class Places {
  private readonly waiting = new FairQueue<Tenant, Room>()
  private readonly house: Account
  private readonly idle: IdleOrder
  private readonly keeper: PlaceKeeper

  constructor(house: Account, idle: IdleOrder, keeper: PlaceKeeper) {
    this.house = house
    this.idle = idle
    this.keeper = keeper
  }

  /** A room needs a place. */
  seek(room: Room): void {
    this.waiting.add(room.tenant, room)
    this.settle(room.tenant)
  }

  /** It needs none any more. @returns whether it was waiting for one. */
  forgo(room: Room): boolean {
    return this.waiting.delete(room.tenant, room)
  }

  /** A room has left. */
  vacate({ tenant }: Room): void {
    tenant.add('resident', -1)
    this.settle(tenant)
  }

  /** Something about `tenant` has changed: a room of it came to rest, left, or waits. */
  settle(tenant: Tenant): void {
    for (let room = this.next(); room !== undefined; room = this.next()) {
      room.tenant.add('resident', 1)
      this.keeper.open(room)
    }
    if (this.waiting.size === 0) return
    if (!tenant.mayReside) {
      this.relieve(
        () => this.waiting.sizeOf(tenant) > tenant.leaving,
        (room) => room.tenant === tenant,
      )
    }
    if (!this.house.mayReside) {
      this.relieve(
        () => this.lacks(this.house.leaving + 1),
        () => true,
      )
    }
  }

  private next(): Room | undefined {
    return this.house.mayReside ? this.waiting.take((tenant) => tenant.mayReside) : undefined
  }

  /** Lets rooms leave while more are needed than are leaving already. */
  private relieve(needed: () => boolean, match: (room: Room) => boolean): void {
    while (needed()) {
      const room = this.idle.first((one) => match(one) && this.keeper.mayLeave(one))
      if (room === undefined) return
      this.keeper.evict(room)
    }
  }

  /** Do at least `count` rooms wait for nothing but a place in the house? */
  private lacks(count: number): boolean {
    let waiting = 0
    for (const [{ resident, limits }, rooms] of this.waiting.groups()) {
      waiting += Math.min(rooms.size, Math.max(0, limits.maxResident - resident))
      if (waiting >= count) return true
    }
    return false
  }
}
