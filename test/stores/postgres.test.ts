import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresStore } from '../../src/log/postgres/postgres-store.ts'
import type { LogStore } from '../../src/log/store/log-store.ts'
import { createStoreLog, openStoreLog } from '../../src/log/store/store-log.ts'
import { eventually, headerOf, newId, note } from '../../src/testing/log-contract/samples.ts'
import { CuttingProxy } from './cutting-proxy.ts'
import { startPostgres } from './postgres-server.ts'
import type { PostgresServer } from './postgres-server.ts'
import { runContract } from './run-contract.ts'

let server: PostgresServer
let proxy: CuttingProxy
/** Its connections go through the proxy. */
let through: LogStore
let store: LogStore

beforeAll(async () => {
  server = await startPostgres()
  proxy = new CuttingProxy(server.port)
  await proxy.listen()
  store = await connect(server.port)
  through = await connect(proxy.port)
}, 120_000)

afterAll(async () => {
  await store.close()
  await through.close()
  await proxy.close()
  await server.stop()
})

const urlOf = (port: number): string => `postgres://postgres@127.0.0.1:${port}/postgres`
const connect = (port: number) => postgresStore(urlOf(port), { pollMs: 1000 })

async function query(sql: string, values: unknown[] = []) {
  const client = new Client(urlOf(server.port))
  await client.connect()
  const { rows } = await client.query(sql, values)
  await client.end()
  return rows as { [column: string]: unknown }[]
}

runContract('PostgreSQL store', {
  create: (id, options) => createStoreLog(store.events, headerOf(id), [], options),
  open: (id) => openStoreLog(store.events, id),
  takeOver: (id) => openStoreLog(store.events, id, { force: true }),
  damage: async (id, seq, how) => {
    const where = 'session = (select key from turnwise.sessions where id = $1) and seq = $2'
    await query(
      how === 'text'
        ? `update turnwise.events set body = substr(body, 2) where ${where}`
        : `delete from turnwise.events where ${where}`,
      [id, seq],
    )
  },
  store: async () => through.events,
  other: async () => (await connect(server.port)).events,
  cut: (at) => {
    proxy.cut(at)
  },
})

describe('a PostgreSQL store', () => {
  it('gives a session of a store that is gone to the next one, before the lease runs out', async () => {
    const id = newId()
    const gone = await connect(server.port)
    await createStoreLog(gone.events, headerOf(id), [], { ttlMs: 3_600_000 })
    await expect(store.open(id)).rejects.toMatchObject({ code: 'SESSION_LIVE' })
    await gone.close()
    const log = await eventually(() => store.open(id))
    expect(log.lease.epoch).toBe(2)
    await log.close()
  })

  it('goes on telling subscribers when the connection that listens is cut', async () => {
    const id = newId()
    const log = await store.create(headerOf(id))
    const ending = new AbortController()
    const seen = (async () => {
      const seqs: number[] = []
      for await (const { seq } of store.events.subscribe(id, { signal: ending.signal })) {
        seqs.push(seq)
        if (seq === 3) return seqs
      }
      return seqs
    })()
    for (let n = 0; n < 4; n++) {
      await query(`select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen%'
        or query like 'select pg_advisory_lock%'`)
      log.append(note({ n }), 1)
      await log.flush()
    }
    expect(await seen).toEqual([0, 1, 2, 3])
    await log.close()
  })

  it('commits to disk also where the server is set to answer earlier', async () => {
    await query('alter system set synchronous_commit = off')
    await query('select pg_reload_conf()')
    const other = await postgresStore(urlOf(server.port), { schema: 'durable' })
    await query(`create table durable.seen as select current_setting('synchronous_commit') as it;
      create function durable.look() returns trigger language plpgsql as $$ begin
        insert into durable.seen values (current_setting('synchronous_commit')); return null;
      end $$;
      create trigger look after insert on durable.events execute function durable.look()`)
    const log = await other.create(headerOf(newId()))
    log.append(note({}), 1)
    await log.close()
    await other.close()
    await query('alter system reset synchronous_commit')
    await query('select pg_reload_conf()')
    const seen = await query('select it from durable.seen')
    // This connection, then the creation and the append.
    expect(seen.map(({ it: found }) => found)).toEqual(['off', 'on', 'on'])
  })

  it('opens for several who come at once, though none of its tables is there', async () => {
    const stores = await Promise.all(
      Array.from({ length: 4 }, () => postgresStore(urlOf(server.port), { schema: 'fresh' })),
    )
    expect(await Promise.all(stores.map((each) => each.list()))).toEqual([[], [], [], []])
    await Promise.all(stores.map((each) => each.close()))
  })

  it('refuses a later layout and a bad name', async () => {
    await (await postgresStore(urlOf(server.port), { schema: 'later' })).close()
    await query('update later.layout set version = 2')
    await expect(postgresStore(urlOf(server.port), { schema: 'later' })).rejects.toMatchObject({
      code: 'UNKNOWN_EVENT',
    })
    await expect(postgresStore(urlOf(server.port), { schema: 'a"b' })).rejects.toMatchObject({
      code: 'INVALID_OPTION',
    })
  })

  it('says when it cannot be reached', async () => {
    await expect(postgresStore('postgres://nobody@127.0.0.1:1/none')).rejects.toThrow(
      'ECONNREFUSED',
    )
  })
})
