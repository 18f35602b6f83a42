/**
 * What still has to be written to one reader, in bounded memory however slow it is.
 *
 * Events are not held: they stand in their log, and what waits here is a position. Nobody ever waits for a reader.
 *
 * X1 What was put in first is written first, as long as the reader keeps up.
 * X2 A reader that lags gets fewer words, never fewer events: the events of a session are joined where the first of them
 *    waits, and of its statuses the last one stays.
 * X3 Nothing is written after `close`.
 *
 * @module
 */
import type { AgentStatus } from '../../actors/agent-handle.ts'
import type { StoredEvent } from '../../events/event.ts'
import { notificationLine } from './envelope.ts'

/** Where lines go, such as a Node stream. */
export interface LineOutput {
  /** @param done - called when the text was handed on, or could not be. */
  write(text: string, done: () => void): unknown
}

/** A log to read from when the line is written. */
export interface EventSource {
  at(seq: number): StoredEvent | undefined
}

interface Events {
  readonly kind: 'events'
  readonly sessionId: string
  readonly log: EventSource
  from: number
  /** Behind the last one. */
  to: number
}
type Entry =
  | { readonly kind: 'line'; readonly text: string }
  | { readonly kind: 'status'; readonly sessionId: string; readonly status: AgentStatus }
  | Events

/** Characters that may be on their way to the reader; what waits beyond them are positions. */
const MAX_ON_THE_WAY = 1024 * 1024
/** Characters of one write. */
const MAX_WRITE = 64 * 1024
/** Characters of answers that may wait before nothing more is asked for. */
const MAX_WAITING = 4 * 1024 * 1024
/** Entries that wait before they are joined. */
const MAX_ENTRIES = 1000

/** One reader. */
export class Outbox {
  private readonly output: LineOutput
  private entries: Entry[] = []
  private head = 0
  private joinAt = MAX_ENTRIES
  private waiting = 0
  private onTheWay = 0
  private pumping = false
  private closed = false
  private readonly watchers = new Set<() => void>()

  constructor(output: LineOutput) {
    this.output = output
  }

  /** Does the reader leave its answers lying? */
  get clogged(): boolean {
    return this.waiting > MAX_WAITING
  }

  /** Number of entries that wait. */
  get length(): number {
    return this.entries.length - this.head
  }

  /** Puts in a whole line. */
  line(text: string): void {
    this.waiting += text.length
    this.put({ kind: 'line', text })
  }

  status(sessionId: string, status: AgentStatus): void {
    this.put({ kind: 'status', sessionId, status })
  }

  event(sessionId: string, log: EventSource, seq: number): void {
    const last = this.length > 0 ? this.entries.at(-1) : undefined
    const joins = last?.kind === 'events' && last.sessionId === sessionId && last.to === seq
    if (joins && last.log === log) last.to = seq + 1
    else this.put({ kind: 'events', sessionId, log, from: seq, to: seq + 1 })
  }

  /** Resolves when `clogged` is over, or the reader is gone. */
  roomy(): Promise<void> {
    return this.until(() => !this.clogged)
  }

  /** Resolves when everything was handed on, or the reader is gone. */
  flushed(): Promise<void> {
    return this.until(() => this.length === 0 && this.onTheWay === 0)
  }

  close(): void {
    this.closed = true
    this.forget()
    this.look()
  }

  private until(reached: () => boolean): Promise<void> {
    if (this.closed || reached()) return Promise.resolve()
    return new Promise((resolve) => {
      const watch = (): void => {
        if (!this.closed && !reached()) return
        this.watchers.delete(watch)
        resolve()
      }
      this.watchers.add(watch)
    })
  }

  private look(): void {
    for (const watch of this.watchers) watch()
  }

  private forget(): void {
    this.entries = []
    this.head = 0
    this.waiting = 0
  }

  private put(entry: Entry): void {
    if (this.closed) return
    this.entries.push(entry)
    if (this.length > this.joinAt) this.join()
    if (this.pumping) return
    this.pumping = true
    // What is said in one tick becomes one write.
    queueMicrotask(() => {
      this.pumping = false
      this.pump()
    })
  }

  private pump(): void {
    while (!this.closed && this.length > 0 && this.onTheWay < MAX_ON_THE_WAY) {
      const text = this.take()
      if (text === '') continue
      this.onTheWay += text.length
      this.output.write(text, () => {
        this.onTheWay -= text.length
        this.pump()
        this.look()
      })
    }
  }

  /** Takes out as many lines as make one write. */
  private take(): string {
    let text = ''
    while (this.length > 0 && text.length < MAX_WRITE) {
      const entry = this.entries[this.head] as Entry
      text += this.lineOf(entry)
      if (entry.kind === 'events' && entry.from < entry.to) continue
      this.head += 1
    }
    if (this.length === 0) this.forget()
    else if (this.head > MAX_ENTRIES) {
      this.entries.splice(0, this.head)
      this.head = 0
    }
    return text
  }

  private lineOf(entry: Entry): string {
    if (entry.kind === 'line') {
      this.waiting -= entry.text.length
      return entry.text
    }
    const { sessionId } = entry
    if (entry.kind === 'status')
      return notificationLine('session.status', { sessionId, status: entry.status })
    const event = entry.log.at(entry.from)
    entry.from += 1
    return event === undefined ? '' : notificationLine('session.event', { sessionId, event })
  }

  /** The reader lags. What is left grows with its sessions and its unread answers alone. */
  private join(): void {
    const entries = this.entries.slice(this.head)
    const lastStatus = new Map<string, Entry>()
    for (const entry of entries) if (entry.kind === 'status') lastStatus.set(entry.sessionId, entry)
    const first = new Map<EventSource, Events>()
    const kept = entries.filter((entry) => {
      if (entry.kind === 'line') return true
      if (entry.kind === 'status') return lastStatus.get(entry.sessionId) === entry
      const known = first.get(entry.log)
      // A stream that was asked for again from an earlier position is one of its own.
      if (known === undefined || known.to !== entry.from) {
        first.set(entry.log, entry)
        return true
      }
      known.to = entry.to
      return false
    })
    this.entries = kept
    this.head = 0
    this.joinAt = Math.max(MAX_ENTRIES, 2 * kept.length)
  }
}
