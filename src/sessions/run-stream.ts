/**
 * The events of one run, for those who read them one after another.
 *
 * S1 It keeps no event: a reader goes by its position in the log, at its own pace.
 * S2 It ends as the run does: behind the last event of the interval, or with the error of the run.
 *
 * @module
 */
import { TurnwiseError } from '../errors.ts'
import type { StoredEvent } from '../events/event.ts'
import type { EventLog } from '../log/event-log.ts'

/** The interval of one run. */
export class RunStream {
  private readonly log: EventLog
  private from: number | undefined
  /** Where the interval ends, as far as is known. */
  private until: number | undefined
  private over = false
  private failure: { readonly error: unknown } | undefined
  private change: Promise<void> | undefined
  private changed = (): void => {}

  constructor(log: EventLog) {
    this.log = log
  }

  get begun(): boolean {
    return this.from !== undefined
  }

  /** The event at `seq` is the first one. */
  begin(seq: number): void {
    this.from = seq
    this.look()
  }

  /** There may be something to read. */
  look(): void {
    this.change = undefined
    this.changed()
  }

  /** The work has come to rest: what the log takes from here on is not part of the interval, unless it is gone on with. */
  rest(): void {
    this.until = this.log.length
  }

  goOn(): void {
    this.until = undefined
  }

  /** The run has its result: nothing more comes. */
  finish(): void {
    this.until ??= this.log.length
    this.over = true
    this.look()
  }

  /** The run has rejected. */
  fail(error: unknown): void {
    this.failure ??= { error }
    this.finish()
  }

  /** @throws what the run rejects with; TurnwiseError CURSOR_TOO_OLD. */
  async *events(): AsyncGenerator<StoredEvent, void, undefined> {
    let next: number | undefined
    for (;;) {
      next ??= this.from
      if (next !== undefined && next < (this.until ?? this.log.length)) yield this.at(next++)
      else if (!this.over) await this.more()
      else break
    }
    if (this.failure !== undefined) throw this.failure.error
  }

  private more(): Promise<void> {
    this.change ??= new Promise((resolve) => {
      this.changed = resolve
    })
    return this.change
  }

  private at(seq: number): StoredEvent {
    const event = this.log.at(seq)
    if (event !== undefined) return event
    throw new TurnwiseError(
      'CURSOR_TOO_OLD',
      `expected event ${seq} of the run in the log, found that the log no longer holds it; nothing more is delivered. Read faster.`,
    )
  }
}
