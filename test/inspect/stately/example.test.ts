/**
 * The example of docs/inspector.md runs as it stands.
 */
import { expect, it, vi } from 'vitest'

it('examples/stately.js shows a run and comes to its end', async () => {
  const printed: unknown[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((line: unknown) => {
    printed.push(line)
  })
  const example = '../../../examples/stately.js'
  await import(example)
  log.mockRestore()
  expect(printed).toEqual([expect.stringMatching(/^Look at http:\/\/127\.0\.0\.1:\d+\/, then/)])
})
