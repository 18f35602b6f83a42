/**
 * Forks a session of a store, be it live or stored, into a new stored one.
 *
 * @module
 */
import { TurnwiseError } from '../errors.ts'
import type { LogHeader } from '../events/event.ts'
import { checkSessionId } from '../log/log-place.ts'
import { forkOf, type ForkOptions } from './fork.ts'
import type { Residents } from './residents.ts'
import { alreadyExists, notFound, type SessionStore, type StoredSession } from './session-store.ts'

/** Where a fork finds its parent, and what names the child. */
export interface ForkPlace {
  readonly store: SessionStore
  readonly residents: Residents
  readonly ids: () => string
  readonly now: () => number
}

/**
 * @returns the header of the child.
 * @throws TurnwiseError SESSION_ALREADY_EXISTS, SESSION_NOT_FOUND, SESSION_NOT_LIVE, INVALID_BOUNDARY, OPEN_TURN: the first
 *   that holds. Nothing is created then.
 */
export async function forkSession(
  place: ForkPlace,
  parentId: string,
  options: ForkOptions,
): Promise<LogHeader> {
  const { store, residents } = place
  const id = checkSessionId(options.id ?? place.ids())
  if (residents.isTaken(id) || (await store.has(id))) throw alreadyExists(id)
  const parent = await parentOf(place, parentId, options.at)
  const { header, events } = forkOf(parent, { id, createdAt: place.now() }, options)
  const log = await store.create(header, events)
  await log.close()
  return header
}

/** Of a live parent nothing is copied that a crash could still take from it. */
async function parentOf(
  { store, residents }: ForkPlace,
  id: string,
  at: number | undefined,
): Promise<StoredSession> {
  const live = residents.get(id)
  if (live !== undefined) {
    const { log } = live.agent
    const events = log.read()
    await log.durable(Math.min(at ?? events.length - 1, events.length - 1))
    return { header: log.header, events }
  }
  if (residents.isTaken(id)) throw notLive(id)
  if (!(await store.has(id))) throw notFound(id)
  return store.read(id)
}

const notLive = (id: string): TurnwiseError =>
  new TurnwiseError(
    'SESSION_NOT_LIVE',
    `expected session ${id} to be live or stored, found it being created or disposed; nothing was created. Try again when it has settled.`,
  )
