/**
 * A log that refuses appends, and a store behind it that fails, as a scenario says.
 *
 * @module
 */
import type { NewEvent } from '../../events/event.ts'
import type { EventLog } from '../../log/event-log.ts'

/** Which appends, or which flushes, are refused. */
export interface Refusal {
  /** Counts the events that match from 1. */
  refuses(nth: number): boolean
  /** Does the event match? Absent for flushes. */
  readonly matches?: (event: NewEvent) => boolean
  readonly message: () => string
  /** For flushes: the type of the last event that is to be made durable. Absent: any. */
  readonly phase?: (type: string) => boolean
  /** For flushes: what a flush waits for before it succeeds, instead of failing. */
  readonly wait?: () => Promise<unknown>
}

export class Refusals {
  readonly #appends: { rule: Refusal; seen: number }[] = []
  readonly #flushes: { rule: Refusal; seen: number }[] = []
  #healed = false

  add(rule: Refusal): void {
    const list = rule.matches === undefined ? this.#flushes : this.#appends
    list.push({ rule, seen: 0 })
  }

  /** Nothing is refused from now on. */
  heal(): void {
    this.#healed = true
  }

  /** Is any flush to be looked at? */
  get slow(): boolean {
    return this.#flushes.length > 0
  }

  /** The error an append meets, if it is refused. */
  append(events: readonly NewEvent[]): Error | undefined {
    let error: Error | undefined
    for (const event of events) {
      for (const entry of this.#appends) {
        if (entry.rule.matches?.(event) !== true) continue
        entry.seen += 1
        if (!this.#healed && entry.rule.refuses(entry.seen))
          error ??= new Error(entry.rule.message())
      }
    }
    return error
  }

  /** What a flush up to an event of this type meets: nothing, a wait, or an error. */
  flush(type: string): { readonly error?: Error; readonly wait?: () => Promise<unknown> } {
    for (const entry of this.#flushes) {
      if (entry.rule.phase?.(type) === false) continue
      entry.seen += 1
      if (this.#healed || !entry.rule.refuses(entry.seen)) continue
      return entry.rule.wait === undefined
        ? { error: new Error(entry.rule.message()) }
        : { wait: entry.rule.wait }
    }
    return {}
  }
}

/** `log`, refusing what `refusals` say. */
export function refusingLog(log: EventLog, refusals: Refusals): EventLog {
  let acknowledged = -1
  const durable = (seq: number): undefined | Promise<void> => {
    if (!refusals.slow) return log.durable(seq)
    if (seq <= acknowledged) return undefined
    const { error, wait } = refusals.flush(log.at(seq)?.type ?? '')
    if (error !== undefined) return Promise.reject(error)
    const end = log.length - 1
    if (wait === undefined) acknowledged = end
    return Promise.resolve(wait?.()).then(() => {
      acknowledged = Math.max(acknowledged, end)
    })
  }
  return {
    get header() {
      return log.header
    },
    get length() {
      return log.length
    },
    get ledger() {
      return log.ledger
    },
    append(events, time) {
      const error = refusals.append(Array.isArray(events) ? events : [events as NewEvent])
      if (error !== undefined) throw error
      return log.append(events, time)
    },
    at: (seq) => log.at(seq),
    read: (from, to) => log.read(from, to),
    observe: (observer) => log.observe(observer),
    durable,
    flush: () => (refusals.slow ? durable(log.length - 1) : log.flush()),
    async close() {
      await durable(log.length - 1)
      await log.close()
    },
  }
}
