/**
 * Every statement of a SQLite store, prepared once.
 *
 * @module
 */
import type { SqliteDatabase, SqliteStatement } from './driver.ts'

/** A row of `sessions`. */
export interface SessionRow {
  readonly key: number
  readonly id: string
  readonly header: string
  readonly version: number
  readonly epoch: number
  readonly last_append: string
  readonly owner: string | null
  /** The process of the owner, as JSON. */
  readonly mark: string | null
  readonly lease_until: number
}

const SQL = {
  dataVersion: 'pragma data_version',
  session: 'select * from sessions where id = ?',
  addSession: `insert into sessions (id, header, version, epoch, last_append, lease_until)
    values (?, ?, ?, 0, '', 0)`,
  addEvent: 'insert into events (session, seq, body) values (?, ?, ?)',
  advance: 'update sessions set version = ?, last_append = ? where key = ?',
  readEvents: `select seq, body from events
    where session = (select key from sessions where id = ?) and seq >= ? order by seq limit ?`,
  claim: 'update sessions set epoch = ?, owner = ?, mark = ?, lease_until = ? where key = ?',
  renew: 'update sessions set lease_until = ? where id = ? and epoch = ?',
  release: 'update sessions set owner = null, mark = null where id = ? and epoch = ?',
  list: 'select * from sessions where id > ? order by id limit ?',
  send: `insert into inbox (session, id, body, taken) values (?, ?, ?, 0)
    on conflict (session, id) do nothing`,
  pending: `select inbox.id, body from inbox join sessions on sessions.key = inbox.session
    where sessions.id = ? and taken = 0 order by place`,
  taken: `update inbox set taken = 1 where session = (select key from sessions where id = ?)
    and id in (select value from json_each(?))`,
}

const REMOVE = [
  'delete from events where session = ?',
  'delete from inbox where session = ?',
  'delete from sessions where key = ?',
]

type Statements = { readonly [name in keyof typeof SQL]: SqliteStatement } & {
  readonly remove: readonly SqliteStatement[]
}

export function statementsOf(db: SqliteDatabase): Statements {
  const prepared = Object.entries(SQL).map(([name, sql]) => [name, db.prepare(sql)] as const)
  return {
    ...(Object.fromEntries(prepared) as { [name in keyof typeof SQL]: SqliteStatement }),
    remove: REMOVE.map((sql) => db.prepare(sql)),
  }
}
