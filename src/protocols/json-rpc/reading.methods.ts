/**
 * Methods that only look: at live sessions, and at stored ones where there is a store.
 *
 * @module
 */
import type { StoredEvent } from '../../events/event.ts'
import type { Json } from '../../events/json.ts'
import { asInteger, asName, asWord, ShapeError } from '../../events/shape.ts'
import { approvals } from '../../projections/approvals.ts'
import { fold } from '../../projections/projection.ts'
import { projectionNames, type ReadProjection, VIEWS } from '../views.ts'
import { asWithin } from './given.ts'
import { type Caller, type MethodsOf, sessionOf } from './method.ts'
import { queueOf } from './queue.ts'
import type { ListedSession } from './wire.ts'

const MAX_EVENTS = 1000
const EVENTS = 200

/** A log that can be read, live or stored. */
interface Readable {
  readonly length: number
  readonly events: (from: number, to: number) => readonly StoredEvent[]
  readonly read: ReadProjection
}

async function readable(id: string, { door, registry, store }: Caller): Promise<Readable> {
  await door.settled(id)
  if (store === undefined || registry.get(id) !== undefined)
    return door.live(id, (agent) => ({
      length: agent.log.length,
      events: (from, to) => agent.log.read(from, to),
      read: (projection) => agent.read(projection),
    }))
  const { events } = await store.read(id)
  return {
    length: events.length,
    events: (from, to) => events.slice(from, to),
    read: (projection) => fold(projection, events),
  }
}

async function list({ registry, store }: Caller): Promise<readonly ListedSession[]> {
  const stored = (await store?.list()) ?? []
  const live = registry.list().map(({ id, status: now, log }): ListedSession => ({
    sessionId: id,
    status: now,
    parent: log.header.parent ?? null,
  }))
  const known = new Set(live.map(({ sessionId }) => sessionId))
  const others = stored.filter((id) => !known.has(id))
  return [...live, ...others.map((sessionId) => ({ sessionId, status: null, parent: null }))]
}

/** The looks. */
export const readingMethods: MethodsOf<
  | 'session/list'
  | 'session/inbox'
  | 'session/approvals'
  | 'session/events'
  | 'session/projection'
  | 'session/subscribe'
  | 'session/unsubscribe'
> = {
  'session/list': {
    read: () => ({}),
    run: async (_asked, caller) => ({ sessions: await list(caller) }),
  },
  'session/inbox': {
    read: sessionOf,
    run: ({ sessionId }, { door }) => door.live(sessionId, queueOf),
  },
  'session/approvals': {
    read: sessionOf,
    run: ({ sessionId }, { door }) =>
      door.live(sessionId, (agent) => ({ open: agent.read(approvals).open })),
  },
  'session/events': {
    read: (given) => ({
      ...sessionOf(given),
      ...given.maybe('from', asInteger),
      ...given.maybe('limit', asWithin(1, MAX_EVENTS)),
    }),
    run: async ({ sessionId, from = 0, limit = EVENTS }, caller) => {
      const log = await readable(sessionId, caller)
      const events = log.events(from, from + limit)
      return { events, next: from + events.length, length: log.length }
    },
  },
  'session/projection': {
    read: (given) => {
      const asked = {
        ...sessionOf(given),
        name: given.need('name', (value, path) => asWord(value, path, projectionNames)),
        ...given.maybe('messageId', asName),
      }
      if (asked.name === 'lineage' && asked.messageId === undefined)
        throw new ShapeError('messageId', 'the id of a message', undefined)
      return asked
    },
    run: async ({ sessionId, name, messageId = '' }, caller) => {
      const log = await readable(sessionId, caller)
      const state = VIEWS[name]?.(log.read, messageId) as Json
      return { state, length: log.length }
    },
  },
  'session/subscribe': {
    read: (given) => ({ ...sessionOf(given), ...given.maybe('from', asInteger) }),
    run: ({ sessionId, from }, { door, feed }) =>
      door.live(sessionId, (agent) => ({
        next: feed.subscribe(agent, from ?? agent.log.length),
      })),
  },
  'session/unsubscribe': {
    read: sessionOf,
    run: ({ sessionId }, { door, feed }) =>
      door.liveOrGone(sessionId, () => {
        feed.leave(sessionId)
        return {}
      }),
  },
}
