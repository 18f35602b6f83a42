import { createMemoryLog } from '../../src/log/memory-log.ts'
import { BackedStore } from '../../src/log/store/backed-store.ts'
import { MemoryBackend } from '../../src/log/store/memory-backend.ts'
import { createStoreLog, openStoreLog } from '../../src/log/store/store-log.ts'
import { headerOf, newId } from '../../src/testing/log-contract/samples.ts'
import { logContract } from '../log/contract.ts'
import { runContract } from './run-contract.ts'

runContract('memory log', {
  create: async (id, options) => createMemoryLog({ id, ...options }),
})

let skew = 0
const backend = new MemoryBackend(() => Date.now() + skew)
const store = new BackedStore(backend)

runContract('store in memory', {
  create: (id, options) => createStoreLog(store, headerOf(id), [], options),
  open: (id) => openStoreLog(store, id),
  takeOver: (id) => openStoreLog(store, id, { force: true }),
  damage: async (id, seq, how) => {
    backend.spoil(id, seq, how)
  },
  store: async () => store,
  other: async () => new BackedStore(backend),
  moveClock: (ms) => {
    skew += ms
  },
})

logContract('log in a store', (options) => createStoreLog(store, headerOf(newId()), [], options))
