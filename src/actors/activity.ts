/**
 * The one thing an agent does at a time, a turn or a maintenance task, with its signal and what cancels made of it.
 *
 * @module
 */
import type { Cause } from '../events/message.ts'
import { CancelSignal } from './cancel-signal.ts'

/** What the agent is doing, with its one signal. */
export interface ActivityRecord {
  /** Number of the turn; null for maintenance. */
  readonly turn: number | null
  readonly cancel: CancelSignal
  /** The first effective cancel. */
  cause: Cause | undefined
  /** The outcome is fixed: a cancel cannot change it. */
  sealed: boolean
  /** Claimed messages go back if no step was entered. */
  restoreClaimed: boolean
  /** A cancel lets nothing go on, and no wake came since: what is put back is parked, whatever the log took. */
  holdsRestored: boolean
  /** A replacement of the history that is under way; it ends no later than this. */
  compaction: { cut(): void } | undefined
}

/** A new activity. `turn` is null for maintenance. */
export const newActivity = (turn: number | null): ActivityRecord => ({
  turn,
  cancel: new CancelSignal(),
  cause: undefined,
  sealed: false,
  restoreClaimed: false,
  holdsRestored: false,
  compaction: undefined,
})
