/**
 * Tokens: which event books how much, and how sums are made.
 *
 * U1 An attempt is booked once: by its message, by its failure, or by the end of a step that cut it.
 * U2 Missing numbers are unknown and stay missing until some attempt reports them.
 *
 * @module
 */
import type { StepAt, StoredEvent } from '../events/event.ts'
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

/** What the streams of running attempts have reported and nothing has booked yet: one at most, but for crashes. */
export type Reported = readonly (StepAt & { readonly usage: Usage })[]

export const NOTHING_REPORTED: Reported = []

const isOf = (at: StepAt) => (one: StepAt) => one.turn === at.turn && one.step === at.step

const without = (reported: Reported, at: StepAt): Reported => {
  const others = reported.filter((one) => !isOf(at)(one))
  return others.length === reported.length ? reported : others
}

/** Later numbers of one attempt replace earlier ones. */
function onChunk(reported: Reported, { data }: StoredEvent<'assistant/chunk'>): Reported {
  if (data.chunk.kind !== 'usage') return reported
  const { turn, step, chunk } = data
  const usage = Object.freeze({ ...reported.find(isOf(data))?.usage, ...chunk.usage })
  return [...without(reported, data), { turn, step, usage }]
}

/** Takes up what a stream reports, and forgets it when its attempt is over. */
export const reportedUsage = byType<Reported>({
  'assistant/chunk': onChunk,
  'assistant/message': (reported, { data }) => without(reported, data),
  'request/failed': (reported, { data }) => without(reported, data),
  'step/end': (reported, { data }) => without(reported, data),
})

/** What `event` books, given what was reported before it; undefined if it books nothing. */
export function bookedUsage(reported: Reported, event: StoredEvent): Usage | undefined {
  if (event.type === 'assistant/message' || event.type === 'request/failed') {
    return event.data.usage ?? reported.find(isOf(event.data))?.usage
  }
  return event.type === 'step/end' ? reported.find(isOf(event.data))?.usage : undefined
}

/** The visible text of a message, its blocks joined. */
export const assistantText = ({ content }: AssistantMessage): string => {
  let text = ''
  for (const block of content) if (block.type === 'text') text += block.text
  return text
}
