/**
 * A store of logs is what a registry keeps its sessions in.
 */
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { sqliteStore } from '../../src/log/sqlite/sqlite-store.ts'
import { BackedStore } from '../../src/log/store/backed-store.ts'
import { LogStore } from '../../src/log/store/log-store.ts'
import { MemoryBackend } from '../../src/log/store/memory-backend.ts'
import { temporaryFolder } from '../log/files.ts'
import { storeContract } from '../sessions/store-contract.ts'

const dir = temporaryFolder()
const opened: LogStore[] = []
let stores = 0
afterAll(() => Promise.all(opened.map((store) => store.close())))

const kept = (store: LogStore): LogStore => {
  opened.push(store)
  return store
}

storeContract('SQLite', () => kept(sqliteStore(join(dir, `${++stores}.db`))))
storeContract('store in memory with leases', () =>
  kept(new LogStore(new BackedStore(new MemoryBackend()))),
)
