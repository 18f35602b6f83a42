/**
 * A clock that fires one timer when the explorer says so, and nothing by itself.
 *
 * @module
 */
import { TurnwiseError } from '../../errors.ts'
import type { Clock } from '../../actors/clock.ts'

interface Timer {
  readonly at: number
  readonly fire: () => void
  readonly ofAgent: boolean
}

/** The time of one run. */
export class ExplorerClock {
  /** Told of every timer that is set. */
  readonly onChange: () => void
  private time = 0
  private timers: Timer[] = []

  constructor(onChange: () => void) {
    this.onChange = onChange
  }

  /** A clock whose timers are counted as those of the agent, or not. */
  view(ofAgent: boolean): Clock {
    return {
      now: () => this.time,
      after: (ms, fire) => {
        const timer = { at: this.time + Math.max(0, ms), fire, ofAgent }
        if (!Number.isFinite(timer.at)) return () => {}
        this.timers.push(timer)
        this.onChange()
        return () => {
          this.timers = this.timers.filter((other) => other !== timer)
        }
      },
    }
  }

  /** Timers of the agent that wait. */
  get ofAgent(): number {
    return this.timers.filter((timer) => timer.ofAgent).length
  }

  get waiting(): number {
    return this.timers.length
  }

  /** Ms from now at which timers are due, earliest first. */
  get due(): readonly number[] {
    return this.timers.map(({ at }) => at - this.time).toSorted((a, b) => a - b)
  }

  /** Moves the time to the earliest timer and fires it. */
  fireNext(): void {
    let next: Timer | undefined
    for (const timer of this.timers) if (next === undefined || timer.at < next.at) next = timer
    if (next === undefined) {
      throw new TurnwiseError(
        'INVALID_OPTION',
        'expected a timer to wait, found none; no further move was made. The run has become another one: explore again.',
      )
    }
    this.timers = this.timers.filter((other) => other !== next)
    this.time = Math.max(this.time, next.at)
    next.fire()
  }
}
