/**
 * A log as it lies in a file, to be damaged, and what the doctor must then say of it.
 *
 * @module
 */
import type { StoredEvent } from '../../src/events/event.ts'

type Loose = { -readonly [K in keyof StoredEvent]: unknown } & { data: Record<string, unknown> }

/** A log as it lies in a file: header and events, to be damaged. */
export class Patient {
  header: Record<string, unknown> = { id: 's1', formatVersion: 1, createdAt: 0 }
  events: Loose[]
  /** Changes the text of the file in the end. */
  bend: (text: string) => string | Uint8Array = (text) => text

  constructor(events: readonly StoredEvent[]) {
    this.events = structuredClone(events) as unknown as Loose[]
  }

  /** The first event of `type`, or the nth from 0. */
  find(type: string, nth = 0): Loose {
    const found = this.events.filter((event) => event.type === type)[nth]
    if (found === undefined) throw new Error(`the log has no ${type} ${nth}`)
    return found
  }

  drop(event: Loose): void {
    this.events = this.events.filter((other) => other !== event)
  }

  /** Puts events behind `after`, or at the end. */
  put(
    after: Loose | undefined,
    ...events: readonly { type: string; data: object; cites?: number[] }[]
  ): void {
    const at = after === undefined ? this.events.length : this.events.indexOf(after) + 1
    this.events.splice(at, 0, ...(events as unknown as Loose[]))
  }

  /** The file; events are numbered by their places. */
  text(): Uint8Array {
    const lines = this.events.map((event, seq) => ({ ...event, seq, time: event.time ?? 0 }))
    const text = [this.header, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('')
    const bent = this.bend(text)
    return typeof bent === 'string' ? new TextEncoder().encode(bent) : bent
  }
}

/** What is planted, and the event (by its place in the damaged log) and rule that must be named. */
export interface Planted {
  readonly name: string
  readonly rule: string
  readonly seq: number | null
  readonly plant: (log: Patient) => void
}

/** One planted fault. */
export const fault = (
  name: string,
  rule: string,
  seq: number | null,
  plant: Planted['plant'],
): Planted => ({
  name,
  rule,
  seq,
  plant,
})
