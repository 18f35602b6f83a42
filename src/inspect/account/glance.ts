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
import { type TurnRecord, turns, turnsView } from '../../projections/turns.ts'
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
  /** The last turn, open or closed. */
  readonly turn: TurnRecord | undefined
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
  const hits = (event: StoredEvent): event is StoredEvent<'cancel/requested'> =>
    event.type === 'cancel/requested' && event.data.turn === last?.data.turn
  return {
    events,
    now: now ?? events.at(-1)?.time ?? 0,
    owner,
    standing: standingOf(events),
    inbox: fold(inbox, events),
    questions: fold(approvals, events),
    turn: turnsView(fold(turns, events.slice(last?.seq ?? 0))).at(-1),
    // A later one only discards what is pending by then.
    cancel: events.slice(last?.seq ?? events.length).find(hits),
  }
}
