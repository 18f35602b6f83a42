/**
 * The port of a log: where events of one session are kept.
 *
 * Appending is synchronous and in memory; making durable goes on behind it, in groups.
 *
 * G1 `append` either records all its events or none, and throws then.
 * G2 Observers are called after the events stand in the log, one event after another, in the order of joining; an
 *    event appended meanwhile is delivered behind. A throwing observer harms nobody: it is reported once.
 * G3 `durable(seq)` answers `undefined` when nothing is outstanding, so that a log in memory costs no await.
 *
 * @module
 */
import type { Ledger } from '../events/enclosure.ts'
import type { LogHeader, NewEvent, StoredEvent } from '../events/event.ts'

/** Sees each event once, in order. It is never awaited and cannot stop anything. */
export type LogObserver = (event: StoredEvent) => void

export interface EventLog {
  readonly header: LogHeader
  /**
   * Aborts when somebody else has taken the session, with the error that every append is refused with from then on:
   * LEASE_LOST or LOG_CONFLICT. A log that nobody can take has none.
   */
  readonly lost?: AbortSignal
  /** Number of events; the next event gets this seq. */
  readonly length: number
  /** What is open, pending and committed according to the enclosure rules. */
  readonly ledger: Ledger
  /**
   * Records `events` as one group.
   *
   * @param time - ms since the epoch, an integer.
   * @returns the last of the recorded events.
   * @throws EnclosureError when an event may not stand here, or whatever the log refuses with; nothing is recorded.
   */
  append(events: NewEvent | readonly NewEvent[], time: number): StoredEvent
  /** Index within its group of the event that the last refused append failed at; 0 for a single event. */
  readonly refusedAt?: number
  /** The event at `seq`; undefined outside the log. */
  at(seq: number): StoredEvent | undefined
  /** Events with `from <= seq < to`, oldest first. Default: all. */
  read(from?: number, to?: number): readonly StoredEvent[]
  /** Calls `observer` for each event appended from now on. */
  observe(observer: LogObserver): () => void
  /**
   * Waits until every event up to `seq` is durable.
   *
   * @returns undefined when it already is; otherwise a promise that rejects if the store failed. A failed write is
   *   kept in order and is tried again at the next call.
   */
  durable(seq: number): undefined | Promise<void>
  /** `durable` of the last event. */
  flush(): undefined | Promise<void>
  /** Flushes and releases what is held (file, lock). Appending afterwards throws. */
  close(): Promise<void>
}
