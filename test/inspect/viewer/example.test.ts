/**
 * The example of docs/viewer.md does what the page says, and stands there word for word; the help of the command too.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { INSPECT_HELP } from '../../../src/cli/inspect-arguments.ts'

const read = (file: string): string =>
  readFileSync(join(import.meta.dirname, '../../..', file), 'utf8')

it('examples/viewer.ts shows a living agent', async () => {
  const printed: unknown[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((...words: unknown[]) => {
    printed.push(...words)
  })
  await import('../../../examples/viewer.ts')
  log.mockRestore()
  expect(printed).toEqual([
    expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/#token=/),
    {
      agents: [expect.objectContaining({ id: 'greeter', status: 'idle', control: true })],
      control: true,
    },
  ])
})

it('docs/viewer.md shows it as it is', () => {
  expect(read('docs/viewer.md')).toContain(
    `\`\`\`ts\n// examples/viewer.ts\n${read('examples/viewer.ts')}\`\`\``,
  )
})

it('docs/cli.md shows the help as it is', () => {
  expect(read('docs/cli.md')).toContain(`\`\`\`text\n${INSPECT_HELP}\`\`\``)
})
