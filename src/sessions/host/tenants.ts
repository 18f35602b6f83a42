/**
 * What each tenant has, and may have.
 *
 * A1 Whatever a tenant has, the house has too.
 * A2 A tenant is forgotten with its last room, so that tenants who are gone hold no memory.
 *
 * @module
 */
import { wholeOrInfinite } from '../../actors/read-options.ts'
import type { HostOptions, TenantLimits } from './host-port.ts'
import type { TenantGauges } from './metrics-port.ts'

/** What is counted: messages on their way in, and in inboxes; sessions; turns. */
export type Counted = 'entering' | 'queued' | 'resident' | 'leaving' | 'waiting' | 'running'

/** What somebody has, and may have. */
export class Account {
  readonly limits: Required<TenantLimits>
  entering = 0
  queued = 0
  resident = 0
  /** Of the residents: those that are being evicted. */
  leaving = 0
  waiting = 0
  running = 0

  /** @throws TurnwiseError INVALID_OPTION */
  constructor(limits: TenantLimits) {
    this.limits = {
      maxResident: wholeOrInfinite(limits, 'maxResident', Infinity),
      maxRunning: wholeOrInfinite(limits, 'maxRunning', Infinity),
      maxPending: wholeOrInfinite(limits, 'maxPending', Infinity),
    }
  }

  get pending(): number {
    return this.entering + this.queued + this.waiting
  }

  get mayReside(): boolean {
    return this.resident < this.limits.maxResident
  }

  get mayRun(): boolean {
    return this.running < this.limits.maxRunning
  }

  get mayTake(): boolean {
    return this.pending < this.limits.maxPending
  }

  get gauges(): TenantGauges {
    const { resident, running, waiting, pending } = this
    return { resident, running, waiting, pending }
  }
}

/** One tenant. */
export class Tenant extends Account {
  readonly name: string
  /** Rooms that it has. */
  rooms = 0
  private readonly house: Account

  constructor(name: string, limits: TenantLimits, house: Account) {
    super(limits)
    this.name = name
    this.house = house
  }

  add(what: Counted, count: number): void {
    this[what] += count
    this.house[what] += count
  }
}

/** Everybody who has a room. */
export class Tenants {
  readonly house: Account
  private readonly known = new Map<string, Tenant>()
  private readonly tenantOf: (session: string) => string
  private readonly limitsOf: (tenant: string) => TenantLimits

  constructor(options: HostOptions) {
    const { maxResident = 1000, maxRunning = Infinity, maxPending = 10_000 } = options
    this.house = new Account({ maxResident, maxRunning, maxPending })
    this.tenantOf = options.tenantOf ?? (() => '')
    const { tenantLimits = {} } = options
    if (typeof tenantLimits === 'function') this.limitsOf = tenantLimits
    else {
      const { limits } = new Account(tenantLimits)
      this.limitsOf = () => limits
    }
  }

  /** Gives a session a tenant. @throws what `tenantOf` or `tenantLimits` throws; TurnwiseError INVALID_OPTION */
  join(session: string): Tenant {
    const name = this.tenantOf(session)
    const tenant = this.known.get(name) ?? new Tenant(name, this.limitsOf(name), this.house)
    this.known.set(name, tenant)
    tenant.rooms += 1
    return tenant
  }

  /** One room less. */
  leave(tenant: Tenant): void {
    tenant.rooms -= 1
    if (tenant.rooms === 0) this.known.delete(tenant.name)
  }

  list(): readonly Tenant[] {
    return [...this.known.values()]
  }
}
