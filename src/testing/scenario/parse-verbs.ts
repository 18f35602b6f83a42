/**
 * Reads the `do` of a command: verbs joined by ";", with answers, names, delays and the session they are meant for.
 *
 * @module
 */
import { DURATION, match, msIn, splitTop, take } from './phrase.ts'
import { defined } from '../defined.ts'
import { settle } from '../virtual-clock.ts'
import { GOAL_RULES } from './goals/goal-verbs.ts'
import { SESSION_RULES } from './sessions/verbs.ts'
import type { Reading, Verb, VerbRule } from './verb.ts'
import { CONTROL_RULES } from './verbs-control.ts'
import { SEND_RULES } from './verbs-send.ts'
import { WAIT_RULES } from './verbs-wait.ts'

const RULES: readonly VerbRule[] = [
  ...GOAL_RULES,
  ...SESSION_RULES,
  ...CONTROL_RULES,
  ...SEND_RULES,
  ...WAIT_RULES,
]

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
  /\s+(?:of|from|on) (?:the )?(?:(?:first|second|old|new|returned) )?(?:handle|agent|host)(?: from the host)?$/,
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
  /(?:^|\s)(?:on |of |in )?(?:agent |session )([12ab])\b:?|^(s[1-9])[:.]?\s+|\s+(?:on|of) (s[1-9]|[ab])$|^([ab])(?:\.|: | (?=(?:followup|steer|inject|cancel|dispose|abort|await|run)\b))|\b(?:on|of) (s[1-9]|[ab]) (?=concurrently)/

const SESSIONS: Readonly<Record<string, string>> = { 1: 's1', 2: 's2', a: 's1', b: 's2' }

function sessionOf(phrase: string): { session: string; rest: string } {
  const { hit, rest } = take(phrase, SESSION)
  const named = [1, 2, 3, 4, 5].map((i) => hit?.maybe(i)).find((found) => found !== undefined)
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

const NAMED = /^(?:let |const )?([a-z]\w*) = (.+)$/s

/** `w = whenIdle()` and `r = await run("A")`: a name, and what it names. */
function nameOf(said: string): { readonly name?: string; readonly what: string } {
  const named = match(NAMED, said)
  return named === undefined ? { what: said } : { name: named.at(1), what: named.at(2) }
}

function readOne(phrase: string): Verb | undefined {
  const answered = take(phrase, /\s*->\s*(.+)$/)
  const { session, rest } = sessionOf(answered.rest)
  const said = bare(rest)
  const { name, what } = nameOf(said)
  const reading = readVerb(name === undefined ? rest : what)
  if (reading === undefined) return undefined
  const { act, mode = 'now', key = said } = reading
  const answer = answered.hit?.at(1)
  return { text: answered.rest, key, session, mode, act, ...defined({ answer, name }) }
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

const STORE = /^(.+?) (?:with|on|over) (?:a|the) store that ((?:rejects|refuses|fails) .+)$/

/** Parts that stand for two commands: a delay, a pause or a store in front. */
function readPrefixed(part: string): Verb[] | undefined {
  const later = match(LATER, part)
  if (later !== undefined) {
    return prefixed(advance(msIn(later.at(0)) ?? 0), part.slice(later.at(0).length))
  }
  if (/^later,? /.test(part)) return prefixed(pause(), part.replace(/^later,? /, ''))
  const after = /^(?:advance|wait)/.test(part) ? undefined : match(AFTER, part)
  if (after !== undefined) {
    return prefixed(advance(msIn(after.at(0)) ?? 0), part.slice(0, after.index))
  }
  const store = match(STORE, part)
  return store === undefined
    ? undefined
    : joined(`store ${store.at(2)} then ${store.at(1)}`, / then /)
}

/** Does the part hold several verbs? */
const isSeveral = (part: string): boolean =>
  /,\s*then\s|\sthen\s|\sand (?:then )?(?:\w+ )/.test(part) && !/^(?:release|let)/.test(part)

/** One part between semicolons: a verb, a delayed verb, or verbs joined by "then" or "and". */
function readPart(part: string): Verb[] | undefined {
  const two = readPrefixed(part)
  if (two !== undefined) return two
  const whole = isSeveral(part) ? undefined : readOne(part)
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
