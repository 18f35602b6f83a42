/**
 * docs/embedding.md shows an example that runs, and names what is there.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { metricsText } from '../../../src/sessions/host/metrics-text.ts'
import { hostRig } from './rig.ts'

const root = join(import.meta.dirname, '../../..')
const page = readFileSync(join(root, 'docs/embedding.md'), 'utf8')

it('shows examples/host.ts as it is', () => {
  const shown = /```ts\n\/\/ examples\/host\.ts\n([\s\S]*?)```/.exec(page)?.[1]
  expect(shown).toBe(readFileSync(join(root, 'examples/host.ts'), 'utf8'))
})

it('shows an example that runs, and takes its listeners with it', async () => {
  const printed: string[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((...words: unknown[]) => {
    printed.push(words.join(' '))
  })
  const before = process.listeners('SIGTERM')
  try {
    await import('../../../examples/host.ts')
  } finally {
    log.mockRestore()
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      for (const listener of process.listeners(signal))
        if (!before.includes(listener)) process.off(signal, listener)
  }
  expect(printed).toEqual(['Hello, bob-1.', 'closed with 0'])
})

it('names every metric', async () => {
  const { host } = hostRig()
  const names = [...metricsText(host.metrics()).matchAll(/^# TYPE (\S+) /gm)].map(
    ([, name]) => name,
  )
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([])
  await host.close()
})
