/**
 * What the last request was made with, apart from its messages.
 *
 * @module
 */
import type { EventMap } from '../events/event.ts'
import { byType, type Projection } from './projection.ts'

export interface RequestHeader {
  readonly header: EventMap['request/header'] | null
  readonly context: EventMap['request/context'] | null
}

/** The logged configuration and capacity of the last request. */
export const requestHeader: Projection<RequestHeader> = {
  name: 'request-header',
  initial: { header: null, context: null },
  evolve: byType<RequestHeader>({
    'request/header': (state, { data }) => ({ ...state, header: data }),
    'request/context': (state, { data }) => ({ ...state, context: data }),
  }),
}
