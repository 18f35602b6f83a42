/**
 * What is tried by mutation, and what the page says came of it.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { mutantsPage } from '../mutation/page.ts'
import { ROOMS } from '../mutation/rooms.ts'

const ROOT = join(import.meta.dirname, '..')
const TRIED = ['src/machines', 'src/actors', 'src/projections', 'src/events']

const filesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map(({ parentPath, name }) => join(parentPath, name).slice(ROOT.length + 1))

/** What a glob of the rooms means. */
function matcher(glob: string): (file: string) => boolean {
  const pattern = glob.replaceAll(/[.]|\*\*\/|\*/g, (part) => {
    if (part === '.') return String.raw`\.`
    return part === '*' ? '[^/]*' : '(?:.*/)?'
  })
  const regexp = new RegExp(`^${pattern}$`)
  return (file) => regexp.test(file)
}

function chosen(files: readonly string[], globs: readonly string[]): string[] {
  const takes = globs.filter((glob) => !glob.startsWith('!')).map(matcher)
  const leaves = globs.filter((glob) => glob.startsWith('!')).map((glob) => matcher(glob.slice(1)))
  return files.filter(
    (file) => takes.some((takesIt) => takesIt(file)) && !leaves.some((leavesIt) => leavesIt(file)),
  )
}

/** Globs that find nothing. */
const empty = (files: readonly string[], globs: readonly string[]): string[] =>
  globs.filter((glob) => chosen(files, [glob.replace(/^!/, '')]).length === 0)

const sources = TRIED.flatMap(filesIn)
const tests = ['test', 'model-tests'].flatMap(filesIn)

describe('the rooms', () => {
  it('hold every file of what is tried, each of them once', () => {
    const held = Object.values(ROOMS).flatMap((room) => chosen(sources, room.files))
    expect(held.toSorted()).toEqual(sources.toSorted())
  })

  it.each(Object.entries(ROOMS))('%s has no glob that finds nothing', (_, room) => {
    expect([...empty(sources, room.files), ...empty(tests, room.tests)]).toEqual([])
  })
})

it('docs/testing.md says what the reports say; `npm run mutate` writes it', () => {
  const page = readFileSync(join(ROOT, 'docs/testing.md'), 'utf8')
  expect(page).toBe(mutantsPage(page))
})
