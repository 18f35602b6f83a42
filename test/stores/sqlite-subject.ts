/**
 * A SQLite store as a subject of the contract of logs.
 *
 * @module
 */
import { join } from 'node:path'
import { findDriver } from '../../src/log/sqlite/driver.ts'
import type { SqliteDriverName } from '../../src/log/sqlite/driver.ts'
import { sqliteStore } from '../../src/log/sqlite/sqlite-store.ts'
import type { LogStore } from '../../src/log/store/log-store.ts'
import { createStoreLog, openStoreLog } from '../../src/log/store/store-log.ts'
import type { LogSubject } from '../../src/testing/log-contract.ts'
import { headerOf } from '../../src/testing/log-contract/samples.ts'
import { onSmallDisk } from './small-disk.ts'

/** @param dir - an empty folder. */
export function sqliteSubject(dir: string, driver: SqliteDriverName): LogSubject {
  const file = join(dir, 'store.db')
  let skew = 0
  const connect = () =>
    sqliteStore(file, { driver, pollMs: 5, now: () => Date.now() + skew }).events
  const store = connect()
  return {
    create: (id, options) => createStoreLog(store, headerOf(id), [], options),
    open: (id) => openStoreLog(store, id),
    takeOver: (id) => openStoreLog(store, id, { force: true }),
    damage: async (id, seq, how) => {
      const db = findDriver(driver)(file)
      const where = 'session = (select key from sessions where id = ?) and seq = ?'
      const sql =
        how === 'text'
          ? `update events set body = substr(body, 2) where ${where}`
          : `delete from events where ${where}`
      db.prepare(sql).run(id, seq)
      db.close()
    },
    store: async () => store,
    other: async () => connect(),
    moveClock: (ms) => {
      skew += ms
    },
    onSmallDisk: (work) =>
      onSmallDisk((disk) => {
        let opened: LogStore | undefined
        const small = () => (opened ??= sqliteStore(join(disk, 'store.db'), { driver }))
        return {
          create: async (id) => createStoreLog(small().events, headerOf(id)),
          // The owner is gone, but its lease could not be given back.
          open: (id) => openStoreLog(small().events, id, { force: true }),
          close: async () => opened?.close(),
        }
      }, work),
  }
}
