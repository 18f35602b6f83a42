/**
 * Reads the small values that stand in phrases: `{keepInbox, resume: true}`, `[A, B]`, `'all'`, `10 ms`.
 *
 * @module
 */
import { DURATION, msIn, splitTop, unquote } from './phrase.ts'

const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['on', true],
  ['yes', true],
  ['false', false],
  ['off', false],
  ['no', false],
  ['null', null],
  ['none', null],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['infinite', Number.POSITIVE_INFINITY],
  ['NaN', Number.NaN],
  ['-Infinity', Number.NEGATIVE_INFINITY],
])

const DURATION_ONLY = new RegExp(`^${DURATION}$`)

/** A value of a phrase. A name alone inside braces is `true`; a bare word is itself. */
export function looseValue(text: string): unknown {
  const trimmed = text.trim()
  if (trimmed.startsWith('{') && trimmed.endsWith('}')) return looseRecord(trimmed.slice(1, -1))
  if (trimmed.startsWith('[') && trimmed.endsWith(']')) {
    return splitTop(trimmed.slice(1, -1), /\s*,\s*/).map(looseValue)
  }
  if (WORDS.has(trimmed)) return WORDS.get(trimmed)
  if (/^-?[\d_]+(?:\.\d+)?$/.test(trimmed)) return Number(trimmed.replaceAll('_', ''))
  if (DURATION_ONLY.test(trimmed)) return msIn(trimmed)
  return unquote(trimmed)
}

/** `keepInbox, resume: true, actor: U` as a record. */
export function looseRecord(text: string): Record<string, unknown> {
  const entries = splitTop(text, /\s*,\s*/).map((part): [string, unknown] => {
    const hit = /^["']?([\w.-]+)["']?\s*[:= ]\s*(.+)$/s.exec(part)
    return hit === null ? [unquote(part), true] : [hit[1] ?? '', looseValue(hit[2] ?? '')]
  })
  return Object.fromEntries(entries)
}
