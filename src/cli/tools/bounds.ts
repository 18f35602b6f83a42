/**
 * How much a tool reads and tells, in one place, so that no answer can fill a context window or a disk.
 *
 * @module
 */

/** Files named by one `list_files`. */
export const MAX_LISTED = 800
/** Lines of one `read_file` without and with a wish. */
export const DEFAULT_LINES = 200
export const MAX_LINES = 1000
/** Characters of one `read_file`, and of one line anywhere. */
export const MAX_TEXT = 48_000
export const MAX_LINE = 1000
/** Bytes into a file that `read_file` and `search_text` look, counted in characters of decoded text. */
export const MAX_INTO_FILE = 2_000_000
/** Matches of one `search_text`, in all and from one file, and the characters shown of each. */
export const MAX_MATCHES = 60
export const MAX_MATCHES_OF_FILE = 8
export const MATCH_WIDTH = 160
/** Characters that one `count` goes through, in one file and in all. */
export const MAX_COUNTED_OF_FILE = 32_000_000
export const MAX_COUNTED = 256_000_000

/** Cuts a text that is longer than `max` characters, and says so in it. */
export const cut = (text: string, max: number): string =>
  text.length <= max ? text : `${whole(text.slice(0, max))}… (${text.length - max} more characters)`

/** Drops half of a surrogate pair at the end, which is no character. */
const whole = (text: string): string => text.replace(/[\uD800-\uDBFF]$/, '')

/** What must be said about an answer, as a field of it; no field when there is nothing. */
export const noted = (...notes: readonly (string | false)[]): { readonly note?: string } => {
  const said = notes.filter((note) => note !== false)
  return said.length === 0 ? {} : { note: said.join('; ') }
}
