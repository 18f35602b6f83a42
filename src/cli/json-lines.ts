/**
 * Prints events as lines of JSON, each once it is durable: whoever reads them is outside this process.
 *
 * @module
 */
import type { StoredEvent } from '../events/event.ts'
import type { EventLog } from '../log/event-log.ts'
import type { Out } from './live/screen.ts'

/** Prints the events of one log. */
export class JsonLines {
  readonly #out: Out
  readonly #log: EventLog
  #waiting: StoredEvent[] = []
  #writing: Promise<void> | undefined

  constructor(out: Out, log: EventLog) {
    this.#out = out
    this.#log = log
  }

  /** Takes an event. */
  readonly event = (event: StoredEvent): void => {
    this.#waiting.push(event)
    // Not at once: whoever appends has not come back from it yet.
    this.#writing ??= Promise.resolve().then(() => this.#write())
  }

  /** Prints what is left. An event that never became durable is not printed; the log itself reports that. */
  async end(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing
  }

  async #write(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        const events = this.#waiting
        this.#waiting = []
        const last = events.at(-1)
        await (last === undefined ? undefined : this.#log.durable(last.seq))
        this.#out.write(events.map((event) => `${JSON.stringify(event)}\n`).join(''))
      }
    } catch {
      this.#waiting = []
    } finally {
      this.#writing = undefined
    }
  }
}
