/**
 * Opens a store in a PostgreSQL database.
 *
 * @module
 */
import type { ClientBase, ClientConfig, Pool } from 'pg'
import { TurnwiseError } from '../../errors.ts'
import { BackedStore } from '../store/backed-store.ts'
import { LogStore } from '../store/log-store.ts'
import type { StoreLogOptions } from '../store/store-log.ts'
import { loadPg } from './driver.ts'
import { Listener } from './listener.ts'
import { PostgresBackend } from './postgres-backend.ts'
import { LAYOUT, MAKING, tables } from './statements.ts'

/** A connection string, or the options of a client of `pg`. */
export type PostgresConnection = string | { readonly [option: string]: unknown }

export interface PostgresStoreOptions extends StoreLogOptions {
  /** Schema of the tables, made if it is not there. Lower case letters, digits and `_`. Default `turnwise`. */
  readonly schema?: string
  /** Connections for reading and writing, beside the one that listens. Default 4. */
  readonly connections?: number
  /** Ms after which a waiting reader looks by itself, should a notification have been lost. Default 1500. */
  readonly pollMs?: number
  /** Ms after which a statement counts as lost, and its connection with it. Default 30 000. */
  readonly statementMs?: number
}

const SCHEMA = /^[a-z_][a-z0-9_]{0,40}$/

/**
 * Opens the store, and makes its tables if there are none.
 *
 * @throws TurnwiseError INVALID_OPTION for a bad schema name, or without the package `pg`; UNKNOWN_EVENT for tables of a later
 *   layout; what `pg` says of a database that cannot be reached.
 */
export async function postgresStore(
  connection: PostgresConnection,
  options: PostgresStoreOptions = {},
): Promise<LogStore> {
  const { schema = 'turnwise', connections = 4, pollMs = 1500, statementMs = 30_000 } = options
  checkSchema(schema)
  const config: ClientConfig = {
    keepAlive: true,
    application_name: 'turnwise',
    query_timeout: statementMs,
    ...(typeof connection === 'string' ? { connectionString: connection } : connection),
  }
  // The pool waits for what it returns, which its types do not say.
  const onConnect = commitToDisk as (client: ClientBase) => void
  const pg = await loadPg()
  const pool = new pg.Pool({ ...config, max: connections, onConnect })
  // A connection that dies while nobody uses it is replaced; the next statement hears of a server that is gone.
  pool.on('error', () => {})
  const listener = new Listener(pg, config, `turnwise_${schema}`)
  try {
    await make(pool, schema)
    await listener.connect()
  } catch (error) {
    await pool.end()
    throw error
  }
  const name = `PostgreSQL (${schema})`
  const backend = new PostgresBackend({ pool, listener, name, schema, pollMs })
  return new LogStore(new BackedStore(backend), options)
}

/** A server may be set to answer before a commit is on disk; what is stricter than `on` is left alone. */
const commitToDisk = (client: ClientBase) =>
  client.query(`select set_config('synchronous_commit', 'on', false)
    where current_setting('synchronous_commit') = 'off'`)

function checkSchema(schema: string): void {
  if (SCHEMA.test(schema)) return
  throw new TurnwiseError(
    'INVALID_OPTION',
    `expected a schema name of lower case letters, digits and _, found ${JSON.stringify(schema)}; nothing was opened.`,
  )
}

/** Under a lock: two processes that make one schema at once would fail on each other. */
async function make(pool: Pool, schema: string): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('select pg_advisory_lock($1, 0)', [MAKING])
    await client.query(tables(schema))
    const { rows } = await client.query(`select version from ${schema}.layout`)
    const [{ version }] = rows as [{ readonly version: number }]
    if (version > LAYOUT) {
      throw new TurnwiseError(
        'UNKNOWN_EVENT',
        `expected tables of layout ${LAYOUT} or earlier, found ${version}; nothing was changed. Upgrade.`,
      )
    }
  } finally {
    // The lock goes with the connection, also when a statement failed.
    client.release(true)
  }
}
