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
  /** Resolves at a change since the last wait, after `ms`, or when the signal aborts. */
  wait(ms: number, signal?: AbortSignal): Promise<void>
  stop(): void
}

/** Who waits for which session. */
export class Changes {
  private readonly watchers = new Map<string, Set<Watcher>>()

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
    return {
      wait: (ms, signal) => waitFor(watcher, ms, signal),
      stop: () => {
        set.delete(watcher)
        if (set.size === 0) this.watchers.delete(session)
      },
    }
  }
}

async function waitFor(watcher: Watcher, ms: number, signal?: AbortSignal): Promise<void> {
  if (!watcher.dirty && signal?.aborted !== true) {
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', wake)
        resolve()
      }
      const timer = setTimeout(wake, ms)
      watcher.wake = wake
      signal?.addEventListener('abort', wake, { once: true })
    })
    watcher.wake = undefined
  }
  watcher.dirty = false
}
