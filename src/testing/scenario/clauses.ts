/**
 * Splits what a hook or a tool does into clauses: `waits on g then rejects`, `returns continue once, then default`.
 *
 * @module
 */
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
  let depth = 0
  let quoted = false
  let from = 0
  let joint = ''
  for (let i = 0; i < text.length; i += 1) {
    const c = text.charAt(i)
    if (c === '"') quoted = !quoted
    if (!quoted && '([{'.includes(c)) depth += 1
    if (!quoted && ')]}'.includes(c)) depth -= 1
    SEPARATOR.lastIndex = i
    const hit = quoted || depth > 0 ? null : SEPARATOR.exec(text)
    if (hit === null || i === from) continue
    found.push({ text: text.slice(from, i), joint })
    joint = hit[0]
    from = i + joint.length
    i = from - 1
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

/** Reads the longest clauses first; what cannot be read is told to `unread`. */
function readAll<Step>(
  all: readonly Piece[],
  read: ClauseReader<Step>,
  unread: string[],
): Clause<Step>[] {
  const clauses: Clause<Step>[] = []
  for (let from = 0; from < all.length;) {
    let to = all.length
    let clause: Clause<Step> | undefined
    for (; to > from && clause === undefined; to -= clause === undefined ? 1 : 0) {
      const text = all
        .slice(from, to)
        .map((piece, i) => (i === 0 ? piece.text : piece.joint + piece.text))
        .join('')
      clause = readPiece(text, read)
    }
    if (clause === undefined) {
      unread.push(all[from]?.text ?? '')
      from += 1
      continue
    }
    clauses.push(clause)
    from = to
  }
  return clauses
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
  const head =
    /^(?:only )?(?:for|at|in|on|during|when|if|of) .+?(?=,? (?:waits?|rejects?|throws?|returns?|answers?|den(?:y|ies)|asks?|calls?|steers?|injects?|cancels?|records?|counts?|delegates?|adds?|blocks?|accepts?|enters?|followups?|sends?|retries|replaces?|switches|refuses)\b)/.exec(
      text,
    )
  const front = takeScope(head?.[0] ?? '')
  const usable = head !== null && front.rest === ''
  const body = usable ? text.slice(head[0].length).replace(/^[,\s]+/, '') : text
  const clauses = readAll(pieces(body), read, unread)
  const scoped = clauses.filter((clause) => !clause.scope.empty)
  const [only] = scoped
  const shared = usable ? front.scope : undefined
  if (shared !== undefined || scoped.length !== 1 || only === undefined || clauses.length === 1) {
    return { scope: shared ?? NO_SCOPE, clauses }
  }
  const last = only === clauses.at(-1)
  if (!last && ends(only.step)) return { scope: NO_SCOPE, clauses }
  if (last && clauses.slice(0, -1).some((clause) => ends(clause.step)))
    return { scope: NO_SCOPE, clauses }
  return { scope: only.scope, clauses: clauses.map((clause) => ({ ...clause, scope: NO_SCOPE })) }
}

/** Does the clause apply to this call? */
export const applies = (
  clauses: Clauses<unknown>,
  clause: Clause<unknown>,
  asked: Asked,
): boolean => clauses.scope.holds(asked) && clause.scope.holds(asked)
