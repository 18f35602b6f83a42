/**
 * A claimed session: renews itself, and tells when somebody else has claimed it.
 *
 * It keeps nobody from writing: that is done by the epoch, in every append. It only lets an owner know early.
 *
 * @module
 */
import { TurnwiseError } from '../../errors.ts'
import type { Backend } from './backend.ts'
import type { Lease } from './event-store.ts'

/** Renewals within one time to live: two may fail before others can claim. */
const RENEWALS = 3

export class HeldLease implements Lease {
  readonly session: string
  readonly owner: string
  readonly epoch: number
  readonly lost: AbortSignal
  private readonly loss = new AbortController()
  private readonly backend: Backend
  private readonly ttlMs: number
  private readonly ended: (lease: HeldLease) => void
  private timer: NodeJS.Timeout | undefined

  /** @param ended - told once, when it was released or lost. */
  constructor(
    backend: Backend,
    claimed: { session: string; owner: string; epoch: number; ttlMs: number },
    ended: (lease: HeldLease) => void,
  ) {
    this.session = claimed.session
    this.owner = claimed.owner
    this.epoch = claimed.epoch
    this.ttlMs = claimed.ttlMs
    this.lost = this.loss.signal
    this.backend = backend
    this.ended = ended
    this.timer = setInterval(
      () => {
        // A store that cannot be reached is asked again; whether the lease is lost, it alone knows.
        this.renew().catch(() => {})
      },
      Math.max(1, Math.floor(claimed.ttlMs / RENEWALS)),
    )
    this.timer.unref()
  }

  async renew(): Promise<void> {
    if (this.lost.aborted) throw this.lost.reason
    if (await this.backend.renew(this.session, this.epoch, this.ttlMs)) return
    this.lose()
    throw this.lost.reason
  }

  async release(): Promise<void> {
    if (this.timer === undefined) return
    this.stop()
    if (!this.lost.aborted) await this.backend.release(this.session, this.epoch)
  }

  /** Somebody else has claimed the session. */
  lose(): void {
    if (this.lost.aborted) return
    this.stop()
    this.loss.abort(leaseLost(this.session, this.epoch))
  }

  /** Renews no more; the lease runs out by itself. */
  stop(): void {
    if (this.timer === undefined) return
    clearInterval(this.timer)
    this.timer = undefined
    this.ended(this)
  }
}

/** The error of an owner that was succeeded. */
export function leaseLost(session: string, epoch: number): TurnwiseError {
  return new TurnwiseError(
    'LEASE_LOST',
    `expected to own session ${session} with epoch ${epoch}, but another process has claimed it since; nothing was recorded and this log has stopped. Reopen the session as its owner.`,
  )
}
