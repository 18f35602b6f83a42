/**
 * One lane for each session: what is asked about it is done in the order in which it was asked, also where the first
 * request has to wait for a creation.
 *
 * @module
 */

/** The lanes. A session without anything under way has none. */
export class Lanes {
  private readonly tails = new Map<string, Promise<unknown>>()

  /**
   * Finds something and uses it, behind what was asked before; at once, and synchronously, if nothing was.
   *
   * @param use - must not wait for anything: others wait for it.
   */
  enter<A, T>(id: string, find: () => A | Promise<A>, use: (found: A) => T): T | Promise<T> {
    const before = this.tails.get(id)
    const go = (): T | Promise<T> => {
      const found = find()
      return found instanceof Promise ? found.then(use) : use(found)
    }
    if (before !== undefined) return this.hold(id, before.then(go))
    const done = go()
    return done instanceof Promise ? this.hold(id, done) : done
  }

  /** Resolves when what was asked so far is done, well or badly. */
  async settled(id: string): Promise<void> {
    await this.tails.get(id)
  }

  private hold<T>(id: string, done: Promise<T>): Promise<T> {
    const tail: Promise<void> = done.then(
      () => this.leave(id, tail),
      () => this.leave(id, tail),
    )
    this.tails.set(id, tail)
    return done
  }

  private leave(id: string, tail: Promise<unknown>): void {
    if (this.tails.get(id) === tail) this.tails.delete(id)
  }
}
