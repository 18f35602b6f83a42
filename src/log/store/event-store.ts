/**
 * The port of a durable back end: where events of many sessions are kept, and who may add to each.
 *
 * A log of one session (`store-log.ts`) stands in front of it; agents never see it. It decides nothing about events.
 *
 * B1 An append names the version (number of events) and the epoch that it expects. Of two with one version at most one
 *    is recorded, and none of an epoch that was succeeded.
 * B2 An append is recorded as a whole or not at all, and is durable when its promise resolves.
 * B3 Repeating an append (same id, same version) records nothing and is answered as the success it was.
 * B4 A rejected promise of `append` leaves open whether it was recorded; `head` or a repetition tells.
 * B5 Readers and subscribers see durable events only, in order, without a gap.
 *
 * @module
 */
import type { LogHeader, StoredEvent } from '../../events/event.ts'
import type { ReadOptions } from '../read-log.ts'

/** Where a session stands. */
export interface Head {
  readonly header: LogHeader
  /** Number of events; the seq of the next one. */
  readonly version: number
  /** Raised by every claim. */
  readonly epoch: number
  /** Id of the last recorded append; empty before the first. */
  readonly lastAppend: string
}

/** What an append expects, and what it is called. */
export interface AppendOptions {
  /** Expected number of stored events. */
  readonly version: number
  /** Epoch of the writer's lease. */
  readonly epoch: number
  /** Names this append, so that it can be repeated. Default: a random one. */
  readonly id?: string
}

/** The answer to one append. */
export type AppendOutcome =
  | {
      readonly ok: true
      readonly version: number
      /** It had been recorded before. */
      readonly repeated: boolean
    }
  | {
      readonly ok: false
      readonly code: 'LOG_CONFLICT' | 'LEASE_LOST' | 'SESSION_NOT_FOUND'
      /** Where the session stands instead. */
      readonly version: number
      readonly epoch: number
    }

export interface ClaimOptions {
  /** Who claims, for people to read. */
  readonly owner?: string
  /** Ms without a renewal after which others may claim, by the clock of the store. Default 10 000. */
  readonly ttlMs?: number
  /** Claims although the owner's lease has not run out. Default false. */
  readonly force?: boolean
}

/** The right to append to one session. It renews itself until it is released or lost. */
export interface Lease {
  readonly session: string
  readonly owner: string
  readonly epoch: number
  /** Aborts once it is known that somebody else has claimed the session; the reason is LEASE_LOST. */
  readonly lost: AbortSignal
  /** Renews now. @throws TurnwiseError LEASE_LOST */
  renew(): Promise<void>
  /** Gives the session back. Never throws for a lease that is lost already. */
  release(): Promise<void>
}

export interface PageOptions extends ReadOptions {
  /** Seq of the first event. Default 0. */
  readonly from?: number
  /** Seq behind the last event. Default: all that is there when reading begins. */
  readonly to?: number
  /** Largest number of events of one page. Default 1000. */
  readonly page?: number
}

export interface SubscribeOptions extends ReadOptions {
  /** Seq of the first event. Default 0. */
  readonly from?: number
  /** Ends the subscription; the iteration then returns. */
  readonly signal?: AbortSignal
}

/** A message that another process left for a session. */
export interface InboxItem {
  /** Its message id: sending it again changes nothing. */
  readonly id: string
  /** Lossless JSON, as it was sent. */
  readonly body: unknown
}

/** Messages for a session from processes that do not own it. */
export interface StoreInbox {
  /**
   * Leaves a message; it is durable when this resolves.
   *
   * @returns `repeated` when one of this id had been sent before, whether or not it was taken meanwhile.
   * @throws TurnwiseError SESSION_NOT_FOUND
   */
  send(session: string, item: InboxItem): Promise<'stored' | 'repeated'>
  /** What is not taken yet, in order of arrival. */
  pending(session: string): Promise<readonly InboxItem[]>
  /** Says that these stand in the log of the session. */
  taken(session: string, ids: readonly string[]): Promise<void>
  /** Resolves when something may have arrived, or after a while; when `signal` aborts, at once. */
  changed(session: string, signal?: AbortSignal): Promise<void>
}

/** A session of a store, as listed. */
export interface ListedSession {
  readonly header: LogHeader
  readonly version: number
}

/** A durable back end. */
export interface EventStore {
  /** For messages, such as `SQLite`. */
  readonly name: string
  /**
   * Creates a session with what it holds from the start.
   *
   * @throws TurnwiseError SESSION_ALREADY_EXISTS; nothing was changed.
   */
  create(header: LogHeader, events?: readonly StoredEvent[]): Promise<void>
  /** Where a session stands; undefined if there is none. */
  head(session: string): Promise<Head | undefined>
  /** Records events, the first of which has the seq `version`. Everything queued while the last commit ran goes together. */
  append(
    session: string,
    events: readonly StoredEvent[],
    options: AppendOptions,
  ): Promise<AppendOutcome>
  /**
   * Reads in pages, oldest first.
   *
   * @throws LogCorruptError where an event is damaged or missing; TurnwiseError SESSION_NOT_FOUND.
   */
  read(session: string, options?: PageOptions): AsyncIterable<readonly StoredEvent[]>
  /** Every durable event from `from` on, then those to come. */
  subscribe(session: string, options?: SubscribeOptions): AsyncIterable<StoredEvent>
  /**
   * Takes the right to append, raising the epoch: appends of earlier owners are refused from then on.
   *
   * @throws TurnwiseError SESSION_LIVE while the lease of a living owner has not run out; SESSION_NOT_FOUND.
   */
  claim(session: string, options?: ClaimOptions): Promise<Lease>
  /** Sessions in order of their ids. */
  list(): AsyncIterable<ListedSession>
  /**
   * Removes a session; nothing happens if there is none.
   *
   * @throws TurnwiseError SESSION_LIVE while a living owner holds it.
   */
  remove(session: string): Promise<void>
  readonly inbox: StoreInbox
  /** Waits for what is under way and lets go of the back end. Sessions stay claimed until released. */
  close(): Promise<void>
}
