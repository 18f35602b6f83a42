/**
 * docs/children.md and docs/goals.md show examples that run, and name what is there.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'

const root = join(import.meta.dirname, '../..')

const EXAMPLES: readonly [string, string, readonly string[]][] = [
  [
    'children',
    'parent-and-children',
    [
      'judge has completed',
      'It is a good text.',
      'counter has completed',
      'Two birds. woke',
      'user:Judge my text.,assistant:call c1,tool-result c1 ok,assistant:It is a good text.,user<child>:counter has stopped: completed.\n\nTwo birds.',
    ],
  ],
  [
    'goals',
    'goal',
    ['round 1', 'round 2', 'round 3', 'complete 3 All three chapters are written.'],
  ],
]

it.each(EXAMPLES)('docs/%s.md shows examples/%s.ts as it is', (page, example) => {
  const text = readFileSync(join(root, `docs/${page}.md`), 'utf8')
  const shown = new RegExp(`\`\`\`ts\\n// examples/${example}\\.ts\\n([\\s\\S]*?)\`\`\``).exec(
    text,
  )?.[1]
  expect(shown).toBe(readFileSync(join(root, `examples/${example}.ts`), 'utf8'))
})

it.each(EXAMPLES)('the example of docs/%s.md runs', async (_page, example, expected) => {
  const printed: string[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((...words: unknown[]) => {
    printed.push(words.join(' '))
  })
  try {
    await import(`../../examples/${example}.ts`)
  } finally {
    log.mockRestore()
  }
  expect(printed).toEqual(expected)
})
