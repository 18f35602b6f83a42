/**
 * Sessions in memory: for tests, and for services whose sessions need not outlive them.
 *
 * @module
 */
import type { LogHeader, StoredEvent } from '../events/event.ts'
import type { EventLog } from '../log/event-log.ts'
import { checkSessionId } from '../log/log-place.ts'
import { SessionLog } from '../log/session-log.ts'
import {
  alreadyExists,
  isLive,
  notFound,
  type SessionStore,
  type StoredSession,
} from './session-store.ts'

/** Tells its store when it is closed. */
class KeptLog extends SessionLog {
  onClose: (() => void) | undefined

  override async close(): Promise<void> {
    await super.close()
    this.onClose?.()
    this.onClose = undefined
  }
}

class MemoryStore implements SessionStore {
  private readonly stored = new Map<string, StoredSession>()
  private readonly logs = new Map<string, KeptLog>()

  constructor(sessions: Iterable<StoredSession>) {
    for (const session of sessions) this.stored.set(session.header.id, session)
  }

  // eslint-disable-next-line typescript/require-await -- a throw must be a rejection
  async create(header: LogHeader, events: readonly StoredEvent[] = []): Promise<EventLog> {
    const id = checkSessionId(header.id)
    if (this.stored.has(id)) throw alreadyExists(id)
    return this.keep({ header, events })
  }

  // eslint-disable-next-line typescript/require-await -- a throw must be a rejection
  async open(id: string): Promise<EventLog> {
    if (this.logs.has(id)) throw isLive(id)
    const session = this.stored.get(id)
    if (session === undefined) throw notFound(id)
    return this.keep(session)
  }

  private keep(session: StoredSession): EventLog {
    const { id } = session.header
    const log = new KeptLog(session.header, [...session.events])
    log.onClose = () => {
      this.stored.set(id, { header: log.header, events: log.read() })
      this.logs.delete(id)
    }
    this.stored.set(id, session)
    this.logs.set(id, log)
    return log
  }

  // eslint-disable-next-line typescript/require-await -- a throw must be a rejection
  async read(id: string): Promise<StoredSession> {
    const log = this.logs.get(id)
    const session =
      log === undefined ? this.stored.get(id) : { header: log.header, events: log.read() }
    if (session === undefined) throw notFound(id)
    return session
  }

  has(id: string): Promise<boolean> {
    return Promise.resolve(this.stored.has(id))
  }

  list(): Promise<readonly string[]> {
    return Promise.resolve([...this.stored.keys()].toSorted())
  }

  // eslint-disable-next-line typescript/require-await -- a throw must be a rejection
  async remove(id: string): Promise<void> {
    if (this.logs.has(id)) throw isLive(id)
    this.stored.delete(id)
  }
}

/**
 * Makes a store in memory.
 *
 * @param sessions - what it holds from the start.
 */
export const memoryStore = (sessions: Iterable<StoredSession> = []): SessionStore =>
  new MemoryStore(sessions)
