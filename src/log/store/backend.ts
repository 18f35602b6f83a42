/**
 * What a back end itself must do: a handful of statements. `backed-store.ts` makes a whole store of it.
 *
 * Each call is one transaction, durable when its promise resolves.
 *
 * @module
 */
import type { LogHeader } from '../../events/event.ts'
import type { QueuedAppend } from './append-queue.ts'
import type { AppendOutcome, Head, ListedSession } from './event-store.ts'

/** A stored event as its text. */
export interface Row {
  readonly seq: number
  readonly body: string
}

export interface InboxRow {
  readonly id: string
  readonly body: string
}

export interface ClaimRequest {
  readonly owner: string
  readonly ttlMs: number
  readonly force: boolean
}

export interface RenewRequest {
  readonly session: string
  readonly epoch: number
  readonly ttlMs: number
}

/** Who holds a session. */
export interface Holding {
  readonly owner: string
  /** Ms until its lease runs out. */
  readonly leftMs: number
}

export type ClaimAnswer =
  | { readonly ok: true; readonly epoch: number }
  | { readonly ok: false; readonly held: Holding | undefined }

/** The statements of one kind of database. */
export interface Backend {
  readonly name: string
  /** Groups of appends that may be under way at once. */
  readonly inFlight: number
  /** Ms between two looks for what nobody told, while there are readers who wait. */
  readonly pollMs: number
  /** @returns false when there is a session of this id. */
  create(header: LogHeader, bodies: readonly string[]): Promise<boolean>
  head(session: string): Promise<Head | undefined>
  /** Judges each append against its session (`judge.ts`), and records those that are sound. Sessions are distinct. */
  commit(group: readonly QueuedAppend[]): Promise<readonly AppendOutcome[]>
  /** Up to `limit` events from `from` on, in order. */
  rows(session: string, from: number, limit: number): Promise<readonly Row[]>
  /** Raises the epoch unless a living owner holds the session; `held` is undefined when there is no such session. */
  claim(session: string, request: ClaimRequest): Promise<ClaimAnswer>
  /** @returns for each, in order: is this epoch still the last one? */
  renew(leases: readonly RenewRequest[]): Promise<readonly boolean[]>
  release(session: string, epoch: number): Promise<void>
  /** Removes a session that no living owner holds. @returns who holds it, if somebody does. */
  remove(session: string): Promise<Holding | undefined>
  /** Up to `limit` sessions whose ids come after `after`. */
  list(after: string, limit: number): Promise<readonly ListedSession[]>
  /** @returns undefined when there is no such session. */
  send(session: string, row: InboxRow): Promise<'stored' | 'repeated' | undefined>
  pending(session: string): Promise<readonly InboxRow[]>
  taken(session: string, ids: readonly string[]): Promise<void>
  /** Tells of sessions that others changed, as far as the back end can; `undefined`: any may have. */
  watch(onChange: (session: string | undefined) => void): void
  /** May others have changed anything since the last call? Without it, they may. */
  poll?(): boolean
  /** Sessions changed here: others may be told. Must not throw. */
  announce?(sessions: readonly string[]): void
  close(): Promise<void>
}
