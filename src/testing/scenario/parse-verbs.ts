/**
 * Reads the `do` of a command: verbs joined by ";", with answers, names, delays and the session they are meant for.
 *
 * @module
 */
import { DURATION, msIn, splitTop, take } from './phrase.ts'
import { settle } from '../virtual-clock.ts'
import type { Mode, Reading, Verb, VerbRule } from './verb.ts'
import { CONTROL_RULES } from './verbs-control.ts'
import { SEND_RULES } from './verbs-send.ts'
import { WAIT_RULES } from './verbs-wait.ts'

const RULES: readonly VerbRule[] = [...CONTROL_RULES, ...SEND_RULES, ...WAIT_RULES]

/** Verbs as hooks say them: `steers S`, `cancels`, `calls cancel user`. */
const THIRD_PERSON: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:calls|issues|does|starts|performs|tries to|tries|call|issue|then|and|also|immediately|synchronously) (?=\w)/,
    '',
  ],
  [
    /^(?:the )?(?:host|caller|user|body|it|agent) (?=(?:calls|issues|steers?|injects?|cancels?|aborts?|disposes?|sends?|removes?|replaces?|moves?|followups?|appends?)\b)/,
    '',
  ],
  [/^(?:sends|send) (?:a |the )?(followup|steer)\b/, '$1'],
  [/^(?:queues|followups|follows up)\b/, 'followup'],
  [
    /^(steer|inject|cancel|abort|remove|move|append|prepend|send|release|await|clear|splice|flush|subscribe|check)s\b/,
    '$1',
  ],
  [/^(replace|dispose|approve)s\b/, '$1'],
  [/^(followup|steer|inject) (?:prompt|message|a message|context) (?=")/, '$1 '],
]

const COMMENTS = [
  /\s*\((?:in )?(?:one|same|the same) tick\)$/,
  /\s+in (?:one|the same) tick$/,
  /\s*\((?:fake|virtual) clock\)$/,
  /\s*\((?:no further command|do not await(?: inside)?|not awaited|registered [^)]*|must settle[^)]*|without awaiting|variant[^)]*|again)\)$/,
  /\s+(?:concurrently|synchronously on the next line|without awaiting(?: it)?|without waiting)$/,
  /\s+(?:of|from|on) (?:the )?(?:handle|agent|host)(?: from the host)?$/,
]

function bare(phrase: string): string {
  let text = phrase.trim()
  for (const comment of COMMENTS) text = text.replace(comment, '')
  for (let changed = true; changed;) {
    const before = text
    for (const [pattern, to] of THIRD_PERSON) text = text.replace(pattern, to)
    changed = text !== before
  }
  return text.trim()
}

const SESSION =
  /(?:^|\s)(?:on |of |in )?(?:agent |session )([12ab])\b:?|^(s[1-9])[:.]?\s+|\s+(?:on|of) (s[1-9]|[ab])$|^([ab])(?:\.|: )|\b(?:on|of) (s[1-9]|[ab]) (?=concurrently)/

const SESSIONS: Readonly<Record<string, string>> = { 1: 's1', 2: 's2', a: 's1', b: 's2' }

function sessionOf(phrase: string): { session: string; rest: string } {
  const { hit, rest } = take(phrase, SESSION)
  const named = hit?.slice(1).find((group) => group !== undefined)
  if (named === undefined) return { session: 's1', rest: phrase }
  return { session: SESSIONS[named] ?? named, rest }
}

/** What the grammar makes of one verb, without name and answer. */
export function readVerb(phrase: string): Reading | undefined {
  const text = bare(phrase)
  for (const [pattern, make] of RULES) {
    const hit = pattern.exec(text)
    const reading = hit === null ? undefined : make(hit)
    if (reading !== undefined) return reading
  }
  const awaited = /^await (.+)$/.exec(text)?.[1]
  const inner = awaited === undefined ? undefined : readVerb(awaited)
  return inner === undefined ? undefined : { ...inner, mode: 'awaits' }
}

