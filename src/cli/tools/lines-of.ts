/**
 * The lines of a text file, one at a time, from a bounded part of it.
 *
 * @module
 */
import { MAX_INTO_FILE } from './bounds.ts'
import type { Place } from './folder.ts'
import { textOf } from './open-text.ts'

/** One line without its end; `cutOff` marks the last line when the bound was reached. */
export interface Line {
  readonly text: string
  readonly cutOff: boolean
}

/** Gives the lines of the first {@link MAX_INTO_FILE} characters. A final line break opens no further line. */
export async function* linesOf(place: Place, signal: AbortSignal): AsyncGenerator<Line, void> {
  let left = MAX_INTO_FILE
  let rest = ''
  for await (const piece of textOf(place, signal)) {
    const lines = (rest + piece.slice(0, left)).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield { text: unreturned(line), cutOff: false }
    left -= piece.length
    if (left < 0) {
      yield { text: rest, cutOff: true }
      return
    }
  }
  if (rest !== '') yield { text: unreturned(rest), cutOff: false }
}

const unreturned = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line)
