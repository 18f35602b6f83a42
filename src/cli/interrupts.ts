/**
 * How a run is ended from outside: Ctrl-C, signals, and a reader that goes away.
 *
 * E1 The first Ctrl-C cancels the turn, or does what it was told to, the second disposes, the third ends the process at once.
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
  readonly #first: () => void
  readonly #undo: (() => void)[] = []
  #presses = 0
  #code: ExitCode | undefined
  #fault: Error | undefined

  /** @param first - what the first Ctrl-C does. Default: it cancels. */
  constructor(agent: Agent, at: Surroundings, first: () => void = () => cancelBy(agent)) {
    this.#agent = agent
    this.#at = at
    this.#first = first
    this.#undo.push(
      at.onSignal('SIGINT', () => this.press()),
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

  /** Ctrl-C, also where the terminal gives it as a key. */
  press(): void {
    this.#code ??= EXIT.interrupted
    this.#presses += 1
    if (this.#presses === 1) this.#first()
    else if (this.#presses === 2) this.#dispose()
    else this.#at.exit(EXIT.interrupted)
  }

  /** Whoever pressed once goes on: the next Ctrl-C is a first one again. */
  forgive(): void {
    if (this.#presses !== 1) return
    this.#presses = 0
    if (this.#code === EXIT.interrupted) this.#code = undefined
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

/** Cancels as Ctrl-C does. */
export const cancelBy = (agent: Agent): void => {
  agent.cancel({ kind: 'user', by: 'Ctrl-C' })
}

function watch(output: Surroundings['stdout'], tell: (error: Error) => void): () => void {
  output.on('error', tell)
  return () => {
    output.off('error', tell)
  }
}
