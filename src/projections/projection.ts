/**
 * A projection is a pure fold of the log: a start value, and how one event changes it.
 *
 * P1 `evolve` never changes its input, and answers the same object where nothing changed.
 * P2 Folding a prefix and then the rest equals folding the whole, at every prefix.
 * P3 An event of an unknown type changes nothing.
 *
 * @module
 */
import type { StoredEvent } from '../events/event.ts'

export interface Projection<S> {
  readonly name: string
  readonly initial: S
  readonly evolve: (state: S, event: StoredEvent) => S
}

/** Folds `events` from the start value, or from `from`. */
export function fold<S>(projection: Projection<S>, events: Iterable<StoredEvent>, from: S = projection.initial): S {
  let state = from
  for (const event of events) state = projection.evolve(state, event)
  return state
}
