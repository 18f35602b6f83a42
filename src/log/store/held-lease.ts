/**
 * Claimed sessions of one store: they renew themselves, all in one statement, and tell when somebody else has claimed one.
 *
 * They keep nobody from writing: that is done by the epoch, in every append. They only let an owner know early.
 *
 * @module
 */
import { TurnwiseError } from '../../errors.ts'
import type { Backend } from './backend.ts'
import type { Lease } from './event-store.ts'

/** Renewals within one time to live: two may fail before others can claim. */
const RENEWALS = 3
/** Leases of one statement. */
const BATCH = 1000

interface Claimed {
  readonly session: string
  readonly owner: string
  readonly epoch: number
  readonly ttlMs: number
}

/** The leases that this process holds. */
export class LeaseKeeper {
  private readonly backend: Backend
  private readonly held = new Set<HeldLease>()
  private timer: NodeJS.Timeout | undefined
  private everyMs = Infinity

  constructor(backend: Backend) {
    this.backend = backend
  }

  hold(claimed: Claimed): Lease {
    this.lose(claimed.session, claimed.epoch - 1)
    const lease = new HeldLease(this, claimed)
    this.held.add(lease)
    this.renewEvery(Math.max(1, Math.floor(claimed.ttlMs / RENEWALS)))
    return lease
  }

  /** Somebody has claimed this session with a later epoch. */
  lose(session: string, epoch: number): void {
    for (const lease of this.held)
      if (lease.session === session && lease.epoch <= epoch) this.drop(lease)
  }

  /** @throws what the back end says, for all of `leases`. */
  async renew(leases: readonly HeldLease[]): Promise<void> {
    const kept = await this.backend.renew(leases)
    for (const [at, lease] of leases.entries()) if (kept[at] === false) this.drop(lease)
  }

  async release(lease: HeldLease): Promise<void> {
    if (!this.held.has(lease)) return
    this.forget(lease)
    await this.backend.release(lease.session, lease.epoch)
  }

  /** Renews nothing any more; the leases run out by themselves. */
  stop(): void {
    this.held.clear()
    this.rest()
  }

  private drop(lease: HeldLease): void {
    this.forget(lease)
    lease.lose()
  }

  private forget(lease: HeldLease): void {
    this.held.delete(lease)
    if (this.held.size === 0) this.rest()
  }

  private renewEvery(ms: number): void {
    if (ms >= this.everyMs) return
    this.rest()
    this.everyMs = ms
    this.timer = setInterval(() => void this.renewAll(), ms)
    this.timer.unref()
  }

  private rest(): void {
    clearInterval(this.timer)
    this.timer = undefined
    this.everyMs = Infinity
  }

  private async renewAll(): Promise<void> {
    const leases = [...this.held]
    for (let from = 0; from < leases.length; from += BATCH) {
      try {
        await this.renew(leases.slice(from, from + BATCH))
      } catch {
        // A store that cannot be reached is asked again; whether a lease is lost, it alone knows.
      }
    }
  }
}

/** One of them. */
export class HeldLease implements Lease {
  readonly session: string
  readonly owner: string
  readonly epoch: number
  readonly ttlMs: number
  readonly lost: AbortSignal
  private readonly loss = new AbortController()
  private readonly keeper: LeaseKeeper

  constructor(keeper: LeaseKeeper, { session, owner, epoch, ttlMs }: Claimed) {
    this.session = session
    this.owner = owner
    this.epoch = epoch
    this.ttlMs = ttlMs
    this.lost = this.loss.signal
    this.keeper = keeper
  }

  async renew(): Promise<void> {
    if (!this.lost.aborted) await this.keeper.renew([this])
    if (this.lost.aborted) throw this.lost.reason
  }

  release(): Promise<void> {
    return this.keeper.release(this)
  }

  /** Somebody else has claimed the session. */
  lose(): void {
    this.loss.abort(leaseLost(this.session, this.epoch))
  }
}

/** The error of an owner that was succeeded. */
export function leaseLost(session: string, epoch: number): TurnwiseError {
  return new TurnwiseError(
    'LEASE_LOST',
    `expected to own session ${session} with epoch ${epoch}, but another process has claimed it since; nothing was recorded and this log has stopped. Reopen the session as its owner.`,
  )
}
