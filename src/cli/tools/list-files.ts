/**
 * The tool `list_files`: what lies in the folder.
 *
 * @module
 */
import * as v from 'valibot'
import type { Tool } from '../../actors/tool.port.ts'
import { MAX_LISTED, noted } from './bounds.ts'
import type { Folder } from './folder.ts'
import { readOnly } from './read-only.ts'
import { levelOf, walk, walkReport } from './walk.ts'
import type { WalkReport } from './walk.ts'

const input = v.object({
  path: v.optional(v.string(), '.'),
  depth: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 40),
})

/** A folder in the answer, with the number of files anywhere below it. */
export type ListedFolder = {
  readonly path: string
  readonly files: number
}

/** Answer of `list_files`. */
export type Listing = {
  readonly path: string
  readonly totalFiles: number
  readonly totalFolders: number
  readonly folders: readonly ListedFolder[]
  readonly files: readonly string[]
  readonly note?: string
}

/** Lists files and folders below a path, at most {@link MAX_LISTED} of each. */
export const listFiles = (folder: Folder): Tool<v.InferOutput<typeof input>> =>
  readOnly({
    name: 'list_files',
    description: `Lists files and folders, sorted, with the number of files below each folder. Leaves out .git, node_modules, secrets and what .gitignore names plainly. Shows at most ${MAX_LISTED} files.`,
    input,
    parameters: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'Folder, relative; default: the whole folder.' },
        depth: { type: 'integer', minimum: 1, description: 'Levels below path; default: all.' },
      },
      additionalProperties: false,
    },
    run: ({ path, depth }, { signal }) => list(folder, path, depth, signal),
  })

async function list(
  folder: Folder,
  path: string,
  depth: number,
  signal: AbortSignal,
): Promise<Listing> {
  const start = await folder.place(path)
  const deepest = depth + levelOf(start)
  const report = walkReport()
  const files: string[] = []
  const folders = new Map<string, number>()
  let totalFiles = 0
  for await (const found of walk(folder, start, signal, report)) {
    const shown = found.depth <= deepest
    if (found.kind === 'file') {
      totalFiles += 1
      countInParents(folders, found.path)
      if (shown && files.length < MAX_LISTED) files.push(found.path)
    } else if (shown) folders.set(found.path, 0)
  }
  return {
    path: start.path,
    totalFiles,
    totalFolders: folders.size,
    folders: [...folders].slice(0, MAX_LISTED).map(([at, count]) => ({ path: at, files: count })),
    files,
    ...noted(
      files.length < totalFiles && `${files.length} of ${totalFiles} files are shown`,
      folders.size > MAX_LISTED && `${MAX_LISTED} of ${folders.size} folders are shown`,
      ...walkNotes(report),
    ),
  }
}

/** What a walk could not see, as sentences. */
export const walkNotes = (report: WalkReport): readonly (string | false)[] => [
  report.stopped && `stopped after ${report.visited - 1} entries`,
  report.unreadable > 0 && `${report.unreadable} folders could not be read`,
]

/** Counts a file in every folder above it that is shown. */
function countInParents(folders: Map<string, number>, path: string): void {
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
    const parent = path.slice(0, at)
    const known = folders.get(parent)
    if (known !== undefined) folders.set(parent, known + 1)
  }
}
