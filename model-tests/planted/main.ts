/**
 * `npm run planted [-- ID ...] [--tier T ...] [--all]`: plants faults one by one and looks which tier notices.
 *
 * The cheap tiers are asked always, the others from the cheaper to the dearer until something is found. What was found is kept
 * in `found.json`, and the table of docs/testing.md is made from it.
 *
 * @module
 */
import { parseArgs } from 'node:util'
import { FAULTS } from './faults.ts'
import { findersOf, type Findings, readFound, writeFound } from './found.ts'
import { writePage } from './page.ts'
import { explorePlanted } from './run.ts'
import { TIER_NAMES, type TierName } from './tier-names.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Ask only these. */
    tier: { type: 'string', multiple: true, default: [...TIER_NAMES] },
    /** Ask every tier, also when another has found the fault. */
    all: { type: 'boolean', default: false },
    /** Processes at once. */
    workers: { type: 'string', default: '2' },
  },
})

/** Tiers that take a few seconds at most. */
const CHEAP: readonly TierName[] = ['charts', 'simulation']

const out = (text: string): void => void process.stdout.write(`${text}\n`)

function refuse(kind: string, unknown: readonly string[], known: readonly string[]): void {
  if (unknown.length === 0) return
  process.stderr.write(
    `planted: expected ${kind} of ${known.join(', ')}, found ${unknown.join(', ')}. Nothing was run.\n`,
  )
  process.exit(2)
}

const ids = FAULTS.map(({ id }) => id)
const tiers = TIER_NAMES.filter((tier) => values.tier.includes(tier))
refuse(
  'tiers',
  values.tier.filter((tier) => !TIER_NAMES.includes(tier as TierName)),
  TIER_NAMES,
)
refuse(
  'faults',
  positionals.filter((id) => !ids.includes(id)),
  ids,
)

const found: Record<string, Findings> = { ...readFound() }
const waiting = positionals.length > 0 ? [...positionals] : [...ids]
const total = waiting.length
let done = 0

async function lookFor(id: string): Promise<void> {
  const findings: { [Tier in TierName]?: string | null } = {}
  for (const tier of tiers) {
    const enough = findersOf(findings).length > 0 && !CHEAP.includes(tier)
    if (enough && !values.all) break
    // eslint-disable-next-line no-await-in-loop -- the next one is asked when this one found nothing
    findings[tier] = await explorePlanted(id, tier)
  }
  // What an earlier look found stays where this one did not ask.
  found[id] = { ...found[id], ...findings }
  writeFound(found)
  done += 1
  const finders = findersOf(findings)
  const [first] = finders
  const words = first === undefined ? 'nothing' : `${finders.join(', ')}: ${findings[first]}`
  out(`${done}/${total} ${id}: ${words}`)
}

async function worker(): Promise<void> {
  for (let id = waiting.shift(); id !== undefined; id = waiting.shift())
    // eslint-disable-next-line no-await-in-loop -- one after another, beside the other workers
    await lookFor(id)
}

await Promise.all(Array.from({ length: Number(values.workers) }, worker))
writePage(found)
const open = ids.filter((id) => findersOf(found[id]).length === 0)
out(
  open.length === 0
    ? 'Every planted fault is found.'
    : `Found by no tier that was asked: ${open.join(', ')}`,
)
process.exitCode = open.length === 0 ? 0 : 1
