/**
 * Compares what was expected with what was seen, line by line, in the notation of the scenarios.
 *
 * @module
 */

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** `<names provider and model>` stands for any text with that meaning: words behind "names" have to occur. */
function meaning(want: string, got: string): boolean {
  const hit = /^(.*?)"?<([^>]*\s[^>]*)>"?(.*)$/s.exec(want)
  if (hit === null) return false
  const [, before = '', about = '', after = ''] = hit
  if (!got.startsWith(before) || !got.endsWith(after)) return false
  const names = /^names? (.+)$/.exec(about)?.[1]?.split(/,| and /) ?? []
  return names.every((name) => got.toLowerCase().includes(name.trim().toLowerCase()))
}

/** `+*` is any positive delay. */
const anyDelay = (want: string, got: string): boolean =>
  want.endsWith(' +*') &&
  new RegExp(`^${escaped(want.slice(0, -3))} \\+\\d+(?:\\.\\d+)?ms$`).test(got)

/** An outcome without a text matches one with a text. */
const anyText = (want: string, got: string): boolean =>
  /^tool\/(?:result|settled) \S+ \S+ (?:ok|error|denied)$/.test(want) && got.startsWith(`${want} "`)

/** The parts of an assistant message, in any order of kinds. */
function sameParts(want: string, got: string): boolean {
  if (!want.startsWith('assistant/message') || !got.startsWith('assistant/message')) return false
  const split = (line: string): string[] => line.split(/ \| | (?=\[interrupted\])/).toSorted()
  const head = /^assistant\/message \S+ /.exec(want)?.[0] ?? ''
  return (
    got.startsWith(head) &&
    split(want.slice(head.length)).join() === split(got.slice(head.length)).join()
  )
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

/** Is `got` what `want` says? Objects are compared by the keys of `want`; numbers also count lists. */
export function valueMatches(want: unknown, got: unknown): boolean {
  if (Object.is(want, got)) return true
  if (Array.isArray(want)) {
    return (
      Array.isArray(got) &&
      want.length === got.length &&
      want.every((item, i) => valueMatches(item, got[i]))
    )
  }
  if (typeof want === 'object' && want !== null) {
    if (typeof got !== 'object' || got === null) return false
    const record = got as Record<string, unknown>
    return Object.entries(want).every(([key, value]) => valueMatches(value, record[key]))
  }
  if (typeof want === 'number' && Array.isArray(got)) return got.length === want
  if (typeof want === 'string' && typeof got === 'string') return lineMatches(want, got)
  return typeof want === 'string' && typeof got === 'object' && got !== null && namesIt(want, got)
}

/** `cancel` matches `{reason: cancel}`, `user` matches `{kind: user}`. */
function namesIt(want: string, got: object): boolean {
  const record = got as Record<string, unknown>
  return ['kind', 'reason', 'code', 'effect', 'name'].some((key) => record[key] === want)
}
