/**
 * What the command needs of the process it runs in, so that tests can be one.
 *
 * @module
 */
import type { Clock } from '../actors/clock.ts'
import type { Out } from './live/screen.ts'
import type { makeModel } from './model-choice.ts'
import type { Env } from './providers.ts'

/** Signals that end a run in good order. */
export type EndSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

/** An output that may fail later, as when its reader goes away. */
export interface Output extends Out {
  /** @param done - called when the text was handed on, or could not be. */
  write(text: string, done?: () => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  off(event: 'error', listener: (error: Error) => void): unknown
  /** Of a terminal: it has other columns or rows now. */
  on(event: 'resize', listener: () => void): unknown
  off(event: 'resize', listener: () => void): unknown
}

/** The process, as far as the command uses it. */
export interface Surroundings {
  readonly env: Env
  readonly cwd: string
  readonly stdin: AsyncIterable<Uint8Array | string> & {
    readonly isTTY?: boolean
    /** Stops reading it. */
    destroy?(): unknown
  }
  readonly stdout: Output
  readonly stderr: Output
  /** @returns takes the listener away again */
  onSignal(signal: EndSignal, listener: () => void): () => void
  /** Ends the process at once, whatever is under way. */
  exit(code: number): void
  /** Paces what is replayed. Default: the clock of this machine. */
  readonly clock?: Clock
  /** Default: the models of `model-choice.ts`. */
  readonly makeModel?: typeof makeModel
}
