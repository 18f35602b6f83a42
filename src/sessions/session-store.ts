/**
 * The port of a store of many sessions: what creating, resuming and forking need, and no more.
 *
 * T1 A session is created as a whole, with everything it holds from the start, or not at all.
 * T2 A session has one writer: it is open from `create` or `open` until its log is closed.
 * T3 Reading takes nothing and changes nothing; of a session that somebody else writes it may see an earlier state.
 *
 * @module
 */
import { TurnwiseError } from '../errors.ts'
import type { LogHeader, StoredEvent } from '../events/event.ts'
import type { EventLog } from '../log/event-log.ts'

/** What is stored of a session. */
export interface StoredSession {
  readonly header: LogHeader
  readonly events: readonly StoredEvent[]
}

/** Where the sessions of a registry are kept. */
export interface SessionStore {
  /**
   * Creates a session and opens it.
   *
   * @param events - what it holds from the start, such as the copied part of a fork.
   * @throws TurnwiseError SESSION_ALREADY_EXISTS; nothing is changed then.
   */
  create(header: LogHeader, events?: readonly StoredEvent[]): Promise<EventLog>
  /** Opens a session. @throws TurnwiseError SESSION_NOT_FOUND, SESSION_LIVE; LogCorruptError */
  open(id: string): Promise<EventLog>
  /** Reads a session, open or not. @throws TurnwiseError SESSION_NOT_FOUND; LogCorruptError */
  read(id: string): Promise<StoredSession>
  has(id: string): Promise<boolean>
  /** The ids of all sessions, sorted. */
  list(): Promise<readonly string[]>
  /** Removes a session that is not open; nothing happens if there is none. @throws TurnwiseError SESSION_LIVE */
  remove(id: string): Promise<void>
}

/** The refusal to create a session that exists. */
export const alreadyExists = (id: string): TurnwiseError =>
  new TurnwiseError(
    'SESSION_ALREADY_EXISTS',
    `expected no session ${id}, found one; nothing was changed. Resume it, or choose another id.`,
  )

/** The refusal to open a session that does not exist. */
export const notFound = (id: string): TurnwiseError =>
  new TurnwiseError(
    'SESSION_NOT_FOUND',
    `expected a stored session ${id}, found none; nothing was changed. Create it, or check the id.`,
  )

/** The refusal to open a session that is open. */
export const isLive = (id: string): TurnwiseError =>
  new TurnwiseError(
    'SESSION_LIVE',
    `expected a session that nobody has open, but ${id} is live; nothing was changed. Dispose it first.`,
  )
