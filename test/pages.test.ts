/**
 * The pages as a whole: none is left out of the indexes, and the table of windows is whole and held by cases.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')
const pages = readdirSync(join(ROOT, 'docs')).filter((file) => file.endsWith('.md'))
const targetsOf = (text: string): string[] =>
  [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => target)

describe('docs/README.md', () => {
  it('lists every page once', () => {
    const listed = targetsOf(read('docs/README.md')).filter((target) => !target.startsWith('../'))
    expect(listed.toSorted()).toEqual(pages.filter((page) => page !== 'README.md').toSorted())
  })
})

describe('llms.txt', () => {
  const text = read('llms.txt')

  it('has the parts that llmstxt.org asks for: a title, a summary, lists of links below headings', () => {
    expect(text).toMatch(/^# turnwise\n\n> \S/)
    const sections = text.split(/^## /m).slice(1)
    expect(sections.length).toBeGreaterThan(1)
    for (const section of sections)
      expect(section).toMatch(/^\S[^\n]*\n\n(?:- \[[^\]]+\]\([^)]+\)(?:: [^\n]+)?\n)+\n?$/)
  })

  it('lists every page once, and nothing that does not exist', () => {
    const listed = targetsOf(text)
    expect(listed.filter((target) => !existsSync(join(ROOT, target)))).toEqual([])
    expect(listed.filter((target) => target.startsWith('docs/')).toSorted()).toEqual(
      pages.map((page) => `docs/${page}`).toSorted(),
    )
  })

  it('names every subpath of the package, and is part of it', () => {
    const { exports, files } = JSON.parse(read('package.json')) as {
      exports: Record<string, string>
      files: string[]
    }
    const subpaths = Object.keys(exports)
      .filter((path) => path !== './package.json')
      .map((path) => path.replace('.', 'turnwise'))
    const named = /^- Subpaths: (.*)$/m.exec(text)?.[1] ?? ''
    const words = [...named.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word)
    expect(words.toSorted()).toEqual(subpaths.toSorted())
    expect(files).toContain('llms.txt')
  })
})

describe('the table of windows', () => {
  const rows = read('docs/verbs-and-windows.md')
    .split('\n')
    .filter((line) => /^\| W\d\d /.test(line))
  const cases = rows.flatMap((row) =>
    [...row.matchAll(/\[([^\]]+)\]\(\.\.\/(test\/scenarios\/[^)]+)\)/g)].flatMap(
      ([, ids = '', file = '']) =>
        ids.split(', ').map((id) => ({ window: row.slice(2, 5), id, file })),
    ),
  )

  it('has a row for each, in order, and each row a case', () => {
    const windows = Array.from({ length: 29 }, (_, n) => `W${`${n + 1}`.padStart(2, '0')}`)
    expect(rows.map((row) => row.slice(2, 5))).toEqual(windows)
    expect([...new Set(cases.map(({ window }) => window))]).toEqual(windows)
  })

  it.each(cases)('$window: $id is a case of $file, and that file is run', ({ id, file }) => {
    expect(read(file)).toMatch(new RegExp(`^ +- id: ${id}$`, 'm'))
    const [, folder, area] = /(\w+)\/([\w-]+)\.yaml$/.exec(file) ?? []
    const runs = readdirSync(join(ROOT, 'test/scenarios'))
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => read(`test/scenarios/${name}`))
    expect(runs.some((run) => run.includes(`'${folder}', '${area}'`))).toBe(true)
  })
})
