/**
 * Hears that long work shall end: Ctrl-C, signals, a reader that went away. The work looks here between its parts.
 *
 * @module
 */
import { written } from './conduct.ts'
import type { EndSignal, Surroundings } from './surroundings.ts'
import { EXIT } from './usage.ts'
import type { ExitCode } from './usage.ts'

const CODES: { readonly [signal in EndSignal]: ExitCode } = {
  SIGINT: EXIT.interrupted,
  SIGTERM: EXIT.terminated,
  SIGHUP: EXIT.hungUp,
}

/** Listens until it is ended. The first request decides; a second one of the same kind ends the process. */
export class StopRequests {
  readonly #out: Surroundings['stdout']
  readonly #asked: () => void
  readonly #undo: (() => void)[]
  #code: ExitCode | undefined

  /** @param asked - called at each request, for work that waits. */
  constructor(at: Surroundings, asked: () => void = () => {}) {
    this.#out = at.stdout
    this.#asked = asked
    const broken = (): void => this.#ask(EXIT.pipeClosed)
    at.stdout.on('error', broken)
    this.#undo = [
      () => at.stdout.off('error', broken),
      ...(['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((signal) =>
        at.onSignal(signal, () => {
          const code = CODES[signal]
          if (this.#code === code) at.exit(code)
          this.#ask(code)
        }),
      ),
    ]
  }

  #ask(code: ExitCode): void {
    this.#code ??= code
    this.#asked()
  }

  /** The exit code that was asked for; undefined while nothing was. */
  get exitCode(): ExitCode | undefined {
    return this.#code
  }

  /** Waits until what was written is handed on, then leaves signals and streams alone again. */
  async end(): Promise<void> {
    await written(this.#out)
    for (const undo of this.#undo.splice(0)) undo()
  }
}
