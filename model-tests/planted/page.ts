/**
 * The table of docs/testing.md that says which tier finds which planted fault.
 *
 * @module
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pageTable, pageWith } from '../../scripts/page-table.ts'
import { FAULTS } from './faults.ts'
import type { Found } from './found.ts'
import { TIER_NAMES } from './tier-names.ts'

const PAGE = join(import.meta.dirname, '../../docs/testing.md')

function cellOf(found: string | null | undefined): string {
  if (found === undefined) return ''
  return found === null ? 'no' : 'yes'
}

/** A row for each fault, a column for each tier; empty where the tier was not asked. */
export const foundTable = (found: Found): string =>
  pageTable([
    ['fault', 'the mistake', ...TIER_NAMES],
    ...FAULTS.map(({ id, what }) => [
      id,
      what,
      ...TIER_NAMES.map((tier) => cellOf(found[id]?.[tier])),
    ]),
  ])

/** `page` with the table as it follows from `found`. */
export const plantedPage = (page: string, found: Found): string =>
  pageWith(page, 'planted', foundTable(found))

export const writePage = (found: Found): void => {
  writeFileSync(PAGE, plantedPage(readFileSync(PAGE, 'utf8'), found))
}
