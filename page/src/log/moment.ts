/**
 * All that is known after a number of events: the projections of the log at one position.
 *
 * @module
 */
import type { StoredEvent } from '../../../src/events/event.ts'
import { standing, type StandingState } from '../../../src/inspect/account/standing.ts'
import { approvals, type ApprovalsState } from '../../../src/projections/approvals.ts'
import { history, type History } from '../../../src/projections/history.ts'
import { inbox, type InboxState } from '../../../src/projections/inbox.ts'
import { openWork, type OpenWork } from '../../../src/projections/open-work.ts'
import { status, type StatusState } from '../../../src/projections/status.ts'
import { turns, type TurnsState } from '../../../src/projections/turns.ts'
import { usage, type UsageState } from '../../../src/projections/usage.ts'
import { effort, type Effort } from './effort.ts'

/** The log after `seen` events. */
export interface Moment {
  readonly seen: number
  /** Time of the last event seen; null before the first. */
  readonly time: number | null
  readonly inbox: InboxState
  readonly work: OpenWork
  readonly approvals: ApprovalsState
  readonly status: StatusState
  readonly turns: TurnsState
  readonly usage: UsageState
  readonly history: History
  readonly effort: Effort
  readonly standing: StandingState
}

export const BEGINNING: Moment = {
  seen: 0,
  time: null,
  inbox: inbox.initial,
  work: openWork.initial,
  approvals: approvals.initial,
  status: status.initial,
  turns: turns.initial,
  usage: usage.initial,
  history: history.initial,
  effort: effort.initial,
  standing: standing.initial,
}

/** The moment one event later. */
export const after = (moment: Moment, event: StoredEvent): Moment => ({
  seen: moment.seen + 1,
  time: event.time,
  inbox: inbox.evolve(moment.inbox, event),
  work: openWork.evolve(moment.work, event),
  approvals: approvals.evolve(moment.approvals, event),
  status: status.evolve(moment.status, event),
  turns: turns.evolve(moment.turns, event),
  usage: usage.evolve(moment.usage, event),
  history: history.evolve(moment.history, event),
  effort: effort.evolve(moment.effort, event),
  standing: standing.evolve(moment.standing, event),
})
