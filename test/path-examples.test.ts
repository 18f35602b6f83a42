/**
 * The examples of tests by generated paths: each is a file of tests, run here as it stands.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const folder = join(import.meta.dirname, '../examples/path-tests')
const files = readdirSync(folder).filter((file) => file.endsWith('.ts'))

// An example registers its tests while it is loaded.
for (const file of files) await import(join(folder, file))

it.each(files)('%s has less than forty lines', (file) => {
  expect(readFileSync(join(folder, file), 'utf8').trimEnd().split('\n').length).toBeLessThan(40)
})
