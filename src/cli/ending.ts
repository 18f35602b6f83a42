/**
 * Hears the signals that end a server in good order.
 *
 * @module
 */
import type { EndSignal, Surroundings } from './surroundings.ts'
import { EXIT, type ExitCode } from './usage.ts'

const CODES = {
  SIGINT: EXIT.interrupted,
  SIGTERM: EXIT.terminated,
  SIGHUP: EXIT.hungUp,
} as const satisfies { readonly [signal in EndSignal]: ExitCode }

/** The first signal ends it in good order; a second one ends the process at once. */
export class Ending {
  /** What the process exits with, once a signal came. */
  code: ExitCode | undefined
  private readonly undos: readonly (() => void)[]

  constructor(close: () => Promise<void>, at: Surroundings) {
    this.undos = (Object.keys(CODES) as EndSignal[]).map((signal) =>
      at.onSignal(signal, () => {
        if (this.code !== undefined) {
          at.exit(CODES[signal])
          return
        }
        this.code = CODES[signal]
        // Whoever waits for its end hears what went wrong.
        close().catch(() => {})
      }),
    )
  }

  end(): void {
    for (const undo of this.undos) undo()
  }
}
