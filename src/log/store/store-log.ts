/**
 * The log of one session in a store.
 *
 * Appending is in memory, as in every log; the store follows in groups (`store-commits.ts`). The log owns its session by a
 * lease, and stops for good when it is overtaken: LEASE_LOST or LOG_CONFLICT.
 *
 * @module
 */
import type { TurnwiseError } from '../../errors.ts'
import { loadLedger } from '../../events/enclosure.ts'
import type { LogHeader, StoredEvent } from '../../events/event.ts'
import type { ReadOptions } from '../read-log.ts'
import { SessionLog } from '../session-log.ts'
import type { SessionLogOptions } from '../session-log.ts'
import type { ClaimOptions, EventStore, Lease } from './event-store.ts'
import { StoreCommits } from './store-commits.ts'
import { noSession } from './store-inbox.ts'

export interface StoreLogOptions extends SessionLogOptions, ReadOptions, ClaimOptions {
  /** Told of each failed commit. Events that may still be written are kept and tried again. */
  readonly onFailure?: (error: TurnwiseError) => void
}

/** A log in a store. Make one with {@link createStoreLog} or {@link openStoreLog}. */
export class StoreLog extends SessionLog {
  /** What it owns the session by. */
  readonly lease: Lease
  readonly lost: AbortSignal
  private readonly commits: StoreCommits
  private closing: Promise<void> | undefined

  /** @internal */
  constructor(
    store: EventStore,
    lease: Lease,
    contents: { readonly header: LogHeader; readonly events: StoredEvent[] },
    options: StoreLogOptions,
  ) {
    super(contents.header, contents.events, options)
    const loss = new AbortController()
    this.lease = lease
    this.lost = loss.signal
    this.commits = new StoreCommits({
      store,
      lease,
      events: this.events,
      onFailure: (error) => {
        if (error.code !== 'LOG_WRITE_FAILED') this.refusal ??= error
        options.onFailure?.(error)
        if (error.code !== 'LOG_WRITE_FAILED') loss.abort(error)
      },
    })
  }

  override durable(seq: number): undefined | Promise<void> {
    return this.commits.durable(Math.min(seq, this.length - 1))
  }

  override close(): Promise<void> {
    this.closing ??= this.shut()
    return this.closing
  }

  protected override persist(): void {
    this.commits.appended()
  }

  private async shut(): Promise<void> {
    this.stop()
    try {
      await this.flush()
    } finally {
      // A lease that cannot be given back runs out by itself.
      await this.lease.release().catch(() => {})
    }
  }
}

/**
 * Opens the log of a session as its owner.
 *
 * @throws TurnwiseError SESSION_NOT_FOUND, SESSION_LIVE, UNKNOWN_EVENT; LogCorruptError with its position.
 */
export async function openStoreLog(
  store: EventStore,
  session: string,
  options: StoreLogOptions = {},
): Promise<StoreLog> {
  // Claimed before it is read: nobody may add to it in between.
  const lease = await store.claim(session, options)
  try {
    const head = await store.head(session)
    if (head === undefined) throw noSession(store.name, session)
    const events: StoredEvent[] = []
    for await (const page of store.read(session, options))
      for (const event of page) events.push(event)
    return new StoreLog(store, lease, { header: head.header, events }, options)
  } catch (error) {
    await lease.release()
    throw error
  }
}

/**
 * Creates a session and opens its log.
 *
 * @param events - what it holds from the start, such as the copied part of a fork.
 * @throws TurnwiseError SESSION_ALREADY_EXISTS, INVALID_OPTION; LogCorruptError when `events` are no well-formed log.
 */
export async function createStoreLog(
  store: EventStore,
  header: LogHeader,
  events: readonly StoredEvent[] = [],
  options: StoreLogOptions = {},
): Promise<StoreLog> {
  loadLedger(events)
  await store.create(header, events)
  const lease = await store.claim(header.id, options)
  return new StoreLog(store, lease, { header, events: [...events] }, options)
}
