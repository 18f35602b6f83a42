/**
 * The sessions of a store, opened as logs: what a registry keeps its sessions in.
 *
 * @module
 */
import type { LogHeader, StoredEvent } from '../../events/event.ts'
import type { EventStore } from './event-store.ts'
import { noSession } from './store-inbox.ts'
import { createStoreLog, openStoreLog } from './store-log.ts'
import type { StoreLog, StoreLogOptions } from './store-log.ts'

/** Sessions in a store. Its members but `events` and `close` are those of the `SessionStore` port. */
export class LogStore {
  /** The store behind it, for readers, subscribers and senders of other processes. */
  readonly events: EventStore
  private readonly options: StoreLogOptions

  /** @param options - for every log that is opened. */
  constructor(events: EventStore, options: StoreLogOptions = {}) {
    this.events = events
    this.options = options
  }

  /** Creates a session and opens it. @throws as `createStoreLog`. */
  create(header: LogHeader, events: readonly StoredEvent[] = []): Promise<StoreLog> {
    return createStoreLog(this.events, header, events, this.options)
  }

  /** Opens a session as its owner. @throws as `openStoreLog`. */
  open(id: string): Promise<StoreLog> {
    return openStoreLog(this.events, id, this.options)
  }

  /** Reads a session, open or not. @throws TurnwiseError SESSION_NOT_FOUND; LogCorruptError */
  async read(
    id: string,
  ): Promise<{ readonly header: LogHeader; readonly events: readonly StoredEvent[] }> {
    const head = await this.events.head(id)
    if (head === undefined) throw noSession(this.events.name, id)
    const events: StoredEvent[] = []
    for await (const page of this.events.read(id, { ...this.options, to: head.version }))
      for (const event of page) events.push(event)
    return { header: head.header, events }
  }

  async has(id: string): Promise<boolean> {
    return (await this.events.head(id)) !== undefined
  }

  /** The ids of all sessions, sorted. */
  async list(): Promise<readonly string[]> {
    const ids: string[] = []
    for await (const { header } of this.events.list()) ids.push(header.id)
    return ids.toSorted()
  }

  /** Removes a session that is not open. @throws TurnwiseError SESSION_LIVE */
  remove(id: string): Promise<void> {
    return this.events.remove(id)
  }

  /** Lets go of the store; logs that are still open can write no more. */
  close(): Promise<void> {
    return this.events.close()
  }
}
