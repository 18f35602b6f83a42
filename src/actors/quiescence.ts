/**
 * Waiting for quiescence: nothing runs, the mailbox is empty, nothing is about to restart.
 *
 * Q1 Settling is decided one microtask after the mailbox came to rest, by looking again: work that arrived in between
 *    keeps the waiter.
 * Q2 A waiter never rejects.
 *
 * @module
 */

/** The waiters of one agent. */
export class Quiescence {
  private waiters: (() => void)[] = []
  private looking = false
  private readonly isQuiet: () => boolean

  /** @param isQuiet - is the agent quiescent now? */
  constructor(isQuiet: () => boolean) {
    this.isQuiet = isQuiet
  }

  wait(): Promise<void> {
    if (this.isQuiet()) return Promise.resolve()
    return new Promise((resolve) => {
      this.waiters.push(resolve)
    })
  }

  /** The mailbox has come to rest. */
  look(): void {
    if (this.waiters.length === 0 || this.looking || !this.isQuiet()) return
    this.looking = true
    queueMicrotask(() => {
      this.looking = false
      if (!this.isQuiet()) return
      const settled = this.waiters
      this.waiters = []
      for (const resolve of settled) resolve()
    })
  }
}
