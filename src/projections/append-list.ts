/**
 * A persistent list for folds that mostly append: each version is immutable, and appending to the newest is O(1).
 *
 * A1 A version shows exactly its own items for ever. Versions share one array; only the version that ends at the end
 *    of that array may push to it, any other copies first.
 * A2 Everything but `push` on the newest version and `at` costs the length of the list.
 *
 * @module
 */

/** An immutable list whose newest version grows in constant time. */
export class AppendList<T> {
  readonly length: number
  readonly #shared: T[]
  #view: readonly T[] | undefined

  private constructor(shared: T[], length: number) {
    this.#shared = shared
    this.length = length
    Object.freeze(this)
  }

  /** The list of `items`; later changes of `items` are not seen. */
  static of<T>(items: Iterable<T> = []): AppendList<T> {
    const shared = [...items]
    return new AppendList(shared, shared.length)
  }

  /** This list with `item` behind it. */
  push(item: T): AppendList<T> {
    const shared =
      this.#shared.length === this.length ? this.#shared : this.#shared.slice(0, this.length)
    shared.push(item)
    return new AppendList(shared, this.length + 1)
  }

  /** The item at `index`, counted from the end if negative; undefined outside the list. */
  at(index: number): T | undefined {
    const at = index < 0 ? index + this.length : index
    return at < this.length ? this.#shared[at] : undefined
  }

  /** All items as one frozen array, made when it is first asked for and kept. */
  toArray(): readonly T[] {
    this.#view ??= Object.freeze(this.#shared.slice(0, this.length))
    return this.#view
  }

  [Symbol.iterator](): Iterator<T> {
    return this.toArray()[Symbol.iterator]()
  }

  /** As JSON it is an array. */
  toJSON(): readonly T[] {
    return this.toArray()
  }
}
