/**
 * Lets parts of the page read the store and be drawn again when it changes.
 *
 * @module
 */
import { createContext } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import type { Store } from './store.ts'

export const StoreContext = createContext<Store | null>(null)

/** The store of the page. */
export function useStore(): Store {
  const store = useContext(StoreContext)
  if (store === null) throw new Error('no store: the page was not started by main.tsx')
  return store
}

/** Draws the caller again at each change; many changes before a frame are one. */
export function useChanges(store: Store): void {
  const [, again] = useState(0)
  useEffect(() => store.watch(() => again((count) => count + 1)), [store])
}

/** The time, told again each second while `runs`. */
export function useNow(runs: boolean): number {
  const [now, tell] = useState(() => Date.now())
  useEffect(() => {
    if (!runs) return undefined
    const timer = setInterval(() => tell(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [runs])
  return runs ? Math.max(now, Date.now()) : now
}
