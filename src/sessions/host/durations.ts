/**
 * Durations in a fixed amount of memory: counted in buckets that grow by 5 %, from 1 µs to more than a month.
 *
 * @module
 */
import type { DurationSummary } from './metrics-port.ts'

const SMALLEST_MS = 0.001
const GROWTH = 1.05
const BUCKETS = 600

/** Durations of one kind. */
export class Durations {
  private readonly buckets = new Uint32Array(BUCKETS)
  private count = 0
  private sum = 0
  private max = 0

  /** @param ms - negative and unknown ones count as 0. */
  add(ms: number): void {
    const value = ms > 0 ? ms : 0
    const at = Math.ceil(Math.log(value / SMALLEST_MS) / Math.log(GROWTH))
    const bucket = Math.min(Math.max(at, 0), BUCKETS - 1)
    this.buckets[bucket] = (this.buckets[bucket] as number) + 1
    this.count += 1
    this.sum += value
    this.max = Math.max(this.max, value)
  }

  get summary(): DurationSummary {
    const { count, sum, max } = this
    return { count, sum, max, p50: this.quantile(0.5), p99: this.quantile(0.99) }
  }

  /** The upper end of the bucket in which the quantile lies. */
  private quantile(part: number): number {
    const rank = Math.ceil(part * this.count)
    let below = 0
    for (let at = 0; at < BUCKETS && this.count > 0; at += 1) {
      below += this.buckets[at] as number
      if (below >= rank) return at === 0 ? 0 : Math.min(this.max, SMALLEST_MS * GROWTH ** at)
    }
    return 0
  }
}
