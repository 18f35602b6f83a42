/**
 * docs/sessions.md shows an example that runs, and names what is there.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, vi } from 'vitest'
import * as api from '../../src/index.ts'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/sessions.md'), 'utf8')

it('shows examples/sessions.js as it is', () => {
  const shown = /```js\n\/\/ examples\/sessions\.js\n([\s\S]*?)```/.exec(page)?.[1]
  expect(shown).toBe(readFileSync(join(root, 'examples/sessions.js'), 'utf8'))
})

/** Examples are plain JavaScript without types. */
const example = (name: string): Promise<unknown> => import(`../../examples/${name}.js`)

it('the example runs', async () => {
  const home = process.cwd()
  const folder = mkdtempSync(join(tmpdir(), 'turnwise-sessions-'))
  const printed: string[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((...words: unknown[]) => {
    printed.push(words.join(' '))
  })
  process.chdir(folder)
  try {
    await example('sessions')
  } finally {
    process.chdir(home)
    log.mockRestore()
    rmSync(folder, { recursive: true, force: true })
  }
  expect(printed).toEqual([
    'session/created shopping',
    'agent/created shopping',
    'session-start shopping',
    'agent/disposed shopping',
    'session/disposed shopping',
    'session/created shopping',
    'agent/created shopping',
    'session-start shopping',
    '1',
    'Eggs, too.',
    'agent/disposed shopping',
    'session/disposed shopping',
  ])
})

it.each([...page.matchAll(/\]\(([^)#\s]+)/g)].map(([, target = '']) => target))(
  'links to %s, which is there',
  (target) => {
    expect(existsSync(join(root, 'docs', dirname(target), target))).toBe(true)
  },
)

it.each(
  [...page.matchAll(/`(\w+)\(/g)]
    .map(([, name = '']) => name)
    .filter((name) => /^(?:compactionPolicy|take|fold|check|repair|create\w)/.test(name)),
)('names %s, which is public', async (name) => {
  const testing = await import('../../src/testing/index.ts')
  expect(name in api || name in testing).toBe(true)
})