function readOne(phrase: string): Verb | undefined {
  const answered = take(phrase, /\s*->\s*(.+)$/)
  const answer = answered.hit?.[1]
  const { session, rest } = sessionOf(answered.rest)
  const named = /^(?:let |const )?([a-z]\w*) = (.+)$/s.exec(bare(rest))
  const awaited = /^await (.+)$/s.exec(named?.[2] ?? '')
  const reading = readVerb(awaited?.[1] ?? named?.[2] ?? rest)
  if (reading === undefined) return undefined
  const mode: Mode = awaited === null ? (reading.mode ?? 'now') : 'awaits'
  return {
    text: answered.rest,
    key: reading.key ?? bare(rest),
    session,
    mode,
    act: reading.act,
    ...(answer === undefined ? {} : { answer }),
    ...(named === null ? {} : { name: named[1] ?? '' }),
  }
}

const advance = (ms: number): Verb[] => {
  const verb = readOne(`advance ${ms} ms`)
  return verb === undefined ? [] : [verb]
}

/** What comes later comes after everything that was set off has run. */
const pause = (): Verb[] => [
  { text: 'later', key: 'later', session: 's1', mode: 'drives', act: () => settle() },
]

const LATER = new RegExp(`^(?:after )?${DURATION}(?: later)?,? `)
const AFTER = new RegExp(`,? (?:after|at) ${DURATION}$`)

/** One part between semicolons: a verb, a delayed verb, or verbs joined by "then" or "and". */
function readPart(part: string): Verb[] | undefined {
  const later = LATER.exec(part)
  if (later !== null) return prefixed(advance(msIn(later[0]) ?? 0), part.slice(later[0].length))
  if (/^later,? /.test(part)) return prefixed(pause(), part.replace(/^later,? /, ''))
  const after = AFTER.exec(part)
  if (after !== null && !/^advance|^wait/.test(part)) {
    return prefixed(advance(msIn(after[0]) ?? 0), part.slice(0, after.index))
  }
  const store = /^(.+?) (?:with|on|over) (?:a|the) (store that (?:rejects|refuses|fails) .+)$/.exec(
    part,
  )
  if (store !== null)
    return joined(`${(store[2] ?? '').replace('that ', '')} then ${store[1] ?? ''}`, / then /)
  const whole =
    /,\s*then\s|\sthen\s|\sand (?:then )?(?:\w+ )/.test(part) && !/^release|^let/.test(part)
      ? undefined
      : readOne(part)
  if (whole !== undefined) return [whole]
  return (
    joined(part, /\s*(?:,\s*then|,?\sand then|\sthen)\s+/) ??
    joined(part, /,?\sand\s|,\s/) ??
    single(part)
  )
}

const single = (part: string): Verb[] | undefined => {
  const verb = readOne(part)
  return verb === undefined ? undefined : [verb]
}

function prefixed(before: readonly Verb[], rest: string): Verb[] | undefined {
  const verbs = readPart(rest)
  return verbs === undefined ? undefined : [...before, ...verbs]
}

function joined(part: string, separator: RegExp): Verb[] | undefined {
  const parts = splitTop(part, separator)
  if (parts.length < 2) return undefined
  const verbs = parts.map((text) => readPart(text))
  return verbs.every((verb) => verb !== undefined) ? verbs.flat() : undefined
}

/** `followup A; B; C sequentially`: each waits for the one before. */
function sequential(text: string): string | undefined {
  const hit = /^(\w+) (.+?) (?:sequentially|one after another|in sequence)$/.exec(text)
  if (hit === null) return undefined
  const names = splitTop(hit[2] ?? '', /\s*[;,]\s*(?:then )?/)
  return names
    .map((name) => `${hit[1] ?? ''} ${name.replace(/^followup /, '')}; await whenIdle`)
    .join('; ')
}

/** What a `do` says, and what of it could not be read. */
export interface ReadDo {
  readonly verbs: readonly Verb[]
  readonly unread: readonly string[]
}

/** Reads a `do`. */
export function parseVerbs(text: string): ReadDo {
  const parts = splitTop(sequential(text.trim()) ?? bare(text), /\s*;\s*/)
  const verbs: Verb[] = []
  const unread: string[] = []
  for (const part of parts) {
    const read = readPart(part)
    if (read === undefined) unread.push(part)
    else verbs.push(...read)
  }
  return { verbs, unread }
}
