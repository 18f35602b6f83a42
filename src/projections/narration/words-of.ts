/**
 * What formats of others need in words: an outcome as a text or a value, arguments as data, the reason of an end.
 *
 * @module
 */
import type { Json } from '../../events/json.ts'
import type { ContentBlock, Outcome, TurnReason } from '../../events/message.ts'

const textOf = (content: readonly ContentBlock[]): string =>
  content
    .map((block) => (block.type === 'text' ? block.text : `[${block.type} ${block.mediaType}]`))
    .join('\n')

/** The outcome as a text for people and models. */
export function outcomeText(outcome: Outcome): string {
  const text = textOf(outcome.content)
  if (text !== '' || outcome.kind === 'ok') return text
  return outcome.kind === 'denied' ? outcome.reason : (outcome.code ?? 'the call failed')
}

/** The data that a tool returned, or its text. */
export const outcomeValue = (outcome: Outcome): Json =>
  outcome.kind === 'ok' && outcome.value !== undefined ? outcome.value : outcomeText(outcome)

/** The arguments of a call as data; text that is not JSON stays text. */
export function argumentsOf(text: string): Json {
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}

type Telling = {
  readonly [kind in TurnReason['kind']]?: (
    reason: Extract<TurnReason, { readonly kind: kind }>,
  ) => string
}

const TROUBLE: Telling = {
  error: ({ code, message }) => `${code}: ${message}`,
  limit: ({ which, used, allowed }) => `the limit of ${which} is used up: ${used} of ${allowed}`,
  blocked: ({ by, reason }) => `blocked by ${by}: ${reason}`,
  interrupted: () => 'the process ended in the middle of the turn',
}

/** Why a turn ended, where that was not of itself. */
export const troubleOf = (reason: TurnReason): string | undefined =>
  (TROUBLE[reason.kind] as ((reason: TurnReason) => string) | undefined)?.(reason)
