/**
 * A store in a PostgreSQL database, for several processes or machines.
 *
 * A group of appends is one statement, fenced row by row. Leases run by the clock of the server, and end early when the
 * connection of their owner does.
 *
 * @module
 */
import type { Pool, QueryResult } from 'pg'
import type { LogHeader } from '../../events/event.ts'
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
import type { Standing } from '../store/judge.ts'
import type { Listener } from './listener.ts'
import { statements } from './statements.ts'
import type { StatementName } from './statements.ts'

/** Answers after which nothing was recorded for certain, and which another try may not meet. */
const CLASHES: ReadonlySet<unknown> = new Set(['40001', '40P01'])
const TRIES = 5

interface Judged extends Standing {
  readonly place: number
  readonly recorded: boolean
}

export interface PostgresParts {
  readonly pool: Pool
  readonly listener: Listener
  readonly name: string
  readonly schema: string
  readonly pollMs: number
}

/** The statements of a PostgreSQL database. */
export class PostgresBackend implements Backend {
  readonly name: string
  readonly inFlight = 2
  readonly pollMs: number
  private readonly pool: Pool
  private readonly listener: Listener
  private readonly sql: ReturnType<typeof statements>

  constructor({ pool, listener, name, schema, pollMs }: PostgresParts) {
    this.name = name
    this.pollMs = pollMs
    this.pool = pool
    this.listener = listener
    this.sql = statements(schema)
  }

  async create(header: LogHeader, bodies: readonly string[]): Promise<boolean> {
    const values = [header.id, JSON.stringify(header), bodies.length, bodies]
    const { rowCount } = await this.run('create', values)
    return rowCount === 1
  }

  async head(id: string): Promise<Head | undefined> {
    const { rows } = await this.run('head', [id])
    const row = rows[0] as (Standing & { readonly header: string }) | undefined
    return row && { ...row, header: JSON.parse(row.header) as LogHeader }
  }

  async commit(group: readonly QueuedAppend[]): Promise<AppendOutcome[]> {
    const { rows } = await this.run('commit', valuesOf(group))
    const judged = new Map((rows as Judged[]).map((row) => [row.place, row]))
    return group.map((append, at) => outcomeOf(append, judged.get(at + 1)))
  }

  async rows(id: string, from: number, limit: number): Promise<readonly Row[]> {
    return (await this.run('rows', [id, from, limit])).rows as Row[]
  }

  async claim(id: string, { owner, ttlMs, force }: ClaimRequest): Promise<ClaimAnswer> {
    const { rows } = await this.run('claim', [id, owner, this.listener.mark, ttlMs, force])
    const claimed = rows[0] as { readonly epoch: number } | undefined
    if (claimed !== undefined) return { ok: true, epoch: claimed.epoch }
    return { ok: false, held: await this.holding(id) }
  }

  async renew(leases: readonly RenewRequest[]): Promise<readonly boolean[]> {
    const { rows } = await this.run('renew', [
      leases.map(({ session }) => session),
      leases.map(({ epoch }) => epoch),
      leases.map(({ ttlMs }) => ttlMs),
    ])
    const kept = new Set((rows as { readonly place: number }[]).map(({ place }) => place))
    return leases.map((_, at) => kept.has(at + 1))
  }

  async release(id: string, epoch: number): Promise<void> {
    await this.run('release', [id, epoch])
  }

  async remove(id: string): Promise<Holding | undefined> {
    const { rowCount } = await this.run('remove', [id])
    return rowCount === 0 ? this.holding(id) : undefined
  }

  async list(after: string, limit: number): Promise<readonly ListedSession[]> {
    const rows = (await this.run('list', [after, limit])).rows as {
      readonly header: string
      readonly version: number
    }[]
    return rows.map(({ header, version }) => ({ header: JSON.parse(header) as LogHeader, version }))
  }

  async send(id: string, row: InboxRow): Promise<'stored' | 'repeated' | undefined> {
    const { rowCount } = await this.run('send', [id, row.id, row.body])
    if (rowCount === 1) return 'stored'
    return (await this.head(id)) === undefined ? undefined : 'repeated'
  }

  async pending(id: string): Promise<readonly InboxRow[]> {
    return (await this.run('pending', [id])).rows as InboxRow[]
  }

  async taken(id: string, ids: readonly string[]): Promise<void> {
    await this.run('taken', [id, ids])
  }

  watch(onChange: (session: string | undefined) => void): void {
    this.listener.listen(onChange)
  }

  announce(sessions: readonly string[]): void {
    this.listener.announce(sessions)
  }

  async close(): Promise<void> {
    await this.listener.close()
    await this.pool.end()
  }

  private async holding(id: string): Promise<Holding | undefined> {
    return (await this.run('holding', [id])).rows[0] as Holding | undefined
  }

  private async run(name: StatementName, values: unknown[]): Promise<QueryResult> {
    for (let left = TRIES; ; left--) {
      try {
        return await this.pool.query({ name: `turnwise-${name}`, text: this.sql[name], values })
      } catch (error) {
        if (left === 1 || !CLASHES.has((error as { readonly code?: unknown }).code)) throw error
      }
    }
  }
}

function valuesOf(group: readonly QueuedAppend[]): unknown[] {
  const places: number[] = []
  const seqs: number[] = []
  const bodies: string[] = []
  for (const [at, append] of group.entries()) {
    for (const [nth, body] of append.bodies.entries()) {
      places.push(at + 1)
      seqs.push(append.version + nth)
      bodies.push(body)
    }
  }
  return [
    group.map(({ session }) => session),
    group.map(({ id }) => id),
    group.map(({ version }) => version),
    group.map(({ epoch }) => epoch),
    group.map((append) => append.bodies.length),
    places,
    seqs,
    bodies,
  ]
}

function outcomeOf(append: QueuedAppend, judged: Judged | undefined): AppendOutcome {
  const count = append.bodies.length
  if (judged?.recorded === true)
    return { ok: true, version: append.version + count, repeated: false }
  const answer = judge({ ...append, count }, judged)
  if (answer !== undefined) return answer
  throw new Error(
    `session ${append.session} stands where the append expects, but it was not recorded`,
  )
}
