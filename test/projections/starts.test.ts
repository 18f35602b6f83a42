/**
 * What each fold is called, and what it says of an empty log.
 *
 * @module
 */
import { expect, it } from 'vitest'
import { AppendList } from '../../src/projections/append-list.ts'
import { approvals } from '../../src/projections/approvals.ts'
import { cancels } from '../../src/projections/cancels.ts'
import { consumed } from '../../src/projections/consumed-work.ts'
import { history } from '../../src/projections/history.ts'
import { inbox } from '../../src/projections/inbox.ts'
import { lineage } from '../../src/projections/lineage.ts'
import { openWork } from '../../src/projections/open-work.ts'
import type { Projection } from '../../src/projections/projection.ts'
import { requestHeader } from '../../src/projections/request-header.ts'
import { runInterval } from '../../src/projections/run-interval.ts'
import { sessionState } from '../../src/projections/session-state.ts'
import { status } from '../../src/projections/status.ts'
import { transcript } from '../../src/projections/transcript.ts'
import { turns } from '../../src/projections/turns.ts'
import { usage } from '../../src/projections/usage.ts'

const EMPTY = AppendList.of()
const INBOX = {
  nextTurn: [],
  nextStep: [],
  parked: null,
  restores: false,
  parksRestored: null,
  claimed: false,
}
const NO_TURNS = { before: EMPTY, last: null }

const STARTS: readonly (readonly [Projection<unknown>, name: string, initial: unknown])[] = (
  [
    [approvals, 'approvals', { open: [], allowed: [] }],
    [cancels, 'cancels', EMPTY],
    [
      consumed,
      'consumed-work',
      { end: null, turn: null, droppedUnrun: false, inbox: INBOX, last: 0, stepped: false },
    ],
    [history, 'history', { entries: EMPTY, seqs: EMPTY, length: 0, tail: null }],
    [inbox, 'inbox', INBOX],
    [lineage('m1'), 'lineage:m1', { id: 'm1', standing: 'unknown', facts: [] }],
    [openWork, 'open-work', { turn: null, step: null, attempt: null, calls: [] }],
    [requestHeader, 'request-header', { header: null, context: null }],
    [
      runInterval('m1'),
      'run-interval:m1',
      { messageId: 'm1', from: null, turns: EMPTY, finalResponse: '', usage: {}, reported: [] },
    ],
    [
      sessionState,
      'session-state',
      {
        inbox: INBOX,
        turn: 0,
        step: 0,
        header: null,
        context: null,
        openTurn: false,
        lastTurn: null,
        barren: 0,
        progress: 'none',
      },
    ],
    [status, 'status', { status: 'idle', turn: null }],
    [transcript, 'transcript', { entries: EMPTY, length: 0, replaced: [], called: [] }],
    [turns, 'turns', { list: NO_TURNS, reported: [] }],
    [usage, 'usage', { total: {}, turns: NO_TURNS, reported: [] }],
  ] as const
).map(([projection, name, initial]) => [projection as Projection<unknown>, name, initial])

it.each(STARTS.map(([projection, name, initial]) => ({ projection, name, initial })))(
  '$name is called so, and starts empty',
  ({ projection, name, initial }) => {
    expect(projection.name).toBe(name)
    expect(projection.initial).toStrictEqual(initial)
  },
)
