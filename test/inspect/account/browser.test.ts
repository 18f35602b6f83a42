/**
 * What the page of the viewer runs must run in a browser: nothing below it may reach Node or the machines.
 */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

const SRC = join(import.meta.dirname, '../../../src')
const IMPORT = /(?:^|\n)(?:import|export)(?!\s+type)\b[^'"]*?\bfrom\s+['"]([^'"]+)['"]/g

/** Packages that a file leads to, with everything below it. Types are gone by then. */
function reached(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen
  seen.add(file)
  for (const [, from = ''] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
    if (from.startsWith('.')) reached(join(dirname(file), from), seen)
    else seen.add(from)
  }
  return seen
}

it.each([
  'inspect/account/why-not-idle.ts',
  'inspect/account/budgets-used.ts',
  'inspect/account/message-fates.ts',
  'inspect/account/standing.ts',
  'inspect/account/places.ts',
  'inspect/viewer/wire.ts',
])('%s needs no more than the projections do', (file) => {
  const packages = [...reached(join(SRC, file))].filter((path) => !path.startsWith('/'))
  expect(packages.filter((name) => name !== 'immer' && name !== 'rxjs')).toEqual([])
})
