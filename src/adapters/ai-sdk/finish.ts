/**
 * Reads the end of a stream: why it ended, and what it used.
 *
 * @module
 */
import type { FinishReason } from '../../events/chunk.ts'
import type { Failure, Usage } from '../../events/message.ts'
import { recordOf, type StreamPart } from './language-model.ts'

/** The end of an attempt. `broken`: no reason was given, so that the answer may be cut. */
export interface Ending {
  readonly reason: FinishReason | 'broken'
  readonly raw?: string
}

const REASONS: ReadonlyMap<unknown, Ending['reason']> = new Map<unknown, Ending['reason']>([
  ['stop', 'stop'],
  ['tool-calls', 'tool-calls'],
  ['length', 'max-tokens'],
  ['content-filter', 'content-filter'],
  ['error', 'error'],
  ['other', 'other'],
  // Version 2: the model has not said why it ended.
  ['unknown', 'broken'],
  // Version 4: the stream ended without a completion signal.
  ['interrupted', 'broken'],
  [undefined, 'broken'],
])

/** Since version 3 the reason is `{unified, raw}`; in version 2 it was one word. */
export function endingOf(finish: StreamPart): Ending {
  const given = finish['finishReason']
  if (typeof given === 'string') return { reason: REASONS.get(given) ?? 'other', raw: given }
  const { unified, raw } = recordOf(given) ?? {}
  const reason = REASONS.get(unified) ?? 'other'
  if (typeof raw === 'string') return { reason, raw }
  // Packages start with `other` and no word of the provider, and keep that when the stream is cut.
  return { reason: reason === 'other' ? 'broken' : reason }
}

/** The failure of a stream that ended without saying why. */
export const BROKEN: Failure = {
  code: 'TRANSPORT',
  message: 'the stream ended without a finish reason, so the answer may be cut',
}

const SERVER_WORDS = new Set(['insufficient_system_resource'])

/** The failure of an answer that ended as an error without an error in its stream. */
export const endedAsError = (raw: string | undefined): Failure => ({
  code: raw !== undefined && SERVER_WORDS.has(raw) ? 'SERVER' : 'UNKNOWN',
  message: `the provider ended the answer with an error${raw === undefined ? '' : ` (${raw})`}`,
})

const count = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined

const sum = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? undefined : a + b

type Counts = { readonly [K in keyof Usage]-?: number | undefined }

function flat(usage: Readonly<Record<string, unknown>>): Counts {
  const inputTokens = count(usage['inputTokens'])
  const outputTokens = count(usage['outputTokens'])
  return {
    inputTokens,
    outputTokens,
    totalTokens: count(usage['totalTokens']) ?? sum(inputTokens, outputTokens),
    reasoningTokens: count(usage['reasoningTokens']),
    cacheReadTokens: count(usage['cachedInputTokens']),
    cacheWriteTokens: undefined,
  }
}

function nested(usage: Readonly<Record<string, unknown>>): Counts {
  const input = recordOf(usage['inputTokens']) ?? {}
  const output = recordOf(usage['outputTokens']) ?? {}
  const inputTokens = count(input['total'])
  const outputTokens = count(output['total'])
  return {
    inputTokens,
    outputTokens,
    totalTokens: sum(inputTokens, outputTokens),
    reasoningTokens: count(output['reasoning']),
    cacheReadTokens: count(input['cacheRead']),
    cacheWriteTokens: count(input['cacheWrite']),
  }
}

/** Usage is flat in version 2 and nested since then; undefined if no number is known. */
export function usageOf(finish: StreamPart): Usage | undefined {
  const usage = recordOf(finish['usage'])
  if (usage === undefined) return undefined
  const isNested = recordOf(usage['inputTokens']) ?? recordOf(usage['outputTokens'])
  const counts = isNested === undefined ? flat(usage) : nested(usage)
  const known = Object.entries(counts).filter(([, value]) => value !== undefined)
  return known.length === 0 ? undefined : (Object.fromEntries(known) as Usage)
}
