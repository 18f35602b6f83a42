/**
 * A tape of numbers from which a generator takes its decisions: short tapes make short logs, so that a failing one
 * shrinks well.
 *
 * @module
 */

export class Tape {
  readonly #values: readonly number[]
  #at = 0

  constructor(values: readonly number[]) {
    this.#values = values
  }

  /** Nothing is left: from here on every pick is 0 and no chance comes true. */
  get done(): boolean {
    return this.#at >= this.#values.length
  }

  /** A number from 0 up to, not including, `n`. */
  pick(n: number): number {
    const value = this.#values[this.#at] ?? 0
    this.#at += 1
    return value % n
  }

  chance(percent: number): boolean {
    return this.pick(100) >= 100 - percent
  }

  choose<T>(items: readonly T[]): T {
    const item = items[this.pick(items.length)]
    if (item === undefined) throw new Error('nothing to choose from')
    return item
  }
}
