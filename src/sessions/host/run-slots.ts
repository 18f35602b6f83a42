/**
 * Which turns run: no more than may at a time, and those that wait begin in fair order over tenants.
 *
 * A turn takes its slot at its first gate, where its message is safe in the log, and gives it back at its end, or while it
 * waits for an approval.
 *
 * @module
 */
import { FairQueue } from './fair-queue.ts'
import type { HostNotice } from './host-port.ts'
import type { Room } from './room.ts'
import type { Account, Tenant } from './tenants.ts'

interface Waiter {
  readonly room: Room
  readonly since: number
  readonly go: () => void
}

export interface RunSlotsOptions {
  readonly house: Account
  readonly elapsed: () => number
  readonly tell: (notice: HostNotice) => void
  /** Told how long each turn has waited. */
  readonly waited: (ms: number) => void
}

/** The slots of one host. */
export class RunSlots {
  private readonly options: RunSlotsOptions
  private readonly waiting = new FairQueue<Tenant, Waiter>()

  constructor(options: RunSlotsOptions) {
    this.options = options
  }

  /** Is anything limited for a tenant? */
  limits({ limits }: Tenant): boolean {
    return limits.maxRunning !== Infinity || this.options.house.limits.maxRunning !== Infinity
  }

  /** Takes a slot whether there is one or not. */
  note(room: Room): void {
    if (room.slot === 'none') this.grant(room)
  }

  /** Waits for a slot. @returns undefined when there is one; the promise also resolves when `signal` aborts. */
  take(room: Room, signal: AbortSignal): Promise<void> | undefined {
    if (room.slot === 'held') return undefined
    if (this.options.house.mayRun && room.tenant.mayRun) {
      this.options.waited(0)
      this.grant(room)
      return undefined
    }
    return new Promise((resolve) => {
      const waiter = { room, since: this.options.elapsed(), go: resolve }
      this.waiting.add(room.tenant, waiter)
      room.slot = 'waiting'
      room.tenant.add('waiting', 1)
      const { id, tenant } = room
      this.options.tell({ type: 'waiting', id, tenant: tenant.name })
      signal.addEventListener('abort', () => {
        if (this.waiting.delete(tenant, waiter)) this.endWait(waiter, 'none')
      })
    })
  }

  /** Gives a slot back. */
  leave(room: Room): void {
    if (room.slot !== 'held') return
    room.slot = 'none'
    room.tenant.add('running', -1)
    for (let next = this.next(); next !== undefined; next = this.next()) {
      this.options.waited(this.options.elapsed() - next.since)
      this.grant(next.room)
      this.endWait(next, 'held')
    }
  }

  private next(): Waiter | undefined {
    return this.options.house.mayRun ? this.waiting.take((tenant) => tenant.mayRun) : undefined
  }

  private grant(room: Room): void {
    const { id, tenant } = room
    room.slot = 'held'
    tenant.add('running', 1)
    this.options.tell({ type: 'started', id, tenant: tenant.name })
  }

  private endWait({ room, go }: Waiter, slot: Room['slot']): void {
    room.slot = slot
    room.tenant.add('waiting', -1)
    go()
  }
}
