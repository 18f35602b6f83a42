/**
 * The two drivers a SQLite store can stand on, seen through what both can do.
 *
 * @module
 */
import { createRequire } from 'node:module'
import { TurnwiseError } from '../../errors.ts'

type Value = string | number | null

/** A prepared statement. */
export interface SqliteStatement {
  run(...values: Value[]): { changes: number | bigint; lastInsertRowid: number | bigint }
  get(...values: Value[]): unknown
  all(...values: Value[]): unknown[]
}

/** An open database of `node:sqlite` or better-sqlite3. */
export interface SqliteDatabase {
  exec(sql: string): unknown
  prepare(sql: string): SqliteStatement
  close(): unknown
}

/** Opens the database in `file`. */
export type SqliteDriver = (file: string) => SqliteDatabase

/** Which driver: `auto` takes the one of Node if there is one. */
export type SqliteDriverName = 'auto' | 'node:sqlite' | 'better-sqlite3'

type Opener = new (file: string) => SqliteDatabase

/**
 * Finds a driver.
 *
 * @throws TurnwiseError INVALID_OPTION when none is there; it names both ways to have one.
 */
export function findDriver(name: SqliteDriverName = 'auto'): SqliteDriver {
  const own = name === 'better-sqlite3' ? undefined : ownDriver()
  const Database = own ?? (name === 'node:sqlite' ? undefined : installedDriver())
  if (Database !== undefined) return (file) => new Database(file)
  throw new TurnwiseError(
    'INVALID_OPTION',
    `expected a SQLite driver (${name}), found none on Node ${process.versions.node}; nothing was opened. Either run Node 22.13 or later, which has node:sqlite, or install better-sqlite3 (12.x on Node 20, 13.x on Node 22 and later): npm install better-sqlite3.`,
  )
}

/** Asked for by name at run time: an import would fail on a Node that has none. */
function ownDriver(): Opener | undefined {
  const builtin = process.getBuiltinModule('node:sqlite' as 'node:fs') as unknown
  return (builtin as { readonly DatabaseSync: Opener } | undefined)?.DatabaseSync
}

function installedDriver(): Opener | undefined {
  const require = createRequire(import.meta.url)
  let found
  try {
    found = require.resolve('better-sqlite3')
  } catch {
    return undefined
  }
  return require(found) as Opener
}
