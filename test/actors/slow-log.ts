/**
 * A log in memory whose durability the test decides: every wait stays open until it is released or failed.
 *
 * @module
 */
import type { StoredEvent } from '../../src/events/event.ts'
import { SessionLog } from '../../src/log/session-log.ts'

interface Waiter {
  readonly seq: number
  readonly resolve: () => void
  readonly reject: (error: Error) => void
  promise: Promise<void> | undefined
}

export class SlowLog extends SessionLog {
  /** Events up to this seq are durable. */
  durableUpTo = -1
  /** Set while closing is to fail. */
  closeFailure: Error | undefined
  /** Types of the last events that somebody has waited for, in order. */
  readonly waitedFor: string[] = []
  private waiters: Waiter[] = []

  constructor(events: StoredEvent[] = []) {
    super({ id: 'slow', formatVersion: 1, createdAt: 0 }, events)
    this.durableUpTo = events.length - 1
  }

  get waiting(): number {
    return this.waiters.length
  }

  override durable(seq: number): undefined | Promise<void> {
    if (seq <= this.durableUpTo) return undefined
    const known = this.waiters.find((waiter) => waiter.seq === seq)
    if (known?.promise !== undefined) return known.promise
    this.waitedFor.push(this.at(seq)?.type ?? 'nothing')
    const promise = new Promise<void>((resolve, reject) => {
      // The promise itself is added below, once it exists.
      this.waiters.push({ seq, resolve, reject, promise: undefined })
    })
    const waiter = this.waiters.at(-1)
    if (waiter !== undefined) waiter.promise = promise
    return promise
  }

  /** Everything appended so far becomes durable. */
  release(): void {
    this.durableUpTo = this.length - 1
    for (const waiter of this.waiters.splice(0)) waiter.resolve()
  }

  /** From now on everything is durable at once. */
  heal(): void {
    this.release()
    this.durableUpTo = Infinity
  }

  /** The waits that are open fail. */
  fail(message: string): void {
    for (const waiter of this.waiters.splice(0)) waiter.reject(new Error(message))
  }

  override close(): Promise<void> {
    this.stop()
    return this.closeFailure === undefined ? Promise.resolve() : Promise.reject(this.closeFailure)
  }
}
