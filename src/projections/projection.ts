/**
 * A projection is a pure fold of the log: a start value, and how one event changes it.
 *
 * P1 `evolve` never changes its input, and answers the same object where nothing changed.
 * P2 Folding a prefix and then the rest equals folding the whole, at every prefix.
 * P3 An event of an unknown type changes nothing.
 *
 * @module
 */
import type { EventType, StoredEvent } from '../events/event.ts'

export interface Projection<S> {
  readonly name: string
  readonly initial: S
  readonly evolve: (state: S, event: StoredEvent) => S
}

/** Folds `events` from the start value, or from `from`. */
export function fold<S>(
  projection: Projection<S>,
  events: Iterable<StoredEvent>,
  from: S = projection.initial,
): S {
  let state = from
  for (const event of events) state = projection.evolve(state, event)
  return state
}

/** How a state changes, by the type of the event; a type that is not named changes nothing. */
export type Reducers<S> = {
  readonly [T in EventType]?: (state: S, event: StoredEvent<T>) => S
}

/** Makes `evolve` of a table. One look-up an event, whatever the type is called. */
export function byType<S>(reducers: Reducers<S>): (state: S, event: StoredEvent) => S {
  const table = new Map(Object.entries(reducers)) as Map<string, (state: S, event: never) => S>
  return (state, event) => {
    const reduce = table.get(event.type)
    return reduce === undefined ? state : reduce(state, event as never)
  }
}
