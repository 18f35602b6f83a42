/**
 * Finds events by group and by words, a slice at a time, so that a long log never holds up the page.
 *
 * @module
 */
import type { StoredEvent } from '../../../src/events/event.ts'
import { GROUPS, type Group } from './groups.ts'
import type { Recording } from './recording.ts'

/** What is looked for. */
export interface Wanted {
  readonly hidden: ReadonlySet<Group>
  /** Words that must all be in an event; empty for all events. */
  readonly query: string
}

/** ms of one slice. */
const SLICE_MS = 8

const wordsOf = (query: string): string[] =>
  query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')

/** All that can be found in an event: `#seq`, its type and its payload. */
const textOf = (event: StoredEvent): string =>
  `#${event.seq} ${event.type} ${JSON.stringify(event.data)}`.toLowerCase()

/** A search that goes on as the log grows. */
export class Search {
  readonly #recording: Recording
  readonly #hidden: ReadonlySet<number>
  readonly #words: readonly string[]
  readonly #found: number[] = []
  #next = 0

  constructor(recording: Recording, { hidden, query }: Wanted) {
    this.#recording = recording
    this.#hidden = new Set([...hidden].map((group) => GROUPS.indexOf(group)))
    this.#words = wordsOf(query)
  }

  /** Seqs found so far; undefined where every event is wanted. */
  get found(): readonly number[] | undefined {
    return this.#hidden.size === 0 && this.#words.length === 0 ? undefined : this.#found
  }

  get done(): boolean {
    return this.found === undefined || this.#next >= this.#recording.length
  }

  /** Share of the log that was looked at, 0 to 1. */
  get share(): number {
    return this.done ? 1 : this.#next / this.#recording.length
  }

  /** Looks on for a moment. @param now - a clock in ms */
  work(now: () => number = () => performance.now()): void {
    const end = now() + SLICE_MS
    const { events, groups } = this.#recording
    while (!this.done) {
      const event = events[this.#next]
      const group = groups[this.#next]
      if (event !== undefined && this.#matches(event, group ?? 0)) this.#found.push(this.#next)
      this.#next += 1
      if (this.#next % 64 === 0 && now() > end) return
    }
  }

  #matches(event: StoredEvent, group: number): boolean {
    if (this.#hidden.has(group)) return false
    if (this.#words.length === 0) return true
    const text = textOf(event)
    return this.#words.every((word) => text.includes(word))
  }
}

/** Index in `sorted` of the last value that is at most `value`; -1 if there is none. */
export function lastUpTo(sorted: readonly number[], value: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) <= value) low = middle + 1
    else high = middle
  }
  return low - 1
}
