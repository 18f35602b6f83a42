/**
 * A section of the bench: one question, measured in a process of its own.
 *
 * @module
 */
import type { Ratio } from './measure.ts'

/** How long a section may take. */
export interface Effort {
  readonly quick: boolean
  /** Path of a file that does not exist yet; another one at each call. */
  readonly file: () => string
}

/** One line of a table. */
export interface Row {
  readonly what: string
  readonly subject: string
  readonly value: number
  readonly unit: string
  /** Compared with the floor, round by round. */
  readonly ratio?: Ratio
  /** The value, or the ratio where there is one, may not be higher. */
  readonly target?: number
}

export interface Section {
  readonly name: string
  readonly title: string
  /** What is measured and how, in a sentence or two. */
  readonly note: string
  readonly run: (effort: Effort) => Promise<Row[]>
}
