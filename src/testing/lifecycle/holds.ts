/**
 * Where models, gates, tools and tasks wait until a path says how they go on.
 *
 * @module
 */

/** Somebody who waits. */
export interface Waiting {
  readonly settle: (value?: unknown) => void
  readonly fail: (error: unknown) => void
}

/** Named places, at each of which one waits at a time. */
export class Holds {
  readonly #waiting = new Map<string, Waiting>()
  readonly #armed = new Set<string>()

  /** Names of the places at which somebody waits. */
  get names(): readonly string[] {
    return [...this.#waiting.keys()].toSorted()
  }

  /** Whoever comes to this place next shall wait. */
  arm(name: string): void {
    this.#armed.add(name)
  }

  /** Was this place armed? Once asked it no longer is. */
  takesArmed(name: string): boolean {
    return this.#armed.delete(name)
  }

  /** @param signal - its abort ends the wait with a rejection; what waits without one is deaf. */
  wait(name: string, signal?: AbortSignal): Promise<unknown> {
    return this.#wait(name, signal, ({ fail }) => {
      fail(new Error('aborted'))
    })
  }

  /** Waits like someone who does not look at `signal`: once it aborts nobody asks here, and the answer comes late. */
  waitLate(name: string, signal: AbortSignal): Promise<unknown> {
    return this.#wait(name, signal, (waiting) => {
      setImmediate(waiting.settle)
    })
  }

  #wait(
    name: string,
    signal: AbortSignal | undefined,
    onAbort: (waiting: Waiting) => void,
  ): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const waiting = { settle: resolve, fail: reject }
      this.#waiting.set(name, waiting)
      const aborted = (): void => {
        if (this.#waiting.get(name) === waiting) this.#waiting.delete(name)
        onAbort(waiting)
      }
      signal?.addEventListener('abort', aborted, { once: true })
    })
  }

  settle(name: string, value?: unknown): void {
    this.#take(name).settle(value)
  }

  fail(name: string, error: unknown): void {
    this.#take(name).fail(error)
  }

  /** Takes those who wait at some of these places; they are no longer named, and go on when the caller says so. */
  take(names: readonly string[]): Waiting[] {
    const taken = names.map((name) => this.#waiting.get(name)).filter((each) => each !== undefined)
    for (const name of names) this.#waiting.delete(name)
    return taken
  }

  #take(name: string): Waiting {
    const [waiting] = this.take([name])
    if (waiting === undefined) throw new Error(`nothing waits at ${JSON.stringify(name)}`)
    return waiting
  }
}
