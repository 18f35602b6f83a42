/**
 * The tool `search_text`: where a text stands, as it is written, in every readable file.
 *
 * @module
 */
import * as v from 'valibot'
import type { Tool } from '../../actors/tool.port.ts'
import { MATCH_WIDTH, MAX_INTO_FILE, MAX_MATCHES, MAX_MATCHES_OF_FILE, noted } from './bounds.ts'
import { filesBelow } from './files-below.ts'
import type { Folder, Place } from './folder.ts'
import { linesOf } from './lines-of.ts'
import { walkNotes } from './list-files.ts'
import { UnreadableFile } from './open-text.ts'
import { readOnly } from './read-only.ts'
import { walkReport } from './walk.ts'

const input = v.object({
  text: v.pipe(v.string(), v.nonEmpty(), v.maxLength(200)),
  path: v.optional(v.string(), '.'),
  matchCase: v.optional(v.boolean(), false),
})

/** One line that holds the text. */
export type Match = {
  readonly path: string
  readonly line: number
  readonly text: string
}

/** Answer of `search_text`. `totalMatches` counts lines, also those that are not shown. */
export type SearchResult = {
  readonly text: string
  readonly totalMatches: number
  readonly filesWithMatches: number
  readonly searchedFiles: number
  readonly matches: readonly Match[]
  readonly note?: string
}

/** What one file holds; `matches` are those that are shown. */
interface FileMatches {
  readonly matches: readonly Match[]
  readonly count: number
  readonly partly: boolean
}

/** Finds the lines that hold a text; no patterns, so that no search can run away. */
export const searchText = (folder: Folder): Tool<v.InferOutput<typeof input>> =>
  readOnly({
    name: 'search_text',
    description: `Finds lines that hold a text as it is written (no regular expression). Shows at most ${MAX_MATCHES} lines, ${MAX_MATCHES_OF_FILE} of one file; skips binary files and secrets; looks at the first ${MAX_INTO_FILE} characters of a file.`,
    input,
    parameters: {
      type: 'object',
      properties: {
        text: { type: 'string', minLength: 1, maxLength: 200 },
        path: { type: 'string', description: 'File or folder to search; default: all.' },
        matchCase: { type: 'boolean', description: 'Default false.' },
      },
      required: ['text'],
      additionalProperties: false,
    },
    run: (asked, { signal }) => search(folder, asked, signal),
  })

/** What one search has found so far. */
class Found {
  readonly shown: Match[] = []
  matches = 0
  files = 0
  searched = 0
  skipped = 0
  partly = 0

  add({ matches, count, partly }: FileMatches): void {
    this.searched += 1
    this.matches += count
    this.files += count > 0 ? 1 : 0
    this.partly += partly ? 1 : 0
    this.shown.push(...matches.slice(0, MAX_MATCHES - this.shown.length))
  }
}

async function search(
  folder: Folder,
  { text, path, matchCase }: v.InferOutput<typeof input>,
  signal: AbortSignal,
): Promise<SearchResult> {
  const report = walkReport()
  const found = new Found()
  const positionIn = finder(text, matchCase)
  for await (const file of filesBelow(folder, await folder.place(path), signal, report)) {
    try {
      found.add(await searchFile(file, positionIn, signal))
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error
      found.skipped += 1
    }
  }
  const { shown, matches, skipped, partly } = found
  return {
    text,
    totalMatches: matches,
    filesWithMatches: found.files,
    searchedFiles: found.searched,
    matches: shown,
    ...noted(
      shown.length < matches && `${shown.length} of ${matches} lines are shown`,
      skipped > 0 && `${skipped} files were skipped (binary, key or unreadable)`,
      partly > 0 && `${partly} large files were searched only in their beginning`,
      ...walkNotes(report),
    ),
  }
}

function finder(text: string, matchCase: boolean): (line: string) => number {
  if (matchCase) return (line) => line.indexOf(text)
  const lower = text.toLowerCase()
  return (line) => line.toLowerCase().indexOf(lower)
}

async function searchFile(
  file: Place,
  positionIn: (line: string) => number,
  signal: AbortSignal,
): Promise<FileMatches> {
  const matches: Match[] = []
  let number = 0
  let count = 0
  let partly = false
  for await (const line of linesOf(file, signal)) {
    number += 1
    partly = line.cutOff
    const at = positionIn(line.text)
    if (at < 0) continue
    count += 1
    if (matches.length < MAX_MATCHES_OF_FILE) {
      matches.push({ path: file.path, line: number, text: around(line.text, at) })
    }
  }
  return { matches, count, partly }
}

/** The part of a line that shows position `at`. */
function around(line: string, at: number): string {
  if (line.length <= MATCH_WIDTH) return line.trim()
  const from = Math.max(0, at - MATCH_WIDTH / 4)
  const part = line.slice(from, from + MATCH_WIDTH).trim()
  return `${from > 0 ? '…' : ''}${part.replaceAll(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '')}…`
}
