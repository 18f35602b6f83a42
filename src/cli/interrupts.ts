/**
 * How a run is ended from outside: Ctrl-C, signals, and a reader that goes away.
 *
 * E1 The first Ctrl-C cancels the turn, the second disposes, the third ends the process at once.
 * E2 SIGTERM, SIGHUP and a closed output suspend: pending input stays in the log.
 * E3 The first reason decides the exit code.
 *
 * @module
 */
import type { Agent } from '../actors/agent-handle.ts'
import type { Surroundings } from './surroundings.ts'
import { EXIT } from './usage.ts'
import type { ExitCode } from './usage.ts'

/** Watches for reasons to end a run. */
export class Interrupts {
  readonly #agent: Agent
  readonly #at: Surroundings
  readonly #undo: (() => void)[] = []
  #presses = 0
  #code: ExitCode | undefined
  #fault: Error | undefined

  constructor(agent: Agent, at: Surroundings) {
    this.#agent = agent
    this.#at = at
    this.#undo.push(
      at.onSignal('SIGINT', () => this.#pressed()),
      at.onSignal('SIGTERM', () => this.#suspend(EXIT.terminated)),
      at.onSignal('SIGHUP', () => this.#suspend(EXIT.hungUp)),
      watch(at.stdout, (error) => this.#broken(error)),
    )
  }

  /** The exit code of whatever ended the run; undefined when nothing did. */
  get exitCode(): ExitCode | undefined {
    return this.#code
  }

  /** Why standard output failed, unless its reader simply went away. */
  get outputFault(): Error | undefined {
    return this.#fault
  }

  /** Stops watching. */
  end(): void {
    for (const undo of this.#undo.splice(0)) undo()
  }

  #pressed(): void {
    this.#code ??= EXIT.interrupted
    this.#presses += 1
    if (this.#presses === 1) this.#agent.cancel({ kind: 'user', by: 'Ctrl-C' })
    else if (this.#presses === 2) this.#dispose()
    else this.#at.exit(EXIT.interrupted)
  }

  #suspend(code: ExitCode): void {
    this.#code ??= code
    this.#dispose()
  }

  #broken(error: Error): void {
    const quiet = 'code' in error && (error.code === 'EPIPE' || error.code === 'EIO')
    if (!quiet) this.#fault ??= error
    this.#suspend(quiet ? EXIT.pipeClosed : EXIT.failed)
  }

  /** What goes wrong here is told by whoever awaits the disposal of the agent. */
  #dispose(): void {
    this.#agent.dispose({ keepInbox: true }).catch(() => undefined)
  }
}

function watch(output: Surroundings['stdout'], tell: (error: Error) => void): () => void {
  output.on('error', tell)
  return () => {
    output.off('error', tell)
  }
}
