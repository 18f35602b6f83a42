/**
 * `turnwise/postgres`: sessions in a PostgreSQL database.
 *
 * @module
 */
export type * from '../store/event-store.ts'
export { LogStore } from '../store/log-store.ts'
export { type StoreLog, type StoreLogOptions } from '../store/store-log.ts'
export {
  type PostgresConnection,
  postgresStore,
  type PostgresStoreOptions,
} from './postgres-store.ts'
