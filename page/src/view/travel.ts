/**
 * Where the keys and buttons of the timeline lead.
 *
 * @module
 */
import { turnsView } from '../../../src/projections/turns.ts'
import type { Store } from './store.ts'

/** Positions right behind each `turn/start`. */
const starts = ({ recording }: Store): number[] =>
  turnsView(recording.tip.turns).map(({ from }) => from + 1)

/** Beginning of this turn, or of the one before. */
export const previousTurn = (store: Store): number =>
  starts(store).findLast((at) => at < store.seen) ?? 0

/** Beginning of the next turn, or the end. */
export const nextTurn = (store: Store): number =>
  starts(store).find((at) => at > store.seen) ?? store.recording.length

/** Is somebody writing there? The keys mean the same on the slider as anywhere else. */
const takesKeys = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input:not([type="range"]), textarea') !== null

const KEYS: Readonly<Record<string, (store: Store) => void>> = {
  ArrowLeft: (store) => store.travel(store.seen - 1),
  // Beyond the end is the end that moves.
  ArrowRight: (store) => store.travel(store.seen < store.recording.length ? store.seen + 1 : null),
  'Shift+ArrowLeft': (store) => store.travel(previousTurn(store)),
  'Shift+ArrowRight': (store) => store.travel(nextTurn(store)),
  Home: (store) => store.travel(0),
  End: (store) => store.travel(null),
  l: (store) => store.travel(null),
  m: (store) => store.mark(store.view.mark === null ? store.seen : null),
  '/': () => document.querySelector<HTMLElement>('#search')?.focus(),
  '?': () => {
    const keys = document.querySelector<HTMLDetailsElement>('#keys')
    if (keys !== null) keys.open = !keys.open
  },
}

/** Answers the keys of the page. @returns how to stop */
export function listenToKeys(store: Store): () => void {
  const onKey = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey || takesKeys(event.target)) return
    const shifted = event.shiftKey && event.key.startsWith('Arrow')
    const act = KEYS[shifted ? `Shift+${event.key}` : event.key]
    if (act === undefined) return
    event.preventDefault()
    act(store)
  }
  document.addEventListener('keydown', onKey)
  return () => document.removeEventListener('keydown', onKey)
}
