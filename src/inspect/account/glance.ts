/**
 * What every finding looks at: the folds of a log, made once.
 *
 * It runs in a browser too.
 *
 * @module
 */
import type { StoredEvent } from '../../events/event.ts'
import { approvals, type ApprovalsState } from '../../projections/approvals.ts'
import { inbox, type InboxState } from '../../projections/inbox.ts'
import { fold } from '../../projections/projection.ts'
import { turns, type TurnsState } from '../../projections/turns.ts'
import { type Standing, standingOf } from './standing.ts'

/** Who has the log open, as far as somebody looked: see `AgentSummary` of the viewer. */
export type Owner = 'alive' | 'gone' | 'none'

/** A log, looked at. */
export interface Glance {
  readonly events: readonly StoredEvent[]
  /** Ms since the epoch. */
  readonly now: number
  /** Undefined: nobody looked. */
  readonly owner: Owner | undefined
  readonly standing: Standing
  readonly inbox: InboxState
  readonly questions: ApprovalsState
  readonly turns: TurnsState
  /** The cancel that hit the last turn. */
  readonly cancel: StoredEvent<'cancel/requested'> | undefined
}

/** Looks at a log. @param now - default: the time of its last event. */
export function glanceAt(
  events: readonly StoredEvent[],
  now: number | undefined,
  owner: Owner | undefined,
): Glance {
  const last = events.findLast((event) => event.type === 'turn/start')
  // A later cancel of a turn that is aborted already only discards what is pending.
  const cancel = events.find(
    (event) =>
      event.type === 'cancel/requested' &&
      event.data.turn !== null &&
      event.data.turn === last?.data.turn,
  )
  return {
    events,
    now: now ?? events.at(-1)?.time ?? 0,
    owner,
    standing: standingOf(events),
    inbox: fold(inbox, events),
    questions: fold(approvals, events),
    turns: fold(turns, events),
    cancel: cancel?.type === 'cancel/requested' ? cancel : undefined,
  }
}
