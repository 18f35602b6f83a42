/**
 * The clock an agent lives by: injected, so that tests own the time.
 *
 * @module
 */

/** Tells the time and calls back later. */
export interface Clock {
  /** Ms since the epoch, an integer. */
  now(): number
  /** Calls `fire` once after `ms`; the answer drops the timer. `fire` must not throw. */
  after(ms: number, fire: () => void): () => void
}

/** Longest delay that timers of Node keep exactly, in ms. */
const LONGEST = 2_147_483_647

/** The clock of this machine. Its timers keep the process alive; delays beyond 24 days are cut there. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, fire) {
    const timer = setTimeout(fire, Math.min(Math.max(ms, 0), LONGEST))
    return () => {
      clearTimeout(timer)
    }
  },
}
