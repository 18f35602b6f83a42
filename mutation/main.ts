/**
 * `npm run mutate [-- ROOM ...]`: changes the code of a room a little, in every way the tool knows, and looks whether the
 * fast tiers of the tests notice. Without a room all are tried, one after another.
 *
 * Only what changed since the last run is tried again, and what no test noticed. The report of each room is kept in
 * `mutation/reports`, and the table of docs/testing.md is made from them.
 *
 * @module
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { Stryker } from '@stryker-mutator/core'
import { forgetUnnoticed, lastOf } from './last.ts'
import { writeTable } from './page.ts'
import { reportOf, scoreOf } from './report.ts'
import { ROOMS } from './rooms.ts'

/** Percent of the mutants that must be noticed. */
const GOAL = 90
const ROOT = join(import.meta.dirname, '..')

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** How many mutants are tried at once. */
    concurrency: { type: 'string', default: '2' },
    /** Try everything again. */
    force: { type: 'boolean', default: false },
  },
})

const unknown = positionals.filter((room) => ROOMS[room] === undefined)
if (unknown.length > 0) {
  process.stderr.write(
    `mutate: expected rooms of ${Object.keys(ROOMS).join(', ')}, found ${unknown.join(', ')}. Nothing was run.\n`,
  )
  process.exit(2)
}

const out = (text: string): void => void process.stdout.write(`${text}\n`)

const sourceOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

/** Tries one room; answers whether enough was noticed, or explained. */
async function tryRoom(room: string): Promise<boolean> {
  process.env['TURNWISE_ROOM'] = room
  forgetUnnoticed(ROOT, room)
  const found = await new Stryker({
    testRunner: 'room',
    plugins: [join(import.meta.dirname, 'runner/plugin.ts')],
    // There is nothing in a configuration of the compiler that the runner could use, and it does not know this compiler.
    tsconfigFile: 'none.json',
    mutate: [...(ROOMS[room]?.files ?? [])],
    coverageAnalysis: 'perTest',
    concurrency: Number(values.concurrency),
    reporters: ['progress-append-only'],
    incremental: true,
    incrementalFile: lastOf(room),
    force: values.force,
    tempDirName: 'mutation/last/sandbox',
    // The first run, without mutants, must also end on a busy machine.
    dryRunTimeoutMinutes: 30,
    timeoutMS: 5000,
    timeoutFactor: 1,
    // Worlds that were loaded for one mutant are never given back.
    maxTestRunnerReuse: 300,
  }).runMutationTest()
  const results = found.map((mutant) => ({ ...mutant, fileName: relative(ROOT, mutant.fileName) }))
  const report = reportOf(room, results, sourceOf)
  mkdirSync(join(ROOT, 'mutation/reports'), { recursive: true })
  writeFileSync(
    join(ROOT, `mutation/reports/${room}.json`),
    `${JSON.stringify(report, undefined, 2)}\n`,
  )
  writeTable()
  const open = report.survivors.filter(({ why }) => why === undefined)
  for (const { file, line, from, to } of open) out(`${file}:${line}\n  - ${from}\n  + ${to}`)
  const score = scoreOf(report)
  out(
    `${room}: ${report.mutants} mutants, ${score.toFixed(1)} % noticed, ${report.survivors.length} not, ${open.length} of them unexplained`,
  )
  return score >= GOAL || open.length === 0
}

const met: boolean[] = []
for (const room of positionals.length > 0 ? positionals : Object.keys(ROOMS))
  // eslint-disable-next-line no-await-in-loop -- rooms share the cores
  met.push(await tryRoom(room))
process.exitCode = met.every(Boolean) ? 0 : 1
