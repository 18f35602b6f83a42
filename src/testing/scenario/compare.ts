/**
 * Compares what was expected with what was seen, line by line, in the notation of the scenarios.
 *
 * @module
 */

import { group, match } from './phrase.ts'

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

const MEANING = /^(.*?)"?<([^>]*\s[^>]*)>"?(.*)$/s

/** `<names provider and model>` stands for any text with that meaning: words behind "names" have to occur. */
function meaning(want: string, got: string): boolean {
  const hit = match(MEANING, want)
  if (hit === undefined || !got.startsWith(hit.at(1)) || !got.endsWith(hit.at(3))) return false
  const names = group(/^names? (.+)$/, hit.at(2))?.split(/,| and /) ?? []
  return names.every((name) => got.toLowerCase().includes(name.trim().toLowerCase()))
}

/** `+*` is any positive delay. */
const anyDelay = (want: string, got: string): boolean =>
  want.endsWith(' +*') &&
  new RegExp(`^${escaped(want.slice(0, -3))} \\+\\d+(?:\\.\\d+)?ms$`).test(got)

/** An outcome without a text matches one with a text. */
const anyText = (want: string, got: string): boolean =>
  /^tool\/(?:result|settled) \S+ \S+ (?:ok|error|denied)$/.test(want) && got.startsWith(`${want} "`)

/** The parts of an assistant message, sorted. */
const partsOf = (text: string): string =>
  text
    .split(/ \| | (?=\[interrupted\])/)
    .toSorted((a, b) => a.localeCompare(b))
    .join(' | ')

/** An assistant message may name its kinds in any order. */
function sameParts(want: string, got: string): boolean {
  const head = /^assistant\/message \S+ /.exec(want)?.[0]
  if (head === undefined || !got.startsWith(head)) return false
  return partsOf(want.slice(head.length)) === partsOf(got.slice(head.length))
}

/** Ids are named with or without their source. */
const plainNames = (line: string): string => line.replaceAll(/" <\w+>/g, '"')
const sameNames = (want: string, got: string): boolean =>
  /(?:uncommitted|discarded) \[/.test(want) && plainNames(want) === plainNames(got)

const sameDelay = (line: string): string => line.replace(/ \+(\d+)\s?(?:ms)?$/, ' +$1')

/** Does `got` say what `want` expects? */
export function lineMatches(want: string, got: string): boolean {
  return (
    want === got ||
    sameDelay(want) === sameDelay(got) ||
    anyDelay(want, got) ||
    anyText(want, got) ||
    meaning(want, got) ||
    sameNames(want, got) ||
    sameParts(want, got)
  )
}

/** The first differences of two lists of lines; empty if they agree. */
export function diffLines(what: string, want: readonly string[], got: readonly string[]): string[] {
  const length = Math.max(want.length, got.length)
  for (let i = 0; i < length; i += 1) {
    const expected = want[i]
    const seen = got[i]
    if (expected !== undefined && seen !== undefined && lineMatches(expected, seen)) continue
    const rest = got.slice(i, i + 6).map((line) => `    ${line}`)
    const behind = got.length > i + 6 ? ['    …'] : []
    return [
      [
        `${what}[${i}] expected: ${expected ?? '(nothing more)'}`,
        `  got:`,
        ...(rest.length === 0 ? ['    (nothing more)'] : [...rest, ...behind]),
      ].join('\n'),
    ]
  }
  return []
}

/** `user:A, assistant:text` in one line for comparison; `assistant:text` alone means any text. */
export function sameRequest(want: readonly string[], got: readonly string[]): boolean {
  return want.length === got.length && want.every((entry, i) => sameEntry(entry, got[i] ?? ''))
}

function sameEntry(want: string, got: string): boolean {
  if (want === got) return true
  const visible = got
    .split(' | ')
    .filter((part) => !part.startsWith('assistant:reasoning '))
    .join(' | ')
  return !want.includes('reasoning') && want === visible
}

/** Compares requests, one list each. */
export function diffRequests(
  want: readonly (readonly string[])[],
  got: readonly (readonly string[])[],
): string[] {
  const length = Math.max(want.length, got.length)
  for (let i = 0; i < length; i += 1) {
    const expected = want[i]
    const seen = got[i]
    if (expected !== undefined && seen !== undefined && sameRequest(expected, seen)) continue
    return [
      `requests[${i}] expected: ${JSON.stringify(expected ?? null)}\n  got: ${JSON.stringify(seen ?? null)}`,
    ]
  }
  return []
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** Is `got` what `want` says? Objects are compared by the keys of `want`; numbers also count lists. */
export function valueMatches(want: unknown, got: unknown): boolean {
  if (Object.is(want, got)) return true
  if (Array.isArray(want)) return listMatches(want, got)
  if (isRecord(want)) return recordMatches(want, got)
  if (typeof want === 'number') return Array.isArray(got) && got.length === want
  if (typeof want !== 'string') return false
  return typeof got === 'string' ? lineMatches(want, got) : namesIt(want, got)
}

const listMatches = (want: readonly unknown[], got: unknown): boolean =>
  Array.isArray(got) &&
  want.length === got.length &&
  want.every((item, i) => valueMatches(item, got[i]))

const recordMatches = (want: Record<string, unknown>, got: unknown): boolean =>
  isRecord(got) && Object.entries(want).every(([key, value]) => valueMatches(value, got[key]))

/** `cancel` matches `{reason: cancel}`, `user` matches `{kind: user}`. */
const namesIt = (want: string, got: unknown): boolean =>
  isRecord(got) && ['kind', 'reason', 'code', 'effect', 'name'].some((key) => got[key] === want)
