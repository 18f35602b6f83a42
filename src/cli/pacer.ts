/**
 * The tempo of a replay, and what may end it early.
 *
 * @module
 */
import type { Clock } from '../actors/clock.ts'
import { written } from './conduct.ts'
import type { EndSignal, Surroundings } from './surroundings.ts'
import { EXIT } from './usage.ts'
import type { ExitCode } from './usage.ts'

/** Longest pause that is played, in ms of the replay. Between two turns of a session may lie a night. */
export const LONGEST_PAUSE_MS = 2000

const CODES: { readonly [signal in EndSignal]: ExitCode } = {
  SIGINT: EXIT.interrupted,
  SIGTERM: EXIT.terminated,
  SIGHUP: EXIT.hungUp,
}

/** Waits for the times of events, unless something ends the replay. */
export class Pacer {
  readonly #out: Surroundings['stdout']
  readonly #clock: Clock
  readonly #speed: number
  readonly #undo: (() => void)[]
  #time: number | undefined
  #since = 0
  #wake: (() => void) | undefined
  #exitCode: ExitCode | undefined

  /** @param speed - times as fast as it was; 0 is at once. */
  constructor(at: Surroundings, clock: Clock, speed: number) {
    this.#out = at.stdout
    this.#clock = clock
    this.#speed = speed
    const onError = (): void => {
      this.#stop(EXIT.pipeClosed)
    }
    at.stdout.on('error', onError)
    this.#undo = [
      () => {
        at.stdout.off('error', onError)
      },
      ...(['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((signal) =>
        at.onSignal(signal, () => {
          this.#stop(CODES[signal])
        }),
      ),
    ]
  }

  /** Set when something ended the replay. */
  get exitCode(): ExitCode | undefined {
    return this.#exitCode
  }

  /** The moment of the recording that is being played, in ms since the epoch. */
  get now(): number {
    return (this.#time ?? 0) + (this.#clock.now() - this.#since) * this.#speed
  }

  /** Resolves when it is `time` in the recording, or the replay is over. */
  async reach(time: number): Promise<void> {
    const pause = this.#pauseTo(time)
    this.#time = time
    if (pause > 0 && this.#exitCode === undefined) await this.#sleep(pause)
    this.#since = this.#clock.now()
  }

  /** Waits until what was written is handed on, then leaves signals and streams alone again. */
  async end(): Promise<void> {
    await written(this.#out)
    for (const undo of this.#undo.splice(0)) undo()
  }

  #pauseTo(time: number): number {
    if (this.#speed === 0 || this.#time === undefined) return 0
    return Math.min(Math.max(0, time - this.#time) / this.#speed, LONGEST_PAUSE_MS)
  }

  async #sleep(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const drop = this.#clock.after(ms, resolve)
      this.#wake = () => {
        drop()
        resolve()
      }
    })
    this.#wake = undefined
  }

  #stop(code: ExitCode): void {
    this.#exitCode ??= code
    this.#wake?.()
  }
}
