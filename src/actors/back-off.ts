/**
 * The wait between two attempts: on the injected clock, through at least one macrotask, dropped at once by an abort.
 *
 * @module
 */
import type { Core } from './core.ts'

/** One back-off at a time. */
export class BackOff {
  private readonly core: Core
  private drop: (() => void) | undefined

  constructor(core: Core) {
    this.core = core
  }

  /**
   * @param ended - called in the mailbox when the time is over.
   * @param dropped - called in the mailbox when the retry policy was unloaded meanwhile.
   */
  start(delayMs: number, ended: () => void, dropped: () => void): void {
    const waiting = this.core.settings.retry?.waiting
    const timer = delayMs > 0 ? this.onClock(delayMs, ended) : this.onMacrotask(ended)
    const unload = (): void => {
      this.stop()
      this.core.mailbox.signal(dropped)
    }
    waiting?.add(unload)
    this.drop = () => {
      timer()
      waiting?.delete(unload)
    }
  }

  stop(): void {
    this.drop?.()
    this.drop = undefined
  }

  private onClock(delayMs: number, ended: () => void): () => void {
    return this.core.after(delayMs, ended)
  }

  private onMacrotask(ended: () => void): () => void {
    const handle = setImmediate(() => {
      this.core.mailbox.signal(ended)
    })
    return () => {
      clearImmediate(handle)
    }
  }
}
