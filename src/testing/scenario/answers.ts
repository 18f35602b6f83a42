/**
 * What commands answered, in words.
 *
 * @module
 */
import type { RunResult } from '../../actors/agent-handle.ts'
import { causeChain } from '../../errors.ts'
import { match } from './phrase.ts'
import type { Answered } from './world.ts'

/** Is it the result of an owned run? */
export const isRunResult = (value: unknown): value is RunResult =>
  typeof value === 'object' && value !== null && 'finalResponse' in value && 'turns' in value

/** An answer in words: `true`, `throws DUPLICATE_ID`, `rejects x`. */
export function describeAnswer({ threw, value }: Answered): string {
  if (threw !== undefined) return `throws ${errorWords(threw)}`
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Name, code and message of a thrown value. */
export function errorWords(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? String(error.code) : ''
  return `${error.name} ${code} ${causeChain(error)}`
}

const FAILURE = /^(?:throws|rejects)\b(?: synchronously)?(?: with)?\s*"?(.*?)"?$/

/** Does a stated answer say what was answered? */
export function answerMatches(want: string, { threw, value }: Answered): boolean {
  const failure = match(
    FAILURE,
    want.replace(/^(?:each|both|all|(?:the )?(?:one|second|other)) /, ''),
  )
  if (failure !== undefined) return threw !== undefined && errorWords(threw).includes(failure.at(1))
  if (threw !== undefined) return errorWords(threw).includes(want)
  if (typeof value === 'object' && value !== null) return hasParts(want, value)
  return JSON.stringify(value)?.replaceAll('"', '') === want.replaceAll('"', '')
}

/** `{effect: aborted, turn: 1}` or `aborted`: each part is one of the members. */
function hasParts(want: string, value: object): boolean {
  const words = Object.entries(value).flatMap(([key, item]) => [
    String(item),
    `${key}: ${String(item)}`,
  ])
  return want
    .replace(/^\{|\}$/g, '')
    .split(/\s*,\s*/)
    .every((part) => words.includes(part))
}
