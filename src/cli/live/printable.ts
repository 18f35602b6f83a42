/**
 * Makes foreign text safe and short for a terminal: what a model or a file says must not move the cursor.
 *
 * @module
 */
import { oneLine, printable } from '../../projections/plain-text.ts'

export { oneLine, printable }

/** Columns that a text takes. Wide scripts and emoji count two; combining marks none. */
export function widthOf(text: string): number {
  let width = 0
  for (const character of text) width += columnsOf(character)
  return width
}

const WIDE =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|\p{Emoji_Presentation}/u
const NONE = /\p{Mn}|\p{Me}|[\u200B-\u200C]|\u200D|\uFE0F/u

const columnsOf = (character: string): number => {
  if (character < '\u0300') return 1
  if (NONE.test(character)) return 0
  return WIDE.test(character) ? 2 : 1
}

/** One line of at most `width` columns; an ellipsis marks what was cut. */
export function fitted(text: string, width: number): string {
  const line = oneLine(text)
  if (widthOf(line) <= width) return line
  let kept = ''
  let columns = 1
  for (const character of line) {
    columns += columnsOf(character)
    if (columns > width) break
    kept += character
  }
  return `${kept}…`
}

/** A duration for people: ms below a second, then seconds, then minutes. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  const seconds = ms / 1000
  if (seconds < 60) return `${seconds.toFixed(1)} s`
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`
}
