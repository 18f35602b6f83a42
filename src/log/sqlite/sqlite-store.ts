/**
 * Opens a store in a SQLite file.
 *
 * @module
 */
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { TurnwiseError } from '../../errors.ts'
import { BackedStore } from '../store/backed-store.ts'
import { LogStore } from '../store/log-store.ts'
import type { StoreLogOptions } from '../store/store-log.ts'
import { findDriver } from './driver.ts'
import type { SqliteDatabase, SqliteDriverName } from './driver.ts'
import { LAYOUT, SETTINGS, TABLES } from './schema.ts'
import { SqliteBackend } from './sqlite-backend.ts'
import type { SqliteBackendOptions } from './sqlite-backend.ts'

export interface SqliteStoreOptions extends StoreLogOptions, SqliteBackendOptions {
  /** Default `auto`: `node:sqlite` where Node has it, else better-sqlite3. */
  readonly driver?: SqliteDriverName
  /** Sees the connection before anybody uses it, for settings of your own such as `cache_size`. */
  readonly onOpen?: (db: SqliteDatabase) => void
}

/**
 * Opens the store in `file`, creating it with mode 0600 if there is none.
 *
 * @throws TurnwiseError INVALID_OPTION without a driver; UNKNOWN_EVENT for a file of a later layout; what the system
 *   says of a file that cannot be opened.
 */
export function sqliteStore(file: string, options: SqliteStoreOptions = {}): LogStore {
  const open = findDriver(options.driver)
  createPrivate(file)
  const db = open(file)
  try {
    prepare(db)
    options.onOpen?.(db)
    return new LogStore(new BackedStore(new SqliteBackend(db, file, options)), options)
  } catch (error) {
    db.close()
    throw error
  }
}

/** SQLite gives its journal files the mode of the database. */
function createPrivate(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  closeSync(openSync(file, 'a', 0o600))
}

function prepare(db: SqliteDatabase): void {
  db.exec(SETTINGS)
  const found = db.prepare('pragma user_version').get() as { readonly user_version: number }
  if (found.user_version > LAYOUT) {
    throw new TurnwiseError(
      'UNKNOWN_EVENT',
      `expected a store of layout ${LAYOUT} or earlier, found ${found.user_version}; nothing was changed. Upgrade.`,
    )
  }
  if (found.user_version === LAYOUT) return
  db.exec(`begin immediate; ${TABLES} pragma user_version = ${LAYOUT}; commit`)
}
