/**
 * A clock that only the latency of models moves: as fast as the machine can, and never while everybody waits for the disk.
 *
 * @module
 */
import type { Clock } from '../../src/actors/clock.ts'

interface Timer {
  readonly at: number
  readonly fire: () => void
}

/** Timers by the ms at which they are due. */
class Timers {
  private readonly due = new Map<number, Set<Timer>>()
  /** Times of `due`, as a heap with the earliest on top. */
  private readonly times: number[] = []

  get next(): number {
    return this.times[0] ?? Infinity
  }

  add(at: number, fire: () => void): () => void {
    const timer = { at, fire }
    const same = this.due.get(at)
    if (same === undefined) {
      this.due.set(at, new Set([timer]))
      this.push(at)
    } else same.add(timer)
    return () => {
      this.due.get(at)?.delete(timer)
    }
  }

  /** Takes the timers of the earliest time. */
  take(): Iterable<Timer> {
    const at = this.pop()
    const timers = this.due.get(at) ?? new Set<Timer>()
    this.due.delete(at)
    return timers
  }

  private push(at: number): void {
    const { times } = this
    let child = times.push(at) - 1
    while (child > 0) {
      const parent = (child - 1) >> 1
      if ((times[parent] as number) <= at) break
      times[child] = times[parent] as number
      child = parent
    }
    times[child] = at
  }

  private pop(): number {
    const { times } = this
    const top = times[0] as number
    const last = times.pop() as number
    if (times.length === 0) return top
    let parent = 0
    for (;;) {
      let child = 2 * parent + 1
      if (child >= times.length) break
      if (child + 1 < times.length && (times[child + 1] as number) < (times[child] as number))
        child += 1
      if ((times[child] as number) >= last) break
      times[parent] = times[child] as number
      parent = child
    }
    times[parent] = last
    return top
  }
}

/** The clock of a load run. */
export class LatencyClock implements Clock {
  private time = Date.UTC(2026, 0, 1)
  private readonly passive = new Timers()
  private readonly latencies = new Timers()
  private pumping = false

  now(): number {
    return this.time
  }

  after(ms: number, fire: () => void): () => void {
    if (ms === Infinity) return () => {}
    return this.passive.add(this.time + Math.max(0, Math.ceil(ms)), fire)
  }

  /** Resolves after `ms` of this clock; moves it. */
  latency(ms: number): Promise<void> {
    this.pump()
    return new Promise((resolve) => {
      this.latencies.add(this.time + ms, resolve)
    })
  }

  /** Moves it by hand, and fires what comes due. */
  advance(ms: number): void {
    this.moveTo(this.time + ms)
  }

  private pump(): void {
    if (this.pumping) return
    this.pumping = true
    setImmediate(() => {
      this.pumping = false
      const at = this.latencies.next
      if (at === Infinity) return
      this.moveTo(at)
      for (const { fire } of this.latencies.take()) fire()
      this.pump()
    })
  }

  private moveTo(at: number): void {
    while (this.passive.next <= at) {
      this.time = Math.max(this.time, this.passive.next)
      for (const { fire } of this.passive.take()) fire()
    }
    this.time = Math.max(this.time, at)
  }
}
