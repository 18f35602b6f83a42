/**
 * Named doors that a test opens by hand: scripts, tools and gates wait at them.
 *
 * @module
 */

interface Door {
  open: boolean
  permits: number
  readonly waiters: Set<() => void>
}

/** Doors by name; each is closed until it is opened, and stays open then. */
export class Latches {
  readonly #doors = new Map<string, Door>()

  #door(name: string): Door {
    let door = this.#doors.get(name)
    if (door === undefined) {
      door = { open: false, permits: 0, waiters: new Set() }
      this.#doors.set(name, door)
    }
    return door
  }

  /** Waits until the door `name` is open, or until `signal` aborts. */
  wait(name: string, signal?: AbortSignal): Promise<void> {
    const door = this.#door(name)
    if (door.open || signal?.aborted === true) return Promise.resolve()
    if (door.permits > 0) {
      door.permits -= 1
      return Promise.resolve()
    }
    return new Promise((resolve) => {
      const go = (): void => {
        door.waiters.delete(go)
        resolve()
      }
      door.waiters.add(go)
      signal?.addEventListener('abort', go, { once: true })
    })
  }

  /** Opens the door for everybody, now and later. */
  open(name: string): void {
    const door = this.#door(name)
    door.open = true
    for (const go of door.waiters) go()
  }

  /** Lets exactly one through: the first that waits, or the next that comes. */
  admit(name: string): void {
    const door = this.#door(name)
    const [first] = door.waiters
    if (first === undefined) door.permits += 1
    else first()
  }

  /** Opens every door at which somebody waits. */
  openAll(): void {
    for (const [name, door] of this.#doors) if (door.waiters.size > 0) this.open(name)
  }

  /** How many wait at the door `name`, or at any door. */
  waiting(name?: string): number {
    if (name !== undefined) return this.#doors.get(name)?.waiters.size ?? 0
    let sum = 0
    for (const door of this.#doors.values()) sum += door.waiters.size
    return sum
  }
}

/** Resolves when `signal` aborts, at once if it already has. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
