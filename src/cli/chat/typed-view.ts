/**
 * Lines as wide as they may be: the part of a typed line around its cursor, and text that never ends its line.
 *
 * @module
 */
import { printable, widthOf } from '../live/printable.ts'

/** What is seen of a typed line, and the column of its cursor in it. */
export interface TypedView {
  readonly text: string
  readonly column: number
}

const flat = (text: string): string => printable(text).replaceAll(/[\n\t]/g, ' ')

/**
 * Shows a line of at most `width` columns; an ellipsis stands where something was left out. The cursor always stands on a
 * character: where it stands behind the last one, terminals do not agree when they are resized.
 */
export function typedView(line: string, cursor: number, width: number): TypedView {
  const before = lastOf(flat(line.slice(0, cursor)), width - 1)
  const column = widthOf(before)
  // One column more than is ever needed, so that a long line is not looked at whole.
  const behind = flat(line.slice(cursor, cursor + width))
  return { text: before + (firstOf(behind, width - column) || ' '), column }
}

/** The end of a text. */
function lastOf(text: string, width: number): string {
  if (text.length <= width && widthOf(text) <= width) return text
  let columns = 1
  const kept: string[] = []
  for (const character of Array.from(text.slice(-width * 2)).toReversed()) {
    columns += widthOf(character)
    if (columns > width) break
    kept.push(character)
  }
  return `…${kept.toReversed().join('')}`
}

/** The beginning of a text; its spaces stay as they are. */
function firstOf(text: string, width: number): string {
  let columns = 0
  let kept = ''
  for (const character of text) {
    columns += widthOf(character)
    if (columns > width) break
    kept += character
  }
  return kept
}

/** Breaks text that has no line break hard at `width` columns. @returns the whole lines, and the rest */
export function cutAt(text: string, width: number): readonly [whole: string, rest: string] {
  let whole = ''
  let rest = ''
  let columns = 0
  for (const character of text) {
    const wide = widthOf(character)
    if (columns + wide > width) {
      whole += `${rest}\n`
      rest = ''
      columns = 0
    }
    rest += character
    columns += wide
  }
  return [whole, rest]
}
