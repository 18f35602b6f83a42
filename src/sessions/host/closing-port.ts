/**
 * How a host ends, and what it says of that.
 *
 * @module
 */

export interface CloseOptions {
  /** Ms that turns get to come to their end. Default 10 000; 0 suspends at once. */
  readonly drainMs?: number
  /** Ms after that, until the host gives up waiting for what does not end. Default 10 000. */
  readonly giveUpMs?: number
}

/** How it ended. */
export interface CloseReport {
  /** Sessions that had come to rest. */
  readonly drained: number
  /** Sessions whose work was interrupted or put back. */
  readonly suspended: number
  /** Sessions that were not gone when the host gave up. */
  readonly left: readonly string[]
  /** What could not be written. */
  readonly failures: readonly unknown[]
  /** 0 when everything is written and gone, otherwise 1. */
  readonly exitCode: 0 | 1
}

/** The part of `process` that signals come from. */
export interface SignalSource {
  on(signal: ExitSignal, listener: () => void): unknown
  off(signal: ExitSignal, listener: () => void): unknown
  exit(code: number): unknown
}

export type ExitSignal = 'SIGTERM' | 'SIGINT'

export interface SignalOptions extends CloseOptions {
  /**
   * Called at the signal, such as `() => server.close()`; what it returns is waited for, within the bounds of the closing.
   * A throw or a rejection makes the exit code 1.
   */
  readonly onSignal?: (signal: ExitSignal) => unknown
}
