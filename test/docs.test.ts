/**
 * Documents that are made from the code, or checked against it. `npm run docs` rewrites the made ones.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { eventsPage } from '../scripts/events-page.ts'
import { lifecyclePicture } from '../scripts/lifecycle-picture.ts'
import { machinesPage } from '../scripts/machines-page.ts'
import { lifecycleMermaid } from '../src/inspect/lifecycle.ts'
import { readMermaid } from './support/mermaid.ts'

const ROOT = join(import.meta.dirname, '..')
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
]

describe('a made page', () => {
  it('docs/machines.md draws the machines as they are', async () => {
    await expect(machinesPage()).toMatchFileSnapshot('../docs/machines.md')
  })

  it('docs/events.md lists the schemas as they are', async () => {
    await expect(eventsPage()).toMatchFileSnapshot('../docs/events.md')
  })
})

describe('a diagram', () => {
  it.each(['light', 'dark'] as const)(
    'of the lifecycle is drawn as the machines are, %s',
    async (theme) => {
      await expect(lifecyclePicture(theme)).toMatchFileSnapshot(
        `../docs/images/lifecycle-${theme}.svg`,
      )
    },
  )

  it('of the lifecycle in README.md is that of the machines', () => {
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
    const block = /<!-- lifecycle:begin -->[\s\S]*<!-- lifecycle:end -->/.exec(readme)?.[0] ?? ''
    expect(block).toContain(`\`\`\`mermaid\n${lifecycleMermaid()}\n\`\`\``)
    for (const theme of ['light', 'dark'])
      expect(block).toContain(`docs/images/lifecycle-${theme}.svg`)
  })

  const diagrams = pages.flatMap((page) =>
    [...readFileSync(join(ROOT, page), 'utf8').matchAll(/```mermaid\n([\s\S]*?)```/g)].map(
      ([, text = ''], index) => ({ page, index, text }),
    ),
  )
  it.each(diagrams)('$index of $page is one that Mermaid reads', async ({ text }) => {
    expect(await readMermaid(text)).toHaveProperty('db')
  })
})

/** Paths that a page names: targets of links, and files of this project in running text. */
function pathsIn(page: string): string[] {
  const text = readFileSync(join(ROOT, page), 'utf8')
  // What stands in code is no link.
  const prose = text.replaceAll(/`[^`\n]*`/g, '')
  const links = [...prose.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, to = '']) =>
    join(dirname(page), to),
  )
  const named = [
    ...text.matchAll(
      /(?<![\w./-])(?:src|test|model-tests|docs|examples|bench|scripts)\/[\w./-]*\w/g,
    ),
  ].map(([path]) => path)
  return [...new Set([...links, ...named])].filter((path) => !path.includes('*'))
}

describe('every path that a page names exists', () => {
  it.each(pages)('%s', (page) => {
    const missing = pathsIn(page).filter((path) => !existsSync(join(ROOT, path)))
    expect(missing).toEqual([])
  })
})

/** Anchors that headings of a page give, as the usual renderers make them. */
const anchorsOf = (page: string): Set<string> =>
  new Set(
    [...readFileSync(join(ROOT, page), 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w\s-]/g, '')
        .trim()
        .replaceAll(/\s/g, '-'),
    ),
  )

describe('every heading that a page links to exists', () => {
  it.each(pages)('%s', (page) => {
    const text = readFileSync(join(ROOT, page), 'utf8')
    const links = [...text.matchAll(/\]\(([^)#:]*)#([^)]+)\)/g)]
    const broken = links.filter(([, to = '', anchor = '']) => {
      const target = to === '' ? page : join(dirname(page), to)
      return !existsSync(join(ROOT, target)) || !anchorsOf(target).has(anchor)
    })
    expect(broken.map(([link]) => link)).toEqual([])
  })
})
