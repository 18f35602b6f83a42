/**
 * The moments at which code of a user runs, and the phrases that name them.
 *
 * @module
 */
import type { LiveNotice } from '../../actors/agent-handle.ts'
import type { StoredEvent } from '../../events/event.ts'
import type { Asked } from './scope.ts'

/** Names of the gates. */
export type GateName =
  | 'preStep'
  | 'request'
  | 'requestError'
  | 'stepResult'
  | 'toolPre'
  | 'toolPost'
  | 'continuation'
  | 'turnStopping'

/** One call of foreign code. */
export type Moment = { readonly agent: string; readonly asked: Asked } & (
  | { readonly kind: 'event'; readonly event: StoredEvent }
  | { readonly kind: 'notice'; readonly notice: LiveNotice; readonly disposing: boolean }
  | { readonly kind: 'gate'; readonly gate: GateName }
  | { readonly kind: 'assembly' | 'request' | 'tool' | 'abort' | 'maintenance' | 'classifier' }
)

/** A moment as a scenario names it. */
export interface Place {
  readonly text: string
  /** Which of the moments that match, counted from the start of the run. */
  readonly nth?: number
  /** Names a turn, a step or an ordinal, so that it counts from the start. */
  readonly fixed: boolean
  /** The gate that has to be there for this moment to come. */
  readonly gate?: GateName
  readonly kind: Moment['kind']
  matches(moment: Moment): boolean
}
