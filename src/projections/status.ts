/**
 * Is the agent running? As far as the log knows, and with what only the living agent knows.
 *
 * T1 Between `turn/start` and `turn/end` the fold is never idle; the fold of a whole log is the status announced last.
 * T2 Between two turns of one running interval the log alone cannot tell: there the live activity decides.
 *
 * @module
 */
import { byType, type Projection } from './projection.ts'

/** What a log says. */
export type LoggedStatus = 'idle' | 'running'

export interface StatusState {
  readonly status: LoggedStatus
  /** Number of the open turn, or null. */
  readonly turn: number | null
}

/** What the living agent adds: it runs before `turn/start` and between turns, it maintains, it is gone. */
export type LiveActivity = 'idle' | 'turn' | 'maintenance' | 'disposed'

/** The status a reader is told. Maintenance is idle. */
export const statusOf = (
  { status }: StatusState,
  live: LiveActivity,
): LoggedStatus | 'disposed' => {
  if (live === 'disposed') return 'disposed'
  return live === 'turn' ? 'running' : status
}

/** The status as a fold of the log. */
export const status: Projection<StatusState> = {
  name: 'status',
  initial: { status: 'idle', turn: null },
  evolve: byType<StatusState>({
    'turn/start': (_, { data }) => ({ status: 'running', turn: data.turn }),
    'turn/end': (state, { data }) =>
      state.turn === data.turn ? { status: 'idle', turn: null } : state,
  }),
}
