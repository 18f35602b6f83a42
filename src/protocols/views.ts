/**
 * Every projection that protocols offer, by its name, in the form in which it is sent.
 *
 * @module
 */
import { approvals } from '../projections/approvals.ts'
import { consumed } from '../projections/consumed-work.ts'
import { history, historyView } from '../projections/history.ts'
import { inbox } from '../projections/inbox.ts'
import { lineage } from '../projections/lineage.ts'
import { openWork } from '../projections/open-work.ts'
import type { Projection } from '../projections/projection.ts'
import { requestHeader } from '../projections/request-header.ts'
import { status } from '../projections/status.ts'
import { transcript } from '../projections/transcript.ts'
import { turns, turnsView } from '../projections/turns.ts'
import { usage, usageByTurn } from '../projections/usage.ts'

/** Reads a projection of some log. */
export type ReadProjection = <S>(projection: Projection<S>) => S

/** Every projection by its name, as JSON. */
export const VIEWS: {
  readonly [name: string]: (read: ReadProjection, messageId: string) => unknown
} = {
  approvals: (read) => read(approvals),
  'consumed-work': (read) => {
    const { end, turn, droppedUnrun } = read(consumed)
    return { end, turn, droppedUnrun }
  },
  history: (read) => historyView(read(history)),
  inbox: (read) => {
    const { nextStep, nextTurn, parked } = read(inbox)
    return { nextStep, nextTurn, parked }
  },
  lineage: (read, messageId) => read(lineage(messageId)),
  'open-work': (read) => read(openWork),
  'request-header': (read) => read(requestHeader),
  status: (read) => read(status),
  transcript: (read) => read(transcript).entries,
  turns: (read) => turnsView(read(turns)),
  usage: (read) => ({ total: read(usage).total, turns: usageByTurn(read(usage)) }),
}

/** Every name, in the order of the alphabet. */
export const projectionNames: readonly string[] = Object.keys(VIEWS)
