/**
 * Why a turn ended, in words, and as the line that goes to standard error.
 *
 * @module
 */
import type { TurnReason } from '../../events/message.ts'

type Kind = TurnReason['kind']

const WORDS: { readonly [K in Kind]: (reason: Extract<TurnReason, { kind: K }>) => string } = {
  completed: () => 'completed',
  'max-tokens': () => 'was cut: the model reached its token limit',
  blocked: ({ by, reason }) => `was blocked by ${by}: ${reason}`,
  aborted: ({ cause }) => `was aborted (${cause.kind})`,
  error: ({ code, message }) => `failed: ${code}: ${message}`,
  limit: ({ which, used, allowed }) => `reached its limit of ${which} (${used} of ${allowed})`,
  interrupted: () => 'was interrupted',
}

/** A reason in words that go after "turn 1". */
export const reasonOf = (reason: TurnReason): string =>
  (WORDS[reason.kind] as (reason: TurnReason) => string)(reason)

/** `CODE: message` for a turn that did not complete; undefined for one that did. */
export function faultOf(reason: TurnReason): string | undefined {
  if (reason.kind === 'completed') return undefined
  if (reason.kind === 'error') return `${reason.code}: ${reason.message}`
  return `${reason.kind.toUpperCase().replace('-', '_')}: the turn ${reasonOf(reason)}`
}
