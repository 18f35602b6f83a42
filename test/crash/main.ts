/**
 * `npm run test:crash [-- --seed=N]`: kills at every append index and at many random instants, on every store, and prints
 * what it has cost. Exits 1 unless that is nothing.
 *
 * @module
 */
import { parseArgs } from 'node:util'
import { startPostgres } from '../stores/postgres-server.ts'
import { Killer } from './killer.ts'
import type { CrashReport } from './killer.ts'
import type { Place } from './worker-config.ts'

/** Appends of one prompt with its two calls, and some of the closing one. */
const INDICES = Array.from({ length: 32 }, (_, at) => at + 1)
const BUDGET = { indices: INDICES, random: 20, stops: 4, sessions: 20 }

const { values } = parseArgs({ options: { seed: { type: 'string' }, only: { type: 'string' } } })
const seed = Number(values.seed ?? Date.now() % 100_000)
const say = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

const server = await startPostgres()
const places: readonly ((dir: string) => Place)[] = [
  (dir) => ({ kind: 'file', dir }),
  (dir) => ({ kind: 'SQLite', dir }),
  () => ({ kind: 'PostgreSQL', url: server.url, schema: 'turnwise' }),
]
say(`seed ${seed}`)
try {
  for (const place of places) {
    if (values.only !== undefined && place('').kind !== values.only) continue
    show(await new Killer(place, seed).run(BUDGET))
  }
} finally {
  await server.stop()
}

function show(report: CrashReport): void {
  const { store, kills, stops, lost, doubled, gapped, doublyExecuted, faults } = report
  say(
    `${store}: ${kills} kills, ${stops} stops: ${lost.length} lost, ${doubled.length} doubled, ${gapped.length} gapped, ${doublyExecuted.length} doubly executed`,
  )
  const found = [...lost, ...doubled, ...gapped, ...doublyExecuted, ...faults]
  for (const fault of found) say(`  ${fault}`)
  if (found.length > 0) process.exitCode = 1
}
