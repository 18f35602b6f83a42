/**
 * docs/acp.md shows the example as it is.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

it('docs/acp.md shows examples/acp-agent.ts as it is', () => {
  const block = `\`\`\`ts\n// examples/acp-agent.ts\n${read('examples/acp-agent.ts')}\`\`\``
  expect(read('docs/acp.md')).toContain(block)
})
