import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresStore } from '../../src/log/postgres/postgres-store.ts'
import type { LogStore } from '../../src/log/store/log-store.ts'
import { createStoreLog, openStoreLog } from '../../src/log/store/store-log.ts'
import { eventually, headerOf, newId } from '../../src/testing/log-contract/samples.ts'
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
