/**
 * The tool `count`: lines and words of a file, or of every text file below a folder.
 *
 * @module
 */
import * as v from 'valibot'
import type { Tool } from '../../actors/tool.port.ts'
import { MAX_COUNTED, MAX_COUNTED_OF_FILE, noted } from './bounds.ts'
import { filesBelow } from './files-below.ts'
import type { Folder, Place } from './folder.ts'
import { walkNotes } from './list-files.ts'
import { UnreadableFile, textOf } from './open-text.ts'
import { readOnly } from './read-only.ts'
import { Tally } from './tally.ts'
import { TextCounter } from './text-counter.ts'
import type { Counted, Group } from './tally.ts'
import { walkReport } from './walk.ts'

const input = v.object({ path: v.optional(v.string(), '.') })

/** Answer of `count`. Groups are sorted by lines, most first. */
export type Count = {
  readonly path: string
  readonly files: number
  readonly lines: number
  readonly words: number
  readonly byEnding: readonly Group[]
  readonly byFolder: readonly Group[]
  readonly largest: readonly Counted[]
  readonly note?: string
}

/** Counts files, lines and words. */
export const count = (folder: Folder): Tool<v.InferOutput<typeof input>> =>
  readOnly({
    name: 'count',
    description:
      'Counts lines and words of a text file, or of all below a folder: in all, by ending, by folder directly below, and of the largest files. Skips binary files and secrets.',
    input,
    parameters: {
      type: 'object',
      properties: { path: { type: 'string', description: 'File or folder; default: all.' } },
      additionalProperties: false,
    },
    run: ({ path }, { signal }) => countBelow(folder, path, signal),
  })

async function countBelow(folder: Folder, path: string, signal: AbortSignal): Promise<Count> {
  const start = await folder.place(path)
  const report = walkReport()
  const tally = new Tally(start.path)
  let skipped = 0
  let size = 0
  for await (const file of filesBelow(folder, start, signal, report)) {
    if (size >= MAX_COUNTED) break
    try {
      const counter = await countFile(file, signal)
      size += counter.size
      tally.add({ path: file.path, lines: counter.lines, words: counter.words })
    } catch (error) {
      if (!(error instanceof UnreadableFile) || file.path === start.path) throw error
      skipped += 1
    }
  }
  return {
    ...tally.answer(),
    ...noted(
      skipped > 0 && `${skipped} files were skipped (binary, key, too large or unreadable)`,
      size >= MAX_COUNTED && `stopped after ${size} characters`,
      ...walkNotes(report),
    ),
  }
}

async function countFile(file: Place, signal: AbortSignal): Promise<TextCounter> {
  const counter = new TextCounter()
  for await (const piece of textOf(file, signal)) {
    counter.add(piece)
    if (counter.size > MAX_COUNTED_OF_FILE) {
      throw new UnreadableFile(`${file.path} is larger than ${MAX_COUNTED_OF_FILE} characters`)
    }
  }
  return counter
}
