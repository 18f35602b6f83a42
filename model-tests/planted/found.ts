/**
 * What was found of the planted faults, as it is kept in `found.json`.
 *
 * @module
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FAULTS } from './faults.ts'
import { TIER_NAMES, type TierName } from './tier-names.ts'

/** What each tier that was asked found first; null when it found nothing. */
export type Findings = Readonly<Partial<Record<TierName, string | null>>>

export type Found = Readonly<Record<string, Findings>>

const FILE = join(import.meta.dirname, 'found.json')

export const readFound = (): Found =>
  existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Found) : {}

const inOrder = (findings: Findings): Findings =>
  Object.fromEntries(
    TIER_NAMES.filter((tier) => findings[tier] !== undefined).map((tier) => [tier, findings[tier]]),
  )

/** Keeps what was found, in the order of the faults and of the tiers; what is no fault any more goes. */
export function writeFound(found: Found): void {
  const kept = FAULTS.filter(({ id }) => found[id] !== undefined)
  const text = JSON.stringify(
    Object.fromEntries(kept.map(({ id }) => [id, inOrder(found[id] ?? {})])),
    undefined,
    2,
  )
  writeFileSync(FILE, `${text}\n`)
}

/** The tiers that found a fault, cheapest first. */
export const findersOf = (findings: Findings = {}): readonly TierName[] =>
  TIER_NAMES.filter((tier) => typeof findings[tier] === 'string')
