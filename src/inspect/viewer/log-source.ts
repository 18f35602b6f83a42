/**
 * The port between the viewer and what it shows: one log, read in batches from any position, and told of when it grows.
 *
 * @module
 */
import type { Agent } from '../../actors/agent-handle.ts'
import type { LogHeader } from '../../events/event.ts'
import type { AgentSummary, LiveState, Trouble } from './wire.ts'

/** Some events, ready to be sent. */
export interface Batch {
  /** A JSON array, on one line. */
  readonly json: string
  /** Seq of its last event. */
  readonly last: number
}

/** What is known of a log now. */
export interface LogState {
  /** Undefined while there is none, or none can be read. */
  readonly header: LogHeader | undefined
  /** Number of readable events. */
  readonly length: number
  /** Another one means another log in the same place. */
  readonly generation: string
  readonly trouble: Trouble | undefined
}

/** One log. No method throws or rejects: what goes wrong is the trouble of its state. */
export interface LogSource {
  readonly id: string
  /** The agent at work on it, where it is at work here. */
  readonly agent?: Agent
  readonly state: LogState
  /** Takes up what has happened to a stored log since. */
  refresh(): Promise<void>
  summary(control: boolean): AgentSummary
  /** Events from `from` on; undefined if there are none now. */
  batch(from: number): Promise<Batch | undefined>
  /** One event as JSON, nothing of it cut. */
  whole(seq: number): Promise<string | undefined>
  /** What only the living agent knows. */
  live?(): LiveState
  /** Calls `listener` whenever there may be more to read. @returns stops that */
  watch(listener: () => void): () => void
}
