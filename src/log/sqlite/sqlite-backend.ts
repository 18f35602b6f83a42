/**
 * A store in one SQLite file, for many sessions or several processes of one machine.
 *
 * One connection writes, one transaction a group (`sqlite-writer.ts`). SQLite answers synchronously: a commit blocks this process while the
 * disk works, and for up to five seconds while another process commits.
 *
 * @module
 */
import type { LogHeader } from '../../events/event.ts'
import { isAlive, thisProcess } from '../process-mark.ts'
import type { ProcessMark } from '../process-mark.ts'
import type { QueuedAppend } from '../store/append-queue.ts'
import type {
  Backend,
  ClaimAnswer,
  ClaimRequest,
  Holding,
  InboxRow,
  RenewRequest,
  Row,
} from '../store/backend.ts'
import type { AppendOutcome, Head, ListedSession } from '../store/event-store.ts'
import { judge } from '../store/judge.ts'
import type { SqliteDatabase } from './driver.ts'
import { statementsOf } from './statements.ts'
import type { SessionRow } from './statements.ts'
import { SqliteWriter } from './sqlite-writer.ts'

export interface SqliteBackendOptions {
  /** Ms after which a waiting reader looks for what other processes wrote. Default 200. */
  readonly pollMs?: number
  /** The clock of leases, ms since the epoch. Default: that of the machine. */
  readonly now?: () => number
}

/** The statements of a SQLite database. */
export class SqliteBackend implements Backend {
  readonly name: string
  readonly inFlight = 1
  readonly pollMs: number
  private readonly db: SqliteDatabase
  private readonly sql: ReturnType<typeof statementsOf>
  private readonly writer: SqliteWriter
  private readonly now: () => number
  private dataVersion = 0
  private readonly mark = JSON.stringify(thisProcess())

  constructor(db: SqliteDatabase, file: string, options: SqliteBackendOptions = {}) {
    this.name = `SQLite (${file})`
    this.db = db
    this.sql = statementsOf(db)
    this.writer = new SqliteWriter(db)
    this.pollMs = options.pollMs ?? 200
    this.now = options.now ?? Date.now
  }

  async create(header: LogHeader, bodies: readonly string[]): Promise<boolean> {
    return this.writer.write(() => {
      if (this.row(header.id) !== undefined) return false
      const { lastInsertRowid } = this.sql.addSession.run(
        header.id,
        JSON.stringify(header),
        bodies.length,
      )
      this.insert(Number(lastInsertRowid), 0, bodies)
      return true
    })
  }

  async head(id: string): Promise<Head | undefined> {
    const row = this.row(id)
    return row && headOf(row)
  }

  async commit(group: readonly QueuedAppend[]): Promise<AppendOutcome[]> {
    return this.writer.write(() => group.map((append) => this.append(append)))
  }

  async rows(id: string, from: number, limit: number): Promise<readonly Row[]> {
    return this.sql.readEvents.all(id, from, limit) as Row[]
  }

  async claim(id: string, request: ClaimRequest): Promise<ClaimAnswer> {
    return this.writer.write(() => {
      const row = this.row(id)
      if (row === undefined) return { ok: false, held: undefined }
      const held = this.holding(row)
      if (held !== undefined && !request.force) return { ok: false, held }
      const epoch = row.epoch + 1
      const until = this.now() + request.ttlMs
      this.sql.claim.run(epoch, request.owner, this.mark, until, row.key)
      return { ok: true, epoch }
    })
  }

  async renew(leases: readonly RenewRequest[]): Promise<readonly boolean[]> {
    return this.writer.write(() =>
      leases.map(({ session, epoch, ttlMs }) => {
        const { changes } = this.sql.renew.run(this.now() + ttlMs, session, epoch)
        return Number(changes) === 1
      }),
    )
  }

  async release(id: string, epoch: number): Promise<void> {
    await this.writer.write(() => this.sql.release.run(id, epoch))
  }

  async remove(id: string): Promise<Holding | undefined> {
    return this.writer.write(() => {
      const row = this.row(id)
      if (row === undefined) return undefined
      const held = this.holding(row)
      if (held !== undefined) return held
      for (const statement of this.sql.remove) statement.run(row.key)
      return undefined
    })
  }

  async list(after: string, limit: number): Promise<readonly ListedSession[]> {
    const rows = this.sql.list.all(after, limit) as SessionRow[]
    return rows.map(({ header, version }) => ({ header: JSON.parse(header) as LogHeader, version }))
  }

  async send(
    id: string,
    { id: message, body }: InboxRow,
  ): Promise<'stored' | 'repeated' | undefined> {
    return this.writer.write(() => {
      const row = this.row(id)
      if (row === undefined) return undefined
      const { changes } = this.sql.send.run(row.key, message, body)
      return Number(changes) === 1 ? 'stored' : 'repeated'
    })
  }

  async pending(id: string): Promise<readonly InboxRow[]> {
    return this.sql.pending.all(id) as InboxRow[]
  }

  async taken(id: string, ids: readonly string[]): Promise<void> {
    await this.writer.write(() => this.sql.taken.run(id, JSON.stringify(ids)))
  }

  /** Other processes cannot tell. */
  watch(): void {}

  /** A number that SQLite keeps for each connection: it changes when another one has committed. */
  poll(): boolean {
    const { data_version: now } = this.sql.dataVersion.get() as { readonly data_version: number }
    const changed = now !== this.dataVersion
    this.dataVersion = now
    return changed
  }

  async close(): Promise<void> {
    this.writer.flush()
    this.db.close()
  }

  private append(append: QueuedAppend): AppendOutcome {
    const { bodies } = append
    const row = this.row(append.session)
    const standing = row && headOf(row)
    const answer = judge({ ...append, count: bodies.length }, standing)
    if (answer !== undefined || row === undefined) return answer as AppendOutcome
    const version = row.version + bodies.length
    this.insert(row.key, row.version, bodies)
    this.sql.advance.run(version, append.id, row.key)
    return { ok: true, version, repeated: false }
  }

  private insert(key: number, from: number, bodies: readonly string[]): void {
    for (const [at, body] of bodies.entries()) this.sql.addEvent.run(key, from + at, body)
  }

  private row(id: string): SessionRow | undefined {
    return (this.sql.session.get(id) ?? undefined) as SessionRow | undefined
  }

  /** A lease ends with its time, and with its process. */
  private holding({ owner, mark, lease_until: until }: SessionRow): Holding | undefined {
    const leftMs = until - this.now()
    if (owner === null || leftMs <= 0) return undefined
    return mark === null || isAlive(JSON.parse(mark) as ProcessMark) ? { owner, leftMs } : undefined
  }
}

const headOf = (row: SessionRow): Head => ({
  header: JSON.parse(row.header) as LogHeader,
  version: row.version,
  epoch: row.epoch,
  lastAppend: row.last_append,
})
