import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Client } from 'pg'
import type { NewEvent } from '../../src/events/event.ts'
import type { EventLog } from '../../src/log/event-log.ts'
import { createFileLog } from '../../src/log/file-log.ts'
import { postgresStore } from '../../src/log/postgres/postgres-store.ts'
import { findDriver } from '../../src/log/sqlite/driver.ts'
import { SETTINGS } from '../../src/log/sqlite/schema.ts'
import { sqliteStore } from '../../src/log/sqlite/sqlite-store.ts'
import { startPostgres } from '../../test/stores/postgres-server.ts'
import type { PostgresServer } from '../../test/stores/postgres-server.ts'
import { median, ratioOf, rounds } from '../measure.ts'
import type { Effort, Row, Section } from '../section.ts'

/** One event of ordinary size. */
const event: NewEvent = {
  type: 'inbox/discarded',
  data: { ids: [], reason: 'cleared', actor: 'x'.repeat(200) },
}
const LINE = JSON.stringify({ seq: 100_000, time: 1_700_000_000_000, ...event })

/** Something that keeps events of one kind of store. */
interface Kept {
  readonly name: string
  /** A new log. */
  readonly open: (id: string) => Promise<EventLog>
  /** The same without this library: one durable line, with the statement that the store uses. */
  readonly bare: () => Promise<() => unknown>
  readonly close: () => Promise<void>
}

/** Appends per second of each store. */
export const stores: Section = {
  name: 'stores',
  title: 'Stores',
  note: 'Durable appends per second of an event of 300 bytes. Bare: the same line written with the plain driver, one by one (file: write and fdatasync). One by one: each is waited for. Grouped: a session appends without waiting, 5,000 at a time. 1,000 sessions: all at once, each waits for its own. The ratio is to bare, so it is better when it is higher.',
  run: async (effort) => {
    const server = await startPostgres(true)
    const dir = mkdtempSync(join(dirname(effort.file()), 'stores-'))
    const kept = [file(dir), sqlite(dir), await postgres(server)]
    const rows: Row[] = []
    for (const each of kept) rows.push(...(await measure(each, effort)))
    for (const each of kept) await each.close()
    await server.stop()
    rmSync(dir, { recursive: true })
    return rows
  },
}

async function measure({ name, open, bare }: Kept, { quick }: Effort): Promise<Row[]> {
  const writeBare = await bare()
  let logs = 0
  const fresh = () => open(`${name}-${++logs}`.toLowerCase())
  const log = await fresh()
  const many = await Promise.all(Array.from({ length: quick ? 100 : 1000 }, fresh))
  const few = quick ? 50 : 200
  const sides = [
    { name: 'bare, one by one', count: few, work: () => repeat(few, async () => writeBare()) },
    { name: 'one by one', count: few, work: () => repeat(few, () => appended(log)) },
    { name: 'grouped', count: GROUP, work: () => grouped(log) },
    {
      name: `${many.length} sessions`,
      count: many.length * EACH,
      work: async () => {
        await Promise.all(many.map((each) => repeat(EACH, () => appended(each))))
      },
    },
  ]
  const results = await rounds(sides, quick ? 3 : 7, 1, async ({ count, work }) => {
    const start = performance.now()
    await work()
    return (count / (performance.now() - start)) * 1000
  })
  for (const each of [log, ...many]) await each.close()
  const base = results.get('bare, one by one') ?? []
  return sides.map(({ name: what }, at) => {
    const values = results.get(what) ?? []
    const row = { what, subject: name, value: median(values), unit: 'appends/s' }
    return at === 0 ? row : { ...row, ratio: ratioOf(values, base) }
  })
}

const GROUP = 5000
/** Appends of each of many sessions. */
const EACH = 3

async function appended(log: EventLog): Promise<void> {
  log.append(event, 1)
  await log.durable(log.length - 1)
}

async function grouped(log: EventLog): Promise<void> {
  for (let n = 0; n < GROUP; n++) log.append(event, 1)
  await log.flush()
}

async function repeat(count: number, work: () => Promise<unknown>): Promise<void> {
  for (let n = 0; n < count; n++) await work()
}

function file(dir: string): Kept {
  return {
    name: 'file',
    open: (id) => createFileLog({ dir, id }),
    bare: async () => {
      const fd = openSync(join(dir, 'bare'), 'a')
      return () => {
        writeSync(fd, `${LINE}\n`)
        fdatasyncSync(fd)
      }
    },
    close: async () => {
      closeSync(openSync(join(dir, 'bare'), 'r'))
    },
  }
}

function sqlite(dir: string): Kept {
  const store = sqliteStore(join(dir, 'store.db'))
  const db = findDriver()(join(dir, 'bare.db'))
  return {
    name: 'SQLite',
    open: (id) => store.create({ id, formatVersion: 1, createdAt: 1 }),
    bare: async () => {
      db.exec(SETTINGS)
      db.exec('create table events (seq integer primary key, body text not null)')
      const insert = db.prepare('insert into events (body) values (?)')
      return () => insert.run(LINE)
    },
    close: async () => {
      db.close()
      await store.close()
    },
  }
}

async function postgres({ url }: PostgresServer): Promise<Kept> {
  const store = await postgresStore(url)
  const client = new Client(url)
  return {
    name: 'PostgreSQL',
    open: (id) => store.create({ id, formatVersion: 1, createdAt: 1 }),
    bare: async () => {
      await client.connect()
      await client.query(
        'create table bare (seq bigint generated always as identity primary key, body text)',
      )
      const insert = { name: 'bare', text: 'insert into bare (body) values ($1)', values: [LINE] }
      return () => client.query(insert)
    },
    close: async () => {
      await client.end()
      await store.close()
    },
  }
}
