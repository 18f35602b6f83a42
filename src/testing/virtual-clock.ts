/**
 * A clock that a test moves by hand, so that nothing waits for real time.
 *
 * V1 Timers fire in the order of their times, and in the order of their making where the times are equal.
 * V2 After each timer real macrotasks pass, so that everything it set off has run before the next one fires.
 *
 * @module
 */
import type { Clock } from '../actors/clock.ts'

interface Timer {
  readonly at: number
  readonly fire: () => void
}

export interface VirtualClock extends Clock {
  /** How many timers wait. */
  readonly timers: number
  /** Times at which timers wait, earliest first. */
  readonly due: readonly number[]
  /** Moves the time by `ms` and fires what comes due, one timer after another. */
  advance(ms: number): Promise<void>
  /** Moves the time to the next timer and fires it. @returns whether there was one. */
  advanceToNext(): Promise<boolean>
}

/** One macrotask of the real event loop. */
export const macrotask = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve)
  })

/** Lets everything run that needs no timer of a clock. */
export async function settle(rounds = 3): Promise<void> {
  for (let i = 0; i < rounds; i += 1) await macrotask()
}

/**
 * Makes a clock that stands still.
 *
 * @param options - `now`: ms since the epoch at which it stands; default 2026-01-01T00:00Z.
 */
export function virtualClock(options: { readonly now?: number } = {}): VirtualClock {
  let time = options.now ?? Date.UTC(2026, 0, 1)
  const waiting = new Set<Timer>()
  const next = (until: number): Timer | undefined => {
    let first: Timer | undefined
    for (const timer of waiting) {
      if (timer.at <= until && (first === undefined || timer.at < first.at)) first = timer
    }
    return first
  }
  const fire = async (timer: Timer): Promise<void> => {
    waiting.delete(timer)
    time = Math.max(time, timer.at)
    timer.fire()
    await settle()
  }
  return {
    now: () => time,
    after(ms, go) {
      const timer = { at: time + Math.max(0, ms), fire: go }
      if (Number.isFinite(timer.at)) waiting.add(timer)
      return () => {
        waiting.delete(timer)
      }
    },
    get timers() {
      return waiting.size
    },
    get due() {
      return [...waiting].map((timer) => timer.at).toSorted((a, b) => a - b)
    },
    async advance(ms) {
      await settle()
      const until = time + ms
      for (let timer = next(until); timer !== undefined; timer = next(until)) await fire(timer)
      time = until
      await settle()
    },
    async advanceToNext() {
      await settle()
      const timer = next(Number.POSITIVE_INFINITY)
      if (timer !== undefined) await fire(timer)
      return timer !== undefined
    },
  }
}
