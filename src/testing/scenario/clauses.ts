/**
 * Splits what a hook or a tool does into clauses: `waits on g then rejects`, `returns continue once, then default`.
 *
 * @module
 */
import { match, splitTop, topLevel } from './phrase.ts'
import { takeScope, type Asked, type Scope } from './scope.ts'

/** One clause that was read: when it applies, and what it does. */
export interface Clause<Step> {
  readonly scope: Scope
  readonly step: Step
}

export interface Clauses<Step> {
  /** Holds for all of them. */
  readonly scope: Scope
  readonly clauses: readonly Clause<Step>[]
}

/** What a reader makes of the text of one clause, its scope taken out. */
export type ClauseReader<Step> = (text: string, scope: Scope) => Step | undefined

const SEPARATOR =
  /(?:\s*;\s*|,?\s+(?:and )?then\s+|,?\s+after(?:wards| that)\s+|,\s*(?:and\s+)?|\s+and\s+)/iy

interface Piece {
  readonly text: string
  /** What stands before it. */
  readonly joint: string
}

/** Pieces between separators that stand outside quotes and brackets. */
function pieces(text: string): Piece[] {
  const found: Piece[] = []
  let from = 0
  let joint = ''
  for (const i of topLevel(text)) {
    if (i <= from) continue
    SEPARATOR.lastIndex = i
    const hit = SEPARATOR.exec(text)
    if (hit === null) continue
    found.push({ text: text.slice(from, i), joint })
    joint = hit[0]
    from = i + joint.length
  }
  found.push({ text: text.slice(from), joint })
  return found.filter((piece) => piece.text.trim() !== '')
}

const NO_SCOPE = takeScope('').scope

function readPiece<Step>(text: string, read: ClauseReader<Step>): Clause<Step> | undefined {
  const { scope, rest } = takeScope(text)
  const step = scope.empty ? undefined : read(rest, scope)
  if (step !== undefined) return { scope, step }
  const whole = read(text.trim(), NO_SCOPE)
  return whole === undefined ? undefined : { scope: NO_SCOPE, step: whole }
}

const joined = (some: readonly Piece[]): string =>
  some.map((piece, i) => (i === 0 ? piece.text : piece.joint + piece.text)).join('')

/** The longest clause at the head of `rest`, and how many pieces it takes. */
function longest<Step>(
  rest: readonly Piece[],
  read: ClauseReader<Step>,
): { readonly clause: Clause<Step>; readonly taken: number } | undefined {
  for (let taken = rest.length; taken > 0; taken -= 1) {
    const clause = readPiece(joined(rest.slice(0, taken)), read)
    if (clause !== undefined) return { clause, taken }
  }
  return undefined
}

/** Reads the longest clauses first; what cannot be read is told to `unread`. */
function readAll<Step>(
  all: readonly Piece[],
  read: ClauseReader<Step>,
  unread: string[],
): Clause<Step>[] {
  const clauses: Clause<Step>[] = []
  for (let from = 0; from < all.length;) {
    const found = longest(all.slice(from), read)
    if (found === undefined) unread.push(all[from]?.text ?? '')
    else clauses.push(found.clause)
    from += found?.taken ?? 1
  }
  return clauses
}

const VERBS =
  'waits?|rejects?|throws?|returns?|answers?|den(?:y|ies)|asks?|calls?|steers?|injects?|cancels?|records?|counts?|delegates?|adds?|blocks?|accepts?|enters?|followups?|sends?|retries|replaces?|switches|refuses|drops|sets|supplies|starts|awaits|raises|lowers|concludes|fails|gated|takes|defers|never|ignores|hangs|is'
const HEAD = new RegExp(`^(?:only )?(?:for|at|in|on|during|when|if|of) .+?(?=,? (?:${VERBS})\\b)`)

/** A scope that stands in front of all clauses. */
function frontScope(text: string): { readonly scope: Scope | undefined; readonly body: string } {
  const head = match(HEAD, text)?.at(0)
  const front = head === undefined ? undefined : takeScope(head)
  if (head === undefined || front?.rest !== '') return { scope: undefined, body: text }
  return { scope: front.scope, body: text.slice(head.length).replace(/^[,\s]+/, '') }
}

/** Does the only scope among several clauses hold for all of them? */
function isShared<Step>(
  clauses: readonly Clause<Step>[],
  only: Clause<Step>,
  ends: (step: Step) => boolean,
): boolean {
  if (only !== clauses.at(-1)) return !ends(only.step)
  return !clauses.slice(0, -1).some((clause) => ends(clause.step))
}

/** A new scope in front begins a new segment: `for c1 waits for abort; for c2 throws "m"`. */
const SEGMENT =
  /\s*(?:[;,]|,?\sand)\s*(?:and\s+)?(?=(?:for|at|in|on) (?:the )?(?:(?:first|second|third) )?(?:step|turn|call|attempt|c\d+)\b[^;,]* (?:\w+s|deny|is)\b)/

/** Both have to hold. */
const both = (one: Scope, other: Scope): Scope =>
  one.empty
    ? other
    : {
        texts: [...one.texts, ...other.texts],
        empty: false,
        once: one.once || other.once,
        holds: (asked) => one.holds(asked) && other.holds(asked),
      }

/**
 * Reads clauses. A scope in front, or behind the last of several, holds for all of them; a scope on an earlier one
 * that ends the matter (`ends`) holds for that one alone.
 */
export function readClauses<Step>(
  text: string,
  read: ClauseReader<Step>,
  ends: (step: Step) => boolean,
  unread: string[],
): Clauses<Step> {
  const segments = splitTop(text, SEGMENT).map((part) => readSegment(part, read, ends, unread))
  const [only] = segments
  if (only !== undefined && segments.length === 1) return only
  const clauses = segments.flatMap((segment) =>
    segment.clauses.map(({ scope, step }) => ({ scope: both(segment.scope, scope), step })),
  )
  return { scope: NO_SCOPE, clauses }
}

function readSegment<Step>(
  text: string,
  read: ClauseReader<Step>,
  ends: (step: Step) => boolean,
  unread: string[],
): Clauses<Step> {
  const { scope, body } = frontScope(text)
  const clauses = readAll(pieces(body), read, unread)
  const scoped = clauses.filter((clause) => !clause.scope.empty)
  const [only] = scoped
  if (scope !== undefined) return { scope, clauses }
  if (only === undefined || scoped.length > 1 || clauses.length === 1) {
    return { scope: NO_SCOPE, clauses }
  }
  if (!isShared(clauses, only, ends)) return { scope: NO_SCOPE, clauses }
  return { scope: only.scope, clauses: clauses.map((clause) => ({ ...clause, scope: NO_SCOPE })) }
}

/** Does the clause apply to this call? */
export const applies = (
  clauses: Clauses<unknown>,
  clause: Clause<unknown>,
  asked: Asked,
): boolean => clauses.scope.holds(asked) && clause.scope.holds(asked)
