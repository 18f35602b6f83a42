/** The example does what it says: it finds the hole of one policy, and none in the other. */
import { afterEach, expect, it, vi } from 'vitest'

afterEach(() => {
  vi.restoreAllMocks()
})

it('examples/explore.js finds the hole in a policy, and none in the sound one', async () => {
  const printed: string[] = []
  vi.spyOn(console, 'log').mockImplementation((words: string) => void printed.push(words))
  const example: string = '../../../examples/explore.js'
  await import(example)
  expect(printed[0]).toContain('and nobody had allowed it')
  expect(printed[0]).toContain('sequenceDiagram')
  expect(printed.at(-1)).toMatch(/^\d+ states, \d+ moves, no breach$/)
}, 60_000)
