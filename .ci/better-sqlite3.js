// Holds the SQLite store on better-sqlite3 to the contract of logs, with the packed package and without a test runner.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createStoreLog, openStoreLog } from 'turnwise'
import { sqliteStore } from 'turnwise/sqlite'
import { logContract } from 'turnwise/testing'

const dir = mkdtempSync(join(tmpdir(), 'better-sqlite3-'))
let skew = 0
const connect = () =>
  sqliteStore(join(dir, 'store.db'), {
    driver: 'better-sqlite3',
    pollMs: 5,
    now: () => Date.now() + skew,
  }).events
const store = connect()

const cases = logContract({
  create: (id, options) =>
    createStoreLog(store, { id, formatVersion: 1, createdAt: 1 }, [], options),
  open: (id) => openStoreLog(store, id),
  takeOver: (id) => openStoreLog(store, id, { force: true }),
  store: async () => store,
  other: async () => connect(),
  moveClock: (ms) => {
    skew += ms
  },
})
let failed = 0
let passed = 0
for (const entry of cases) {
  const { name, skip } = entry
  if (skip !== undefined) continue
  try {
    await entry.run()
    passed++
  } catch (error) {
    failed++
    console.log(`!! ${name}:`, error)
  }
}
await store.close()
rmSync(dir, { recursive: true })
console.log(`better-sqlite3 on Node ${process.versions.node}: ${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 && passed > 0 ? 0 : 1
