/**
 * `npm run simulate -- --seed N --minutes M`: simulates seed after seed and stops at the first that fails.
 *
 * @module
 */
import { parseArgs } from 'node:util'
import { differ, simulateBoth } from './fuzz-both.ts'
import { shrink } from './fuzz-shrink.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '1' },
    seeds: { type: 'string', default: 'Infinity' },
    /** Names of decisions to leave out, with commas. */
    off: { type: 'string', default: '' },
    trace: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    /** Cut the first failure down. */
    shrink: { type: 'boolean', default: false },
    coverage: { type: 'boolean', default: false },
  },
})

const out = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

const off = new Set(values.off.split(',').filter((name) => name !== ''))
async function cutDown(failed: number, problem: string): Promise<void> {
  const { off: left, trace } = await shrink(failed, problem)
  out(`${problem}: seed ${failed} without ${left.size} decisions`)
  for (const line of trace) out(`  ${line}`)
  const both = await simulateBoth(failed, { off: left })
  for (const event of both.table.log) out(JSON.stringify(event).slice(0, 240))
}

const until = Date.now() + Number(values.minutes) * 60_000
const first = Number(values.seed)
const last = first + Number(values.seeds)
const sums = new Map<string, number>()
const kinds = new Map<string, number[]>()
let seed = first
for (; seed < last && Date.now() < until; seed += 1) {
  const both = await simulateBoth(seed, { off })
  for (const [what, n] of both.stock.coverage) sums.set(what, (sums.get(what) ?? 0) + n)
  const problems = [...both.table.problems, ...both.stock.problems, ...differ(both)]
  for (const problem of new Set(problems)) kinds.set(problem, [...(kinds.get(problem) ?? []), seed])
  if (values.trace) for (const line of both.table.trace) out(line)
  if (values.trace) for (const event of both.table.log) out(JSON.stringify(event).slice(0, 260))
  if (problems.length > 0 && values.shrink) await cutDown(seed, problems[0] ?? '')
  if (problems.length > 0 && !values.keep) break
}
if (values.coverage)
  for (const [what, n] of [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    out(`${String(n).padStart(9)} ${what}`)
for (const [problem, seeds] of [...kinds].toSorted((a, b) => b[1].length - a[1].length))
  out(`${seeds.length} × ${problem} (seeds ${seeds.slice(0, 8).join(' ')})`)
out(`${seed - first} seeds`)
process.exitCode = kinds.size > 0 ? 1 : 0
