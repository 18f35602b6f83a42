/**
 * What the last run over a room left for the next one.
 *
 * @module
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

interface Kept {
  readonly files: Readonly<Record<string, { mutants: readonly { readonly status: string }[] }>>
}

/** Where Stryker keeps it, from the root. */
export const lastOf = (room: string): string => `mutation/last/${room}.json`

/**
 * Forgets the mutants that no test noticed, so that all of them are tried again: Stryker would skip those of code that
 * runs while a module is loaded, since it cannot tell which new tests reach them.
 */
export function forgetUnnoticed(root: string, room: string): void {
  const file = join(root, lastOf(room))
  if (!existsSync(file)) return
  const kept = JSON.parse(readFileSync(file, 'utf8')) as Kept
  for (const of of Object.values(kept.files))
    of.mutants = of.mutants.filter(({ status }) => status === 'Killed' || status === 'Timeout')
  writeFileSync(file, JSON.stringify(kept))
}
