/**
 * Walks a folder in a fixed order: names sorted, private and ignored ones left out, links to folders not followed.
 *
 * K1 A walk ends: it visits at most `MAX_VISITED` entries and `MAX_DEPTH` levels, and says when it stopped early.
 * K2 A folder that cannot be read is counted as unreadable, never an error of the whole walk.
 *
 * @module
 */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Dirent } from 'node:fs'
import type { Folder, Place } from './folder.ts'
import { textOf } from './open-text.ts'
import { isPrivateName } from './private-names.ts'

export const MAX_VISITED = 20_000
const MAX_DEPTH = 40

/** One file or folder found; `depth` is 1 for what lies directly in the folder. */
export interface Found extends Place {
  readonly kind: 'file' | 'folder'
  readonly depth: number
  /** Reached through a symbolic link, so that it may be found a second time elsewhere. */
  readonly linked: boolean
}

/** What a walk left out; filled while it goes on. */
export interface WalkReport {
  visited: number
  unreadable: number
  stopped: boolean
}

/** How many folders lie between the start of everything and a place: 0 for the folder itself. */
export const levelOf = ({ path }: Place): number => (path === '.' ? 0 : path.split('/').length)

/** A fresh, empty report. */
export const walkReport = (): WalkReport => ({ visited: 0, unreadable: 0, stopped: false })

/** Every file and folder below `start`, parents before their children. */
export async function* walk(
  folder: Folder,
  start: Place,
  signal: AbortSignal,
  report: WalkReport,
): AsyncGenerator<Found, void> {
  const ignored = await ignoredNames(folder, signal)
  const pending = [start]
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const depth = levelOf(at) + 1
    const below: Place[] = []
    const entries = await entriesOf(at, report)
    for (const entry of entries.filter(({ name }) => !ignored(name, depth))) {
      signal.throwIfAborted()
      report.stopped = ++report.visited > MAX_VISITED
      if (report.stopped) return
      const found = await look(folder, at, entry, depth)
      if (found !== undefined) yield found
      if (found?.kind === 'folder') below.push(found)
    }
    if (depth < MAX_DEPTH) pending.push(...below.toReversed())
  }
}

async function entriesOf(place: Place, report: WalkReport): Promise<Dirent[]> {
  try {
    const entries = await readdir(place.real, { withFileTypes: true })
    return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    report.unreadable += 1
    return []
  }
}

/** A plain file, a folder, or a link to a plain file inside; undefined for everything else. */
async function look(
  folder: Folder,
  parent: Place,
  entry: Dirent,
  depth: number,
): Promise<Found | undefined> {
  const path = parent.path === '.' ? entry.name : `${parent.path}/${entry.name}`
  const real = join(parent.real, entry.name)
  if (entry.isFile()) return { path, real, kind: 'file', depth, linked: false }
  if (entry.isDirectory()) return { path, real, kind: 'folder', depth, linked: false }
  if (!entry.isSymbolicLink()) return undefined
  try {
    const place = await folder.place(path)
    const target = await stat(place.real)
    return target.isFile() ? { ...place, kind: 'file', depth, linked: true } : undefined
  } catch {
    return undefined
  }
}

/**
 * Private names, and what the folder's own `.gitignore` names plainly: `dist`, `/build`, `coverage/`, `*.tgz`. Patterns with more to them,
 * and files of this kind further down, are not read: leaving too little out is harmless here.
 */
async function ignoredNames(
  folder: Folder,
  signal: AbortSignal,
): Promise<(name: string, depth: number) => boolean> {
  const lines = (await startOf(folder, '.gitignore', signal))
    .split('\n')
    .map((line) => line.trim().replace(/\/$/, ''))
  const names = new Set(lines.filter((line) => /^[^#!*?[\]/]+$/.test(line)))
  const atTop = new Set(
    lines.filter((line) => /^\/[^*?[\]/]+$/.test(line)).map((line) => line.slice(1)),
  )
  const endings = lines.filter((line) => /^\*\.[^*?[\]/]+$/.test(line)).map((line) => line.slice(1))
  return (name, depth) =>
    isPrivateName(name) ||
    names.has(name) ||
    (depth === 1 && atTop.has(name)) ||
    endings.some((ending) => name.endsWith(ending))
}

/** The first piece of a file; empty where there is none that can be read. */
async function startOf(folder: Folder, path: string, signal: AbortSignal): Promise<string> {
  try {
    for await (const piece of textOf(await folder.place(path), signal)) return piece
  } catch {
    signal.throwIfAborted()
  }
  return ''
}
