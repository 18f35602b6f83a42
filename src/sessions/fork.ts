/**
 * Fork: a new session that begins with a copy of another one, up to an inclusive boundary.
 *
 * F1 The parent gains nothing, and loses nothing.
 * F2 Every closed position is allowed. Inside a turn the child's brackets are closed as interrupted, if that was asked.
 * F3 Pending input stays with the parent, unless the fork inherits it: the marker behind the copy says so.
 *
 * @module
 */
import { TurnwiseError } from '../errors.ts'
import type { LogHeader } from '../events/event.ts'
import type { EventLog } from '../log/event-log.ts'
import { createMemoryLog } from '../log/memory-log.ts'
import { needsClosing, repairEvents } from './repair.ts'
import type { StoredSession } from './session-store.ts'

export interface ForkOptions {
  /** Seq of the last event that is copied. Default: the last event of the parent. */
  readonly at?: number
  /** Id of the child. Default: a new one. */
  readonly id?: string
  /** The child takes over a copy of the pending messages; they stay parked until its first wake. Default false. */
  readonly inheritInbox?: boolean
  /** Inside a turn: what is open is closed as interrupted, in the child only. Default false. */
  readonly closeOpen?: boolean
}

/** Who the child is. */
export interface ForkedAs {
  readonly id: string
  /** ms since the epoch. */
  readonly createdAt: number
}

/**
 * The session that forking `parent` makes. Nothing is stored.
 *
 * @throws TurnwiseError INVALID_BOUNDARY, OPEN_TURN, in this order.
 */
export function forkOf(
  parent: StoredSession,
  child: ForkedAs,
  options: ForkOptions = {},
): StoredSession {
  const { at, inheritInbox = false, closeOpen = false } = options
  const length = lengthOf(parent, at)
  const header = headerOf(parent.header, child, length)
  const log = createMemoryLog({ header, events: parent.events.slice(0, length) })
  if (needsClosing(log.ledger)) {
    if (!closeOpen) throw openTurn(parent, length - 1)
    close(log, inheritInbox)
  }
  const opened = { how: 'fork', inherited: length, wake: false, inheritInbox } as const
  log.append({ type: 'session/opened', data: opened }, child.createdAt)
  return { header, events: log.read() }
}

function headerOf(parent: LogHeader, child: ForkedAs, inheritedLength: number): LogHeader {
  const { cwd, depth } = parent
  return {
    id: child.id,
    formatVersion: 1,
    createdAt: child.createdAt,
    ...(cwd !== undefined && { cwd }),
    parent: parent.id,
    inheritedLength,
    ...(depth !== undefined && { depth }),
  }
}

/** Number of copied events. */
function lengthOf({ header, events }: StoredSession, at = events.length - 1): number {
  const last = events.length - 1
  if (at === last || (Number.isInteger(at) && at >= 0 && at < last)) return at + 1
  throw new TurnwiseError(
    'INVALID_BOUNDARY',
    `expected the seq of an event of session ${header.id}, from 0 to ${last}, found ${at}; nothing was created.`,
  )
}

/** A child that inherits no input needs nothing put back for it. */
function close(log: EventLog, inheritInbox: boolean): void {
  const repair = repairEvents(log.read())
  const closing = repair.filter((event) => inheritInbox || event.type !== 'inbox/inserted')
  log.append(closing, log.at(log.length - 1)?.time ?? 0)
}

const openTurn = ({ header }: StoredSession, at: number): TurnwiseError =>
  new TurnwiseError(
    'OPEN_TURN',
    `expected a closed position of session ${header.id}, but at ${at} a turn is open; nothing was created. Fork at the end of a turn, or with closeOpen.`,
  )
