/**
 * Makes events durable in groups: everything that queued while the last commit ran is the next one. There is no timer.
 *
 * C1 Events reach the file in order, once each, without a gap.
 * C2 What could not be written or synced is cut off again, kept, and tried anew at the next append, `durable` or
 *    `flush`; nothing is written past it.
 * C3 A file that is not as long as what was written belongs to somebody else: LOG_CONFLICT, and the log stops for good.
 * C4 After a failed sync nothing since the last good one is trusted: the system may have dropped those pages.
 *
 * @module
 */
import { TurnwiseError } from '../errors.ts'
import type { StoredEvent } from '../events/event.ts'
import type { LogFile } from './disk-file.ts'

/** How much durability means: synced, synced at turn ends, or written. */
export type FileDurability = 'strict' | 'turn' | 'none'

export interface GroupCommitOptions {
  readonly file: LogFile
  readonly name: string
  /** Every event of the log, growing. */
  readonly events: readonly StoredEvent[]
  /** How many of them are in the file, and its length in bytes. */
  readonly stored: Mark
  readonly durability: FileDurability
  /** Told once of each failed commit. Must not throw. */
  readonly onFailure: (error: TurnwiseError) => void
}

/** A position in the file: number of events before it, and bytes. */
export interface Mark {
  readonly count: number
  readonly bytes: number
}

interface Waiter {
  readonly seq: number
  readonly resolve: () => void
  readonly reject: (error: TurnwiseError) => void
}

/** Size of one write, in characters. */
const PIECE = 256 * 1024

export class GroupCommit {
  /** Set for good once the file belongs to somebody else, or is closed. */
  private stopped: TurnwiseError | undefined = undefined
  private readonly options: GroupCommitOptions
  private durability: FileDurability
  private written: Mark
  private synced: Mark
  /** The file may be longer than `written`, since cutting it failed. */
  private ragged = false
  /** First event that needs a sync and has none; -1 if there is none. */
  private unsynced = -1
  private committing = false
  private scheduled: NodeJS.Immediate | undefined = undefined
  private waiters: Waiter[] = []

  constructor(options: GroupCommitOptions) {
    this.options = options
    this.durability = options.durability
    this.written = options.stored
    this.synced = options.stored
  }

  /** Events from `from` on are new. */
  appended(from: number): void {
    if (this.unsynced === -1) this.unsynced = this.firstToSync(from)
    if (this.committing || this.scheduled !== undefined) return
    this.scheduled = setImmediate(() => {
      this.scheduled = undefined
      void this.commit()
    })
  }

  durable(seq: number): undefined | Promise<void> {
    if (this.isDurable(seq)) return undefined
    if (this.stopped !== undefined) return Promise.reject(this.stopped)
    return this.needsSync(seq) ? this.wait(seq) : this.writeNow()
  }

  /**
   * Makes everything durable and stops. What was only written is synced, unless durability is `none`.
   *
   * @throws TurnwiseError LOG_WRITE_FAILED or LOG_CONFLICT; it stops all the same.
   */
  async end(): Promise<void> {
    clearImmediate(this.scheduled)
    this.scheduled = undefined
    if (this.durability === 'turn') this.durability = 'strict'
    this.unsynced = this.firstToSync(this.synced.count)
    try {
      await this.durable(this.options.events.length - 1)
    } finally {
      this.stopped ??= new TurnwiseError(
        'LOG_WRITE_FAILED',
        `${this.options.name} is closed; nothing was written.`,
      )
    }
  }

  private isDurable(seq: number): boolean {
    return seq < this.written.count && !this.needsSync(seq)
  }

  private needsSync(seq: number): boolean {
    return this.unsynced !== -1 && this.unsynced <= seq
  }

  /** Nobody waits for the disk, so nobody needs to wait. */
  private writeNow(): undefined | Promise<void> {
    try {
      this.write()
      return undefined
    } catch (error) {
      return Promise.reject(this.fail(error))
    }
  }

  private wait(seq: number): Promise<void> {
    const done = new Promise<void>((resolve, reject) => {
      this.waiters.push({ seq, resolve, reject })
    })
    void this.commit()
    return done
  }

  /** Runs groups until nothing is outstanding. Never rejects: waiters and `onFailure` hear of a failure. */
  private async commit(): Promise<void> {
    if (this.committing) return
    this.committing = true
    clearImmediate(this.scheduled)
    this.scheduled = undefined
    try {
      while (this.written.count < this.options.events.length || this.unsynced !== -1) {
        this.write()
        if (this.unsynced !== -1) await this.sync()
        this.release()
      }
    } catch (error) {
      this.fail(error)
    } finally {
      this.committing = false
    }
  }

  private write(): void {
    this.checkLength()
    while (this.written.count < this.options.events.length) {
      const [bytes, count] = this.piece()
      try {
        this.options.file.write(bytes)
      } catch (error) {
        this.cut()
        throw error
      }
      this.written = { count, bytes: this.written.bytes + bytes.length }
    }
  }

  /** Lines of the next events, up to a piece. */
  private piece(): [bytes: Uint8Array, count: number] {
    const { events } = this.options
    let text = ''
    let at = this.written.count
    while (at < events.length && text.length < PIECE) text += `${JSON.stringify(events[at++])}\n`
    return [Buffer.from(text), at]
  }

  private async sync(): Promise<void> {
    const target = this.written
    try {
      await this.options.file.sync()
    } catch (error) {
      this.written = this.synced
      this.cut()
      throw error
    }
    this.synced = target
    this.unsynced = this.firstToSync(target.count)
  }

  private checkLength(): void {
    if (this.stopped !== undefined) throw this.stopped
    if (this.ragged) {
      this.options.file.truncate(this.written.bytes)
      this.ragged = false
    }
    const found = this.options.file.size()
    if (found === this.written.bytes) return
    this.stopped = new TurnwiseError(
      'LOG_CONFLICT',
      `expected ${this.options.name} to be ${this.written.bytes} bytes long, found ${found}: another writer changed it (WrongVersion). Nothing more is recorded here. Reopen the session as its owner.`,
    )
    throw this.stopped
  }

  /** Back to the last whole piece. */
  private cut(): void {
    this.ragged = true
    try {
      this.options.file.truncate(this.written.bytes)
      this.ragged = false
    } catch {
      // The next attempt cuts before it writes.
    }
  }

  private release(): void {
    if (this.waiters.length === 0) return
    const waiters = this.waiters
    this.waiters = waiters.filter((waiter) => !this.isDurable(waiter.seq))
    for (const waiter of waiters) if (this.isDurable(waiter.seq)) waiter.resolve()
  }

  private fail(error: unknown): TurnwiseError {
    const failure = this.failure(error)
    const waiters = this.waiters
    this.waiters = []
    for (const waiter of waiters) waiter.reject(failure)
    this.options.onFailure(failure)
    return failure
  }

  private failure(error: unknown): TurnwiseError {
    if (error instanceof TurnwiseError) return error
    return new TurnwiseError(
      'LOG_WRITE_FAILED',
      `expected to write ${this.options.name} from event ${this.written.count} on, but the system refused: ${(error as Error).message}. The events are kept in order and tried again at the next append or flush.`,
      { cause: error },
    )
  }

  private firstToSync(from: number): number {
    const { durability } = this
    const { events } = this.options
    if (durability === 'none' || from >= events.length) return -1
    if (durability === 'strict') return from
    for (let seq = from; seq < events.length; seq++)
      if (events[seq]?.type === 'turn/end') return seq
    return -1
  }
}
