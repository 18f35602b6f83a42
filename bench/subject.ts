/**
 * What a subject of the bench must do. Add one by a file in `subjects/` and a line in `subjects/index.ts`.
 *
 * @module
 */
import type { Workload } from './workloads.ts'

/** A way to run turns: ours, a floor, or somebody else's library. */
export interface Subject {
  readonly name: string
  /** Opens a session in which nothing has happened. `file` does not exist; only subjects that keep files use it. */
  open(workload: Workload, file: string): Promise<Session> | Session
}

/** An event, as far as subjects are compared. */
export interface KeptEvent {
  readonly type: string
  readonly data: object
  readonly cites?: readonly number[]
}

/** One session of a subject. */
export interface Session {
  /** Sends one prompt and waits until its turn is over, and as durable as the subject promises. */
  turn(): Promise<void>
  /** All events so far; undefined where the subject has none that compare. */
  events?(): readonly KeptEvent[]
  /** How often it waited for the disk. */
  syncs?(): number
  close(): Promise<void> | void
}
