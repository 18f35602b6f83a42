/**
 * A store made of the statements of a back end: group commit, pages, subscriptions and leases are the same for all.
 *
 * @module
 */
import { randomUUID } from 'node:crypto'
import { LogCorruptError, TurnwiseError } from '../../errors.ts'
import type { LogHeader, StoredEvent } from '../../events/event.ts'
import { parseEnvelope, parseEvent } from '../../events/parse-event.ts'
import { checkSessionId } from '../log-place.ts'
import { AppendQueue } from './append-queue.ts'
import type { Backend, Holding, Row } from './backend.ts'
import { Changes } from './changes.ts'
import type {
  AppendOptions,
  AppendOutcome,
  ClaimOptions,
  EventStore,
  Head,
  Lease,
  PageOptions,
  ListedSession,
  StoreInbox,
  SubscribeOptions,
} from './event-store.ts'
import { LeaseKeeper } from './held-lease.ts'
import { backedInbox, noSession } from './store-inbox.ts'

const DEFAULT_TTL_MS = 10_000
const DEFAULT_PAGE = 1000
/** Sessions of one look at the list. */
const LIST_PAGE = 500

/** One event as it is stored. */
export const bodyOf = (event: StoredEvent): string => JSON.stringify(event)

/** A store over `backend`. */
export class BackedStore implements EventStore {
  readonly name: string
  readonly inbox: StoreInbox
  private readonly backend: Backend
  private readonly queue: AppendQueue
  private readonly changes: Changes
  private readonly leases: LeaseKeeper
  private readonly closing = new AbortController()
  private closed: Promise<void> | undefined

  constructor(backend: Backend) {
    this.name = backend.name
    this.backend = backend
    this.leases = new LeaseKeeper(backend)
    this.changes = new Changes(backend.pollMs, () => backend.poll?.() ?? true)
    this.queue = new AppendQueue({
      commit: (group) => backend.commit(group),
      inFlight: backend.inFlight,
    })
    this.inbox = backedInbox(backend, this.changes, this.closing.signal)
    backend.watch((session) => {
      this.changes.tell(session)
    })
  }

  async create(header: LogHeader, events: readonly StoredEvent[] = []): Promise<void> {
    checkSessionId(header.id)
    if (await this.backend.create(header, events.map(bodyOf))) return
    throw new TurnwiseError(
      'SESSION_ALREADY_EXISTS',
      `expected no session ${header.id} in ${this.name}, found one; it was left alone. Open it, or choose another id.`,
    )
  }

  head(session: string): Promise<Head | undefined> {
    return this.backend.head(session)
  }

  async append(
    session: string,
    events: readonly StoredEvent[],
    { version, epoch, id = randomUUID() }: AppendOptions,
  ): Promise<AppendOutcome> {
    this.checkOpen()
    const bodies = events.map(bodyOf)
    const outcome = await this.queue.add({ session, id, version, epoch, bodies })
    if (outcome.ok) this.tell(session)
    else if (outcome.code === 'LEASE_LOST') this.leases.lose(session, epoch)
    return outcome
  }

  async *read(session: string, options: PageOptions = {}): AsyncGenerator<readonly StoredEvent[]> {
    const { from = 0, page = DEFAULT_PAGE } = options
    const head = await this.backend.head(session)
    if (head === undefined) throw noSession(this.name, session)
    const to = Math.min(options.to ?? Infinity, head.version)
    for (let next = from; next < to;) {
      const rows = await this.backend.rows(session, next, Math.min(page, to - next))
      yield eventsOf(rows, next, options)
      if (rows.length === 0) throw missing(next)
      next += rows.length
    }
  }

  async *subscribe(
    session: string,
    options: SubscribeOptions = {},
  ): AsyncGenerator<StoredEvent, void> {
    let next = options.from ?? 0
    const { signal = this.closing.signal } = options
    const over = (): boolean => signal.aborted || this.closing.signal.aborted
    const watching = this.changes.watch(session)
    try {
      while (!over()) {
        for await (const page of this.read(session, { ...options, from: next })) {
          for (const event of page) {
            if (over()) return
            next = event.seq + 1
            yield event
          }
        }
        await watching.wait(signal)
      }
    } finally {
      watching.stop()
    }
  }

  async claim(session: string, options: ClaimOptions = {}): Promise<Lease> {
    this.checkOpen()
    const { owner = `process ${process.pid}`, ttlMs = DEFAULT_TTL_MS, force = false } = options
    const answer = await this.backend.claim(session, { owner, ttlMs, force })
    if (answer.ok) return this.leases.hold({ session, owner, epoch: answer.epoch, ttlMs })
    if (answer.held === undefined) throw noSession(this.name, session)
    throw this.live(session, answer.held)
  }

  async remove(session: string): Promise<void> {
    this.checkOpen()
    const held = await this.backend.remove(session)
    if (held !== undefined) throw this.live(session, held)
    this.changes.tell(session)
  }

  async *list(): AsyncGenerator<ListedSession> {
    for (let after = ''; ;) {
      const sessions = await this.backend.list(after, LIST_PAGE)
      yield* sessions
      const last = sessions.at(-1)
      if (last === undefined || sessions.length < LIST_PAGE) return
      after = last.header.id
    }
  }

  close(): Promise<void> {
    this.closed ??= this.shut()
    return this.closed
  }

  private async shut(): Promise<void> {
    await this.queue.quiet()
    this.closing.abort()
    this.changes.tell(undefined)
    this.leases.stop()
    await this.backend.close()
  }

  private tell(session: string): void {
    this.changes.tell(session)
    this.backend.announce?.([session])
  }

  private live(session: string, { owner, leftMs }: Holding): TurnwiseError {
    return new TurnwiseError(
      'SESSION_LIVE',
      `expected a session that nobody owns, but ${owner} owns ${session} in ${this.name}, and its lease runs for ${leftMs} ms more; nothing was changed. Close it there, wait, or claim it with force.`,
    )
  }

  private checkOpen(): void {
    if (this.closed === undefined) return
    throw new TurnwiseError(
      'LOG_WRITE_FAILED',
      `the store ${this.name} is closed; nothing was written. Open it again.`,
    )
  }
}

function eventsOf(rows: readonly Row[], from: number, options: PageOptions): StoredEvent[] {
  const { catalogue, validate } = options
  const parse = validate === 'eager' ? parseEvent : parseEnvelope
  return rows.map(({ seq, body }, at) => {
    if (seq !== from + at) throw missing(from + at)
    return parse(jsonOf(seq, body), seq, catalogue)
  })
}

function jsonOf(seq: number, body: string): unknown {
  try {
    return JSON.parse(body)
  } catch (cause) {
    throw new LogCorruptError(
      seq,
      `event ${seq} is damaged: it is no JSON; nothing was changed. Restore the log.`,
      { cause },
    )
  }
}

const missing = (seq: number): LogCorruptError =>
  new LogCorruptError(
    seq,
    `event ${seq} is missing: the log has a gap; nothing was changed. Restore the log.`,
  )
