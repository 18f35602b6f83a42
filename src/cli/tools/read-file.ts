/**
 * The tool `read_file`: some lines of one text file.
 *
 * @module
 */
import * as v from 'valibot'
import type { Tool } from '../../actors/tool.port.ts'
import {
  DEFAULT_LINES,
  MAX_INTO_FILE,
  MAX_LINE,
  MAX_LINES,
  MAX_TEXT,
  cut,
  noted,
} from './bounds.ts'
import type { Folder, Place } from './folder.ts'
import { linesOf } from './lines-of.ts'
import { readOnly } from './read-only.ts'

const atLeastOne = v.pipe(v.number(), v.integer(), v.minValue(1))
const input = v.object({
  path: v.string(),
  from: v.optional(atLeastOne, 1),
  lines: v.optional(v.pipe(atLeastOne, v.maxValue(MAX_LINES)), DEFAULT_LINES),
})

/** Answer of `read_file`: lines `from` to `to`, counted from 1; `to` is below `from` when there is none. */
export type FileText = {
  readonly path: string
  readonly from: number
  readonly to: number
  readonly text: string
  /** Left out when the file goes on. */
  readonly totalLines?: number
  readonly note?: string
}

/** Reads some lines of a text file; says where it stopped. */
export const readFile = (folder: Folder): Tool<v.InferOutput<typeof input>> =>
  readOnly({
    name: 'read_file',
    description: `Reads lines of one text file. Default: the first ${DEFAULT_LINES}; at most ${MAX_LINES} lines and ${MAX_TEXT} characters a call, of the first ${MAX_INTO_FILE} characters of a file. Refuses binary files, secrets and keys.`,
    input,
    parameters: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'File, relative, such as src/index.ts.' },
        from: { type: 'integer', minimum: 1, description: 'First line; default 1.' },
        lines: { type: 'integer', minimum: 1, maximum: MAX_LINES },
      },
      required: ['path'],
      additionalProperties: false,
    },
    run: ({ path, from, lines }, { signal }) => read(folder, path, { from, lines }, signal),
  })

async function read(
  folder: Folder,
  path: string,
  asked: { from: number; lines: number },
  signal: AbortSignal,
): Promise<FileText> {
  const place = await folder.place(path)
  const { kept, last, stopped } = await linesFrom(place, asked, signal)
  const { from } = asked
  return {
    path: place.path,
    from,
    to: from + kept.length - 1,
    text: kept.join('\n'),
    ...(stopped === false ? { totalLines: last } : {}),
    ...noted(stopped, last < from && `the file ends before line ${from}`),
  }
}

/** Lines from `from` on, the number of the last line that was seen, and why it stopped before the end. */
async function linesFrom(
  place: Place,
  { from, lines }: { from: number; lines: number },
  signal: AbortSignal,
): Promise<{ kept: string[]; last: number; stopped: string | false }> {
  const kept: string[] = []
  let size = 0
  let last = 0
  for await (const line of linesOf(place, signal)) {
    if (kept.length === lines || size >= MAX_TEXT) {
      return { kept, last, stopped: `the file goes on: read it with from ${last + 1}` }
    }
    last += 1
    if (last >= from) kept.push(cut(line.text, Math.min(MAX_LINE, MAX_TEXT - size)))
    size += last >= from ? line.text.length + 1 : 0
    if (line.cutOff) {
      return { kept, last, stopped: `only the first ${MAX_INTO_FILE} characters can be read` }
    }
  }
  return { kept, last, stopped: false }
}
