/** Rows of tests: an event that changes nothing behind some others leaves the state of a fold the same object. */
import { expect, it } from 'vitest'
import type { StoredEvent } from '../../src/events/event.ts'
import { fold, type Projection } from '../../src/projections/projection.ts'

export type Idle = readonly [name: string, before: readonly StoredEvent[], event: StoredEvent]

export const unchanged = <S>(projection: Projection<S>, rows: readonly Idle[]): void => {
  it.each(rows)('%s changes nothing', (_, before, event) => {
    const state = fold(projection, before)
    expect(projection.evolve(state, event)).toBe(state)
  })
}
