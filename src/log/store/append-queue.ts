/**
 * Group commit over many sessions: everything that queued while the last commit ran goes together. There is no timer.
 *
 * Q1 A session has at most one append in flight, so its appends reach the back end in the order they were queued.
 * Q2 Each append has an answer of its own; only a commit that failed as a whole rejects all of its appends.
 *
 * @module
 */
import type { AppendOutcome } from './event-store.ts'

/** One append, ready to be recorded. */
export interface QueuedAppend {
  readonly session: string
  readonly id: string
  readonly version: number
  readonly epoch: number
  /** The events as JSON, in order. */
  readonly bodies: readonly string[]
}

interface Waiting {
  readonly append: QueuedAppend
  readonly size: number
  readonly resolve: (outcome: AppendOutcome) => void
  readonly reject: (error: unknown) => void
}

export interface AppendQueueOptions {
  /** Commits a group and answers each append of it, in order. */
  readonly commit: (group: readonly QueuedAppend[]) => Promise<readonly AppendOutcome[]>
  /** Groups that may be under way at once. Default 1. */
  readonly inFlight?: number
}

const MAX_APPENDS = 500
/** Characters of one group, unless its only append is larger. */
const MAX_SIZE = 1024 * 1024

/** Collects appends and commits them in groups. */
export class AppendQueue {
  private readonly commit: AppendQueueOptions['commit']
  private readonly inFlight: number
  private waiting: Waiting[] = []
  private readonly flying = new Set<string>()
  private groups = 0
  private scheduled = false
  private onQuiet: (() => void)[] = []

  constructor({ commit, inFlight = 1 }: AppendQueueOptions) {
    this.commit = commit
    this.inFlight = inFlight
  }

  add(append: QueuedAppend): Promise<AppendOutcome> {
    let size = 0
    for (const body of append.bodies) size += body.length
    return new Promise((resolve, reject) => {
      this.waiting.push({ append, size, resolve, reject })
      this.schedule()
    })
  }

  /** Resolves when nothing is queued or under way. */
  quiet(): Promise<void> {
    if (this.isQuiet) return Promise.resolve()
    return new Promise((resolve) => this.onQuiet.push(resolve))
  }

  private get isQuiet(): boolean {
    return this.waiting.length === 0 && this.groups === 0
  }

  /** What is queued in one turn of the event loop belongs together, also behind a commit that blocked it. */
  private schedule(): void {
    if (this.scheduled || this.groups >= this.inFlight || this.waiting.length === 0) return
    this.scheduled = true
    setImmediate(() => {
      this.scheduled = false
      const group = this.take()
      if (group.length === 0) return
      void this.run(group)
      this.schedule()
    })
  }

  private take(): Waiting[] {
    const group: Waiting[] = []
    const left: Waiting[] = []
    let size = 0
    for (const entry of this.waiting) {
      const { session } = entry.append
      const fits =
        group.length === 0 || (group.length < MAX_APPENDS && size + entry.size <= MAX_SIZE)
      if (!fits || this.flying.has(session)) left.push(entry)
      else {
        group.push(entry)
        this.flying.add(session)
        size += entry.size
      }
    }
    this.waiting = left
    return group
  }

  private async run(group: readonly Waiting[]): Promise<void> {
    this.groups++
    try {
      const outcomes = await this.commit(group.map(({ append }) => append))
      for (const [at, { resolve }] of group.entries()) resolve(outcomes[at] as AppendOutcome)
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
    for (const { append } of group) this.flying.delete(append.session)
    this.groups--
    this.schedule()
    if (this.isQuiet) for (const quiet of this.onQuiet.splice(0)) quiet()
  }
}
