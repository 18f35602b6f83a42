/**
 * The store of a scenario: logs in memory that can also be made at once, and be left as a crash leaves them.
 *
 * @module
 */
import type { LogHeader, StoredEvent } from '../../../events/event.ts'
import type { EventLog } from '../../../log/event-log.ts'
import { SessionLog } from '../../../log/session-log.ts'
import {
  alreadyExists,
  isLive,
  notFound,
  type SessionStore,
  type StoredSession,
} from '../../../sessions/session-store.ts'

class KeptLog extends SessionLog {
  open = true

  override async close(): Promise<void> {
    await super.close()
    this.open = false
  }
}

export class ScenarioStore implements SessionStore {
  private readonly logs = new Map<string, KeptLog>()

  /** @param sessions - what a process before has left. */
  constructor(sessions: Iterable<StoredSession> = []) {
    for (const { header, events } of sessions) this.make(header, events).open = false
  }

  /** Everything as it stands, whoever has it open. */
  images(): StoredSession[] {
    return [...this.logs.values()].map((log) => ({ header: log.header, events: log.read() }))
  }

  make(header: LogHeader, events: readonly StoredEvent[] = []): KeptLog {
    const log = new KeptLog(header, [...events])
    this.logs.set(header.id, log)
    return log
  }

  get(id: string): EventLog | undefined {
    return this.logs.get(id)
  }

  create(header: LogHeader, events: readonly StoredEvent[] = []): Promise<EventLog> {
    return this.logs.has(header.id)
      ? Promise.reject(alreadyExists(header.id))
      : Promise.resolve(this.make(header, events))
  }

  open(id: string): Promise<EventLog> {
    const log = this.logs.get(id)
    if (log === undefined) return Promise.reject(notFound(id))
    if (log.open) return Promise.reject(isLive(id))
    return Promise.resolve(this.make(log.header, log.read()))
  }

  read(id: string): Promise<StoredSession> {
    const log = this.logs.get(id)
    return log === undefined
      ? Promise.reject(notFound(id))
      : Promise.resolve({ header: log.header, events: log.read() })
  }

  has(id: string): Promise<boolean> {
    return Promise.resolve(this.logs.has(id))
  }

  list(): Promise<readonly string[]> {
    return Promise.resolve([...this.logs.keys()].toSorted())
  }

  remove(id: string): Promise<void> {
    this.logs.delete(id)
    return Promise.resolve()
  }
}
