/**
 * `turnwise/sqlite`: sessions in one SQLite file.
 *
 * @module
 */
export type * from '../store/event-store.ts'
export { LogStore } from '../store/log-store.ts'
export { type StoreLog, type StoreLogOptions } from '../store/store-log.ts'
export type { SqliteDatabase, SqliteDriverName, SqliteStatement } from './driver.ts'
export { sqliteStore, type SqliteStoreOptions } from './sqlite-store.ts'
