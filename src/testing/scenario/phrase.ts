/**
 * Small tools for reading phrases: splitting outside quotes and brackets, names, numbers, durations.
 *
 * @module
 */

const DEPTH: Readonly<Record<string, number>> = {
  '(': 1,
  '[': 1,
  '{': 1,
  ')': -1,
  ']': -1,
  '}': -1,
}

/** Positions that stand outside all quotes and brackets. */
export function* topLevel(text: string): Generator<number> {
  let depth = 0
  let quoted = false
  for (let i = 0; i < text.length; i += 1) {
    const c = text.charAt(i)
    if (!quoted && depth === 0) yield i
    if (c === '"') quoted = !quoted
    else if (!quoted) depth = Math.max(0, depth + (DEPTH[c] ?? 0))
  }
}

/** A match whose groups are texts: what did not take part is empty. */
export interface Match {
  /** Group `i`; 0 is the whole match. */
  at(i: number): string
  /** Group `i`, undefined where it took no part. */
  maybe(i: number): string | undefined
  readonly index: number
}

/** Matches `pattern`; undefined if it does not. */
export function match(pattern: RegExp, text: string): Match | undefined {
  const hit = pattern.exec(text)
  if (hit === null) return undefined
  return { at: (i) => hit[i] ?? '', maybe: (i) => hit[i], index: hit.index }
}

/** The first group of a match; undefined where it does not match or took no part. */
export const group = (pattern: RegExp, text: string): string | undefined => pattern.exec(text)?.[1]

/** Splits at `separator` where it stands outside quotes and brackets; parts are trimmed, empty ones dropped. */
export function splitTop(text: string, separator: RegExp): string[] {
  const at = new RegExp(separator.source, 'iy')
  const parts: string[] = []
  let from = 0
  for (const i of topLevel(text)) {
    if (i < from) continue
    at.lastIndex = i
    const hit = at.exec(text)
    if (hit === null || hit[0] === '') continue
    parts.push(text.slice(from, i))
    from = i + hit[0].length
  }
  parts.push(text.slice(from))
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

/** The text without the quotes around it. */
export const unquote = (text: string): string => {
  const hit = /^\s*(["'])(.*)\1\s*$/s.exec(text)
  return hit?.[2] ?? text.trim()
}

/** All quoted texts, in order. */
export const quotedIn = (text: string): string[] =>
  [...text.matchAll(/"([^"]*)"/g)].map((hit) => hit[1] ?? '')

/** `A, B and m1..m3` as a list, quotes kept. */
export function listIn(text: string): string[] {
  return splitTop(
    text.replace(/\bin (that|this|model) order$/, ''),
    /\s*(?:,\s*(?:then |and )?|\s+and then\s+|\s+and\s+|\s+then\s+)\s*/,
  ).flatMap(spread)
}

/** `A, B and m1..m3` as a list of names. */
export const namesIn = (text: string): string[] => listIn(text).map(unquote)

function spread(name: string): string[] {
  const range = /^([A-Za-z]+)(\d+)\s*\.\.\.?\s*\1?(\d+)$/.exec(name)
  if (range === null) return [name]
  const first = Number(range[2])
  const last = Number(range[3])
  return Array.from({ length: last - first + 1 }, (_, i) => `${range[1] ?? ''}${first + i}`)
}

const WORDS = [
  'first',
  'second',
  'third',
  'fourth',
  'fifth',
  'sixth',
  'seventh',
  'eighth',
  'ninth',
  'tenth',
]
const COUNTS = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
]

/** Pattern of an ordinal: `first`, `2nd`. */
export const ORDINAL = `(?:${WORDS.join('|')}|\\d+(?:st|nd|rd|th))`

/** `second` or `2nd` as 2. */
export function ordinal(word: string): number {
  const at = WORDS.indexOf(word.toLowerCase())
  return at >= 0 ? at + 1 : Number.parseInt(word, 10)
}

/** `three` or `3` as 3; NaN for another word. */
export function count(word: string): number {
  const lower = word.toLowerCase()
  if (lower === 'once') return 1
  if (lower === 'twice') return 2
  const at = COUNTS.indexOf(lower)
  return at >= 0 ? at : Number(word)
}

/** Pattern of a duration with its unit. */
export const DURATION = '(\\d+(?:[._]\\d+)*)\\s*(ms|milliseconds?|s|seconds?|min|minutes?)\\b'

/** The first duration in `text`, in ms. */
export function msIn(text: string): number | undefined {
  const hit = new RegExp(DURATION).exec(text)
  if (hit === null) return undefined
  const unit = hit[2] ?? 'ms'
  const factor = unit.startsWith('m') ? (unit.startsWith('min') ? 60_000 : 1) : 1000
  return Number((hit[1] ?? '0').replaceAll('_', '')) * factor
}

/** Takes the first match of `pattern` out of `text`. */
export function take(
  text: string,
  pattern: RegExp,
): { readonly hit: Match | undefined; readonly rest: string } {
  const hit = match(pattern, text)
  if (hit === undefined) return { hit, rest: text }
  const rest = `${text.slice(0, hit.index)} ${text.slice(hit.index + hit.at(0).length)}`
  return { hit, rest: rest.replaceAll(/\s+/g, ' ').trim() }
}
