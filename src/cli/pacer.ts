/**
 * The tempo of a replay, and what may end it early.
 *
 * @module
 */
import type { Clock } from '../actors/clock.ts'
import { StopRequests } from './stop-requests.ts'
import type { Surroundings } from './surroundings.ts'
import type { ExitCode } from './usage.ts'

/** Longest pause that is played, in ms of the replay. Between two turns of a session may lie a night. */
export const LONGEST_PAUSE_MS = 2000

/** Waits for the times of events, unless something ends the replay. */
export class Pacer {
  readonly #stop: StopRequests
  readonly #clock: Clock
  readonly #speed: number
  #time: number | undefined
  #since = 0
  #wake: (() => void) | undefined

  /** @param speed - times as fast as it was; 0 is at once. */
  constructor(at: Surroundings, clock: Clock, speed: number) {
    this.#stop = new StopRequests(at, () => this.#wake?.())
    this.#clock = clock
    this.#speed = speed
  }

  /** Set when something ended the replay. */
  get exitCode(): ExitCode | undefined {
    return this.#stop.exitCode
  }

  /** The moment of the recording that is being played, in ms since the epoch. */
  get now(): number {
    return (this.#time ?? 0) + (this.#clock.now() - this.#since) * this.#speed
  }

  /** Resolves when it is `time` in the recording, or the replay is over. */
  async reach(time: number): Promise<void> {
    const pause = this.#pauseTo(time)
    this.#time = time
    if (pause > 0 && this.exitCode === undefined) await this.#sleep(pause)
    this.#since = this.#clock.now()
  }

  /** Waits until what was written is handed on, then leaves signals and streams alone again. */
  end(): Promise<void> {
    return this.#stop.end()
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
}
