/**
 * What is known of a test from its runs so far: how long it takes, and how often it noticed a mutant.
 *
 * @module
 */

export interface Known {
  readonly id: string
  readonly file: string
  /** Its place among the tests of its file. */
  readonly index: number
  readonly name: string
  ms: number
  runs: number
  kills: number
}

/** How much a test promises for its time. */
const promise = ({ kills, runs, ms }: Known): number => (kills + 1) / (runs + 2) / (ms + 1)

/** The most promising first. */
export const ranked = (tests: readonly Known[]): readonly Known[] =>
  tests.toSorted((a, b) => promise(b) - promise(a))

/** How long a test may take of which nothing is known, in ms. */
export const UNKNOWN = 20_000

/** How much longer than before a test may take, and how much at least, in ms. */
const PATIENCE = { times: 10, atLeast: 2000 }

/** After how many ms a test is given up. */
export const patienceOf = ({ ms }: Known): number =>
  ms === 0 ? UNKNOWN : Math.max(PATIENCE.atLeast, ms * PATIENCE.times)
