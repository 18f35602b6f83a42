/**
 * The cancels that had an effect: who asked, why, how, and what it hit.
 *
 * @module
 */
import type { EventMap } from '../events/event.ts'
import { AppendList } from './append-list.ts'
import { byType, type Projection } from './projection.ts'

/** A recorded cancel. */
export type CancelRecord = EventMap['cancel/requested'] & {
  readonly seq: number
  readonly time: number
}

/** All effective cancels, oldest first. */
export const cancels: Projection<AppendList<CancelRecord>> = {
  name: 'cancels',
  initial: AppendList.of(),
  evolve: byType<AppendList<CancelRecord>>({
    'cancel/requested': (list, { seq, time, data }) =>
      list.push(Object.freeze({ ...data, seq, time })),
  }),
}
