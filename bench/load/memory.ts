/**
 * How much memory a load run takes, and whether what it holds at rest grows.
 *
 * @module
 */
import { liveHeap } from '../measure.ts'

const MB = 2 ** 20
/** Growth that is noise of the heap and of compiled code. */
const NOISE_MB = 4
/** Bytes that each session that came and went may have left behind. */
const LEFT_BYTES = 100
const SAMPLE_MS = 50

export interface MemoryReport {
  readonly peakRssMb: number
  readonly peakHeapMb: number
  /** Live heap after each round, once no session was left in memory. */
  readonly atRestMb: readonly number[]
  /** Growth from the first round to the last, for each session that came into memory in between. */
  readonly leftBytes: number
  /** Undefined: it cannot be judged, since the sessions are kept in memory, or there was one round only. */
  readonly flat: boolean | undefined
}

/** Looks at the memory of this process. */
export class MemoryWatch {
  private peakHeap = 0
  private readonly rests: { readonly heap: number; readonly opened: number }[] = []
  private readonly timer: NodeJS.Timeout

  constructor() {
    this.timer = setInterval(() => {
      this.peakHeap = Math.max(this.peakHeap, process.memoryUsage().heapUsed)
    }, SAMPLE_MS)
    this.timer.unref()
  }

  /** No session is in memory now. @param opened - sessions that have come into memory so far. */
  async rest(opened: number): Promise<void> {
    this.peakHeap = Math.max(this.peakHeap, process.memoryUsage().heapUsed)
    this.rests.push({ heap: await liveHeap(), opened })
  }

  /** @param judged - is the heap expected to stay as it is? */
  end(judged: boolean): MemoryReport {
    clearInterval(this.timer)
    const { grown, opened } = this.growth()
    const flat = grown <= NOISE_MB * MB || grown / opened <= LEFT_BYTES
    return {
      // In KB on every platform of Node.
      peakRssMb: process.resourceUsage().maxRSS / 1024,
      peakHeapMb: this.peakHeap / MB,
      atRestMb: this.rests.map(({ heap }) => heap / MB),
      leftBytes: grown / opened,
      flat: judged && this.rests.length > 1 ? flat : undefined,
    }
  }

  /** From the first rest to the last one. */
  private growth(): { readonly grown: number; readonly opened: number } {
    const [first, last] = [this.rests[0], this.rests.at(-1)]
    if (first === undefined || last === undefined) return { grown: 0, opened: 1 }
    return {
      grown: Math.max(0, last.heap - first.heap),
      opened: Math.max(1, last.opened - first.opened),
    }
  }
}
