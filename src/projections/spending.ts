/**
 * Tokens: which event books how much, and how sums are made.
 *
 * U1 An attempt is booked once: by its message, by its failure, or by the end of a step that cut it.
 * U2 Missing numbers are unknown and stay missing until some attempt reports them.
 *
 * @module
 */
import type { StoredEvent } from '../events/event.ts'
import type { AssistantMessage, Usage } from '../events/message.ts'
import { byType } from './projection.ts'

const NUMBERS = [
  'inputTokens',
  'outputTokens',
  'totalTokens',
  'reasoningTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
] as const

/** The sum of two usages; `left` itself where `right` adds nothing. */
export function addUsage(left: Usage, right: Usage): Usage {
  const sum: { -readonly [name in keyof Usage]: number } = { ...left }
  let changed = false
  for (const name of NUMBERS) {
    const more = right[name]
    if (more === undefined || (more === 0 && left[name] !== undefined)) continue
    sum[name] = (left[name] ?? 0) + more
    changed = true
  }
  return changed ? Object.freeze(sum) : left
}

/** What the stream of the running attempt has reported and nothing has booked yet. */
export const reportedUsage = byType<Usage | null>({
  'assistant/chunk': (reported, { data: { chunk } }) =>
    chunk.kind === 'usage' ? Object.freeze({ ...reported, ...chunk.usage }) : reported,
  'assistant/message': () => null,
  'request/failed': () => null,
  'step/end': () => null,
})

/** What `event` books, given what was reported before it; undefined if it books nothing. */
export function bookedUsage(reported: Usage | null, event: StoredEvent): Usage | undefined {
  if (event.type === 'assistant/message' || event.type === 'request/failed') {
    return event.data.usage ?? reported ?? undefined
  }
  return event.type === 'step/end' ? (reported ?? undefined) : undefined
}

/** The visible text of a message, its blocks joined. */
export const assistantText = ({ content }: AssistantMessage): string => {
  let text = ''
  for (const block of content) if (block.type === 'text') text += block.text
  return text
}
