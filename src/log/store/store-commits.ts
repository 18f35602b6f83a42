/**
 * Writes the events of one log behind it, to a store: everything that was appended while the last commit ran is the next
 * one. There is no timer.
 *
 * W1 Events reach the store in order, once each, without a gap; groups of one append stay together.
 * W2 A wrong version or epoch stops the log for good: nothing is read again and tried again.
 * W3 When a commit fails without an answer, the head of the session tells whether it was recorded.
 * W4 What could not be written is kept, and repeated under the same id at the next append, `durable` or `flush`.
 *
 * @module
 */
import { randomUUID } from 'node:crypto'
import { TurnwiseError } from '../../errors.ts'
import type { StoredEvent } from '../../events/event.ts'
import type { AppendOutcome, EventStore, Lease } from './event-store.ts'
import { leaseLost } from './held-lease.ts'
import { judge } from './judge.ts'

export interface StoreCommitsOptions {
  readonly store: EventStore
  readonly lease: Pick<Lease, 'session' | 'epoch' | 'lost'>
  /** Every event of the log, growing. */
  readonly events: readonly StoredEvent[]
  /** Told once of each failed commit. Must not throw. */
  readonly onFailure: (error: TurnwiseError) => void
}

/** A commit that is under way, or of which it is unknown whether it was recorded. */
interface Commit {
  readonly id: string
  readonly from: number
  readonly to: number
}

interface Waiter {
  readonly seq: number
  readonly resolve: () => void
  readonly reject: (error: TurnwiseError) => void
}

const MAX_GROUPS = 500
/** Events of one commit, unless one group is larger. */
const MAX_EVENTS = 5000
/** Repetitions of one commit before it counts as failed. */
const REPETITIONS = 3

export class StoreCommits {
  private readonly options: StoreCommitsOptions
  /** Number of durable events. */
  private committed: number
  /** Ends of the groups that are not durable yet. */
  private ends: number[] = []
  private current: Commit | undefined
  private stopped: TurnwiseError | undefined
  private running = false
  private waiters: Waiter[] = []

  constructor(options: StoreCommitsOptions) {
    this.options = options
    this.committed = options.events.length
    options.lease.lost.addEventListener('abort', () => {
      this.stop(options.lease.lost.reason as TurnwiseError)
    })
  }

  /** A group was appended. */
  appended(): void {
    this.ends.push(this.options.events.length)
    void this.run()
  }

  durable(seq: number): undefined | Promise<void> {
    if (seq < this.committed) return undefined
    if (this.stopped !== undefined) return Promise.reject(this.stopped)
    const done = new Promise<void>((resolve, reject) => {
      this.waiters.push({ seq, resolve, reject })
    })
    void this.run()
    return done
  }

  /** Runs commits until nothing is outstanding. Never rejects: waiters and `onFailure` hear of a failure. */
  private async run(): Promise<void> {
    if (this.running || this.stopped !== undefined) return
    this.running = true
    try {
      // What is appended in this turn of the microtask queue goes together.
      await Promise.resolve()
      while (this.ends.length > 0 && !this.isStopped) {
        this.current ??= this.next()
        this.settle(this.current, await this.record(this.current))
      }
    } catch (error) {
      this.fail(error)
    } finally {
      this.running = false
    }
  }

  private get isStopped(): boolean {
    return this.stopped !== undefined
  }

  private next(): Commit {
    const from = this.committed
    let groups = 1
    while (groups < MAX_GROUPS && (this.ends[groups] ?? Infinity) - from <= MAX_EVENTS) groups++
    return { id: randomUUID(), from, to: this.ends[groups - 1] as number }
  }

  private async record(commit: Commit): Promise<AppendOutcome> {
    const { store, lease, events } = this.options
    const { id, from, to } = commit
    const group = events.slice(from, to)
    for (let left = REPETITIONS; ; left--) {
      try {
        return await store.append(lease.session, group, { version: from, epoch: lease.epoch, id })
      } catch (error) {
        const outcome = await this.ask(commit, error)
        if (outcome !== undefined) return outcome
        if (left === 1) throw error
      }
    }
  }

  /** The answer that got lost; undefined when nothing was recorded. @throws when the head cannot be read either. */
  private async ask({ id, from, to }: Commit, error: unknown): Promise<AppendOutcome | undefined> {
    const { store, lease } = this.options
    const append = { id, version: from, epoch: lease.epoch, count: to - from }
    try {
      return judge(append, await store.head(lease.session))
    } catch {
      throw error
    }
  }

  private settle(commit: Commit, outcome: AppendOutcome): void {
    if (!outcome.ok) {
      this.stop(this.refused(commit, outcome))
      return
    }
    this.committed = commit.to
    this.current = undefined
    const left = this.ends.findIndex((end) => end > commit.to)
    this.ends = left === -1 ? [] : this.ends.slice(left)
    const waiters = this.waiters
    this.waiters = waiters.filter(({ seq }) => seq >= this.committed)
    for (const { seq, resolve } of waiters) if (seq < this.committed) resolve()
  }

  private stop(error: TurnwiseError): void {
    if (this.isStopped) return
    this.stopped = error
    this.tell(error)
  }

  private fail(error: unknown): void {
    const { store, lease } = this.options
    this.tell(
      new TurnwiseError(
        'LOG_WRITE_FAILED',
        `expected to write session ${lease.session} to ${store.name} from event ${this.committed} on, but it failed: ${(error as Error).message}. The events are kept in order and tried again at the next append or flush.`,
        { cause: error },
      ),
    )
  }

  private tell(error: TurnwiseError): void {
    for (const { reject } of this.waiters.splice(0)) reject(error)
    this.options.onFailure(error)
  }

  private refused(
    { from }: Commit,
    { code, version }: Extract<AppendOutcome, { ok: false }>,
  ): TurnwiseError {
    const { store, lease } = this.options
    if (code === 'LEASE_LOST') return leaseLost(lease.session, lease.epoch)
    if (code === 'SESSION_NOT_FOUND')
      return new TurnwiseError(
        'LOG_CONFLICT',
        `expected session ${lease.session} in ${store.name}, but it was removed; nothing more is recorded here.`,
      )
    return new TurnwiseError(
      'LOG_CONFLICT',
      `expected session ${lease.session} in ${store.name} to hold ${from} events, found ${version}: another writer changed it (WrongVersion). Nothing more is recorded here. Reopen the session as its owner.`,
    )
  }
}
