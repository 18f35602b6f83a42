/**
 * Foreign text made harmless for whoever shows it: what a model or a file says must not move a cursor or turn a line.
 *
 * It must not decide what may be shown, only how.
 *
 * @module
 */

/** Control characters but line break and tab, and marks that turn the direction of text. */
// eslint-disable-next-line no-control-regex -- these are what is looked for
const UNSAFE = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u2028\u2029\u202A-\u202E\u2066-\u2069]/g

/** Halves of a character that stand alone: not every encoder takes them. */
const LONE = /\p{Surrogate}/gu

/** The text with every unsafe character replaced by a visible one; line breaks and tabs stay. */
export const printable = (text: string): string =>
  text.replaceAll('\r\n', '\n').replaceAll(UNSAFE, '\uFFFD').replaceAll(LONE, '\uFFFD')

/** JSON that says the same without an unsafe character: they can stand in texts only, where a number can stand for them. */
export const escapedJson = (json: string): string =>
  json.replaceAll(
    UNSAFE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** The text on one line. */
export const oneLine = (text: string): string => printable(text).replaceAll(/\s+/g, ' ').trim()

/** The text on one line of at most `most` characters; an ellipsis marks what was cut. */
export function shortLine(text: string, most: number): string {
  // A longer head than is kept: spaces may fall away, and a character may take two units.
  const line = oneLine(text.slice(0, most * 4 + 4))
  const characters = Array.from(line)
  if (characters.length <= most && text.length <= most * 4 + 4) return line
  return `${characters.slice(0, most - 1).join('')}…`
}
