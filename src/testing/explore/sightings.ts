/**
 * What is seen of a run beside its log, kept for the judges.
 *
 * @module
 */
/** One promise that must settle. */
export interface Settling {
  settled: boolean
}

/** A signal that was handed out. */
export interface SeenSignal {
  readonly turn: number | null
  abortedAt: number | null
}

/** A body that ran. */
export interface RanBody {
  readonly key: string
  readonly length: number
  returned?: number
}

/** The sightings of one run. Lengths are those of the log at that moment. */
export class Sightings {
  readonly statuses: { readonly status: string; readonly length: number }[] = []
  readonly waiters: Settling[] = []
  readonly disposals: Settling[] = []
  readonly bodies: RanBody[] = []
  readonly requests: { readonly turn: number; readonly length: number }[] = []
  readonly signals: SeenSignal[] = []
  readonly errors: { readonly turn: number; readonly length: number }[] = []
  readonly refusals: { readonly type: string; readonly length: number }[] = []
  /** What must never happen: unexpected throws, faults of the agent itself. */
  readonly faults: string[] = []

  /** Follows a promise. */
  follow(list: Settling[], promise: Promise<unknown>): void {
    const settling = { settled: false }
    list.push(settling)
    const over = (): void => {
      settling.settled = true
    }
    promise.then(over, over)
  }

  /** How many promises of `list` have not settled. */
  static open(list: readonly Settling[]): number {
    return list.filter(({ settled }) => !settled).length
  }
}
