/**
 * Notifications for one reader, in order, kept until they are read.
 *
 * B1 What was delivered before the end can still be read after it; then the reader is told why nothing more comes.
 *
 * @module
 */
import type { Notification } from '../json-rpc/notifications.ts'

/** Notifications, one after another. Leaving the loop, or `close`, ends it. */
export interface Subscription extends AsyncIterableIterator<Notification> {
  close(): void
}

/** Whoever is told. */
export interface Reader {
  hear(notification: Notification): void
  /** Nothing more comes, and why. */
  fail(error: Error): void
}

interface Parked {
  readonly resolve: (next: IteratorResult<Notification>) => void
  readonly reject: (error: Error) => void
}

/** A subscription and how it is filled. */
export class Feeding implements Subscription, Reader {
  private readonly kept: Notification[] = []
  /** Lets go of what fills it. */
  onClose: () => void = () => {}
  private readonly parked: Parked[] = []
  private over = false
  private failure: Error | undefined

  hear(notification: Notification): void {
    if (this.over) return
    const waiter = this.parked.shift()
    if (waiter === undefined) this.kept.push(notification)
    else waiter.resolve({ done: false, value: notification })
  }

  fail(error: Error): void {
    if (this.over) return
    this.over = true
    if (this.parked.length === 0) this.failure = error
    for (const { reject } of this.parked.splice(0)) reject(error)
    this.onClose()
  }

  close(): void {
    this.over = true
    this.kept.length = 0
    this.failure = undefined
    for (const { resolve } of this.parked.splice(0)) resolve(DONE)
    this.onClose()
  }

  /** @throws TransportClosedError, SdkProtocolError once, behind what was kept. */
  next(): Promise<IteratorResult<Notification>> {
    const value = this.kept.shift()
    if (value !== undefined) return Promise.resolve({ done: false, value })
    const { failure } = this
    this.failure = undefined
    if (failure !== undefined) return Promise.reject(failure)
    if (this.over) return Promise.resolve(DONE)
    return new Promise((resolve, reject) => {
      this.parked.push({ resolve, reject })
    })
  }

  return(): Promise<IteratorResult<Notification>> {
    this.close()
    return Promise.resolve(DONE)
  }

  [Symbol.asyncIterator](): this {
    return this
  }
}

const DONE = { done: true, value: undefined } as const
