/**
 * What a span says of tokens and failures.
 *
 * @module
 */
import type { Outcome, TurnReason, Usage } from '../../events/message.ts'
import type { Attribute } from './span.ts'

export type Attributes = Readonly<Record<string, Attribute>>

/** The attributes that tell tokens; missing numbers stay missing. */
export const usageAttributes = (usage: Usage | undefined): Attributes => ({
  'gen_ai.usage.input_tokens': usage?.inputTokens,
  'gen_ai.usage.output_tokens': usage?.outputTokens,
  'gen_ai.usage.cache_read.input_tokens': usage?.cacheReadTokens,
  'gen_ai.usage.cache_creation.input_tokens': usage?.cacheWriteTokens,
  'gen_ai.usage.reasoning.output_tokens': usage?.reasoningTokens,
})

/** The type of an error for a turn that failed; what a person or a policy ended has not. */
export function errorOf(reason: TurnReason): string | undefined {
  if (reason.kind === 'error') return reason.code
  if (reason.kind === 'limit') return `limit:${reason.which}`
  return reason.kind === 'interrupted' ? 'interrupted' : undefined
}

/** The type of an error for a call that failed, or was denied. */
export const outcomeError = (outcome: Outcome): string | undefined => {
  if (outcome.kind === 'ok') return undefined
  return outcome.kind === 'denied' ? 'denied' : (outcome.code ?? 'tool_error')
}
