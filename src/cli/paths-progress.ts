/**
 * Says on standard error how far a walk through paths has come.
 *
 * On a terminal one line moves. Off it a line is written after each tenth of a walk that is long.
 *
 * @module
 */
import { Screen } from './live/screen.ts'
import { amount } from './offline/words.ts'
import type { Surroundings } from './surroundings.ts'

/** Walks that are shorter say nothing off a terminal. */
const LONG = 2000

/** The progress of one walk. */
export class PathsProgress {
  readonly #screen: Screen
  readonly #total: number
  readonly #tells: boolean
  #done = 0

  constructor(at: Pick<Surroundings, 'stderr' | 'env'>, total: number) {
    this.#screen = new Screen(at.stderr, at.env)
    this.#total = total
    this.#tells = at.stderr.isTTY !== true && total >= LONG
    this.#screen.status(() => this.#says)
  }

  get #says(): string {
    return `${amount(this.#done)} of ${amount(this.#total)} paths`
  }

  /** One more was walked. */
  step(): void {
    this.#done += 1
    const tenth = Math.ceil(this.#total / 10)
    if (this.#tells && this.#done % tenth === 0) this.#screen.line(this.#says)
  }

  /** Takes the moving line away. */
  end(): void {
    this.#screen.status(undefined)
  }
}
