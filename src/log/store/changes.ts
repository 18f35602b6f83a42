/**
 * Hints that a session may have changed, for whoever waits for more of it. A hint too many costs a look, a lost one costs
 * the time until the next look.
 *
 * @module
 */

interface Watcher {
  dirty: boolean
  wake: (() => void) | undefined
}

/** Waits for changes of one session. A change between two waits is not missed. */
export interface Watching {
  /** Resolves at a change since the last wait, at the next look of the store, or when the signal aborts. */
  wait(signal: AbortSignal): Promise<void>
  stop(): void
}

/** Who waits for which session, with one timer for all of them, which runs only while there are any. */
export class Changes {
  private readonly watchers = new Map<string, Set<Watcher>>()
  private readonly pollMs: number
  private readonly poll: () => boolean
  private timer: NodeJS.Timeout | undefined

  /**
   * @param pollMs - time between two looks.
   * @param poll - may any session have changed since the last look?
   */
  constructor(pollMs: number, poll: () => boolean) {
    this.pollMs = pollMs
    this.poll = poll
  }

  /** @param session - undefined: any may have changed. */
  tell(session: string | undefined): void {
    const sets = session === undefined ? this.watchers.values() : [this.watchers.get(session)]
    for (const set of sets) {
      for (const watcher of set ?? []) {
        watcher.dirty = true
        watcher.wake?.()
      }
    }
  }

  watch(session: string): Watching {
    const watcher: Watcher = { dirty: false, wake: undefined }
    const set = this.watchers.get(session) ?? new Set()
    this.watchers.set(session, set.add(watcher))
    this.timer ??= setInterval(() => {
      if (this.poll()) this.tell(undefined)
    }, this.pollMs)
    return {
      wait: (signal) => waitFor(watcher, signal),
      stop: () => {
        set.delete(watcher)
        if (set.size === 0 && this.watchers.get(session) === set) this.watchers.delete(session)
        if (this.watchers.size === 0) this.rest()
      },
    }
  }

  private rest(): void {
    clearInterval(this.timer)
    this.timer = undefined
  }
}

async function waitFor(watcher: Watcher, signal: AbortSignal): Promise<void> {
  if (!watcher.dirty && !signal.aborted) {
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        signal.removeEventListener('abort', wake)
        resolve()
      }
      watcher.wake = wake
      signal.addEventListener('abort', wake, { once: true })
    })
    watcher.wake = undefined
  }
  watcher.dirty = false
}
