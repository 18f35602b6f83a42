/**
 * What happened in a run, as far as a diagram shows it.
 *
 * @module
 */
import type { StoredEvent } from '../../events/event.ts'
import type { Move } from './options.ts'

/** One thing that happened. */
export type Traced =
  | { readonly what: 'move'; readonly move: Move }
  | { readonly what: 'event'; readonly event: StoredEvent }
  | { readonly what: 'issue'; readonly place: string; readonly command: string }
  | { readonly what: 'status'; readonly status: string }
  | { readonly what: 'refused'; readonly type: string }
  | { readonly what: 'asked'; readonly name: string }
