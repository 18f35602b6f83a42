/**
 * The examples of tests by generated paths: each is run here as it stands.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'

const folder = join(import.meta.dirname, '../examples/path-tests')
const files = readdirSync(folder)

// These two register their tests while they are loaded.
await import('../examples/path-tests/approval-policy.ts')
await import('../examples/path-tests/tool-set.ts')

it('any-runner.js walks paths by itself', async () => {
  const said = vi.spyOn(console, 'log').mockImplementation(() => {})
  // Plain JavaScript has no types.
  const name = '../examples/path-tests/any-runner.js'
  await import(name)
  expect(said.mock.calls.flat()).toEqual([expect.stringMatching(/at \d{3} moments$/)])
  said.mockRestore()
})

it.each(files)('%s has less than forty lines', (file) => {
  expect(readFileSync(join(folder, file), 'utf8').trimEnd().split('\n').length).toBeLessThan(40)
})
