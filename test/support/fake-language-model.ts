/**
 * Language models of any version that stream given parts: the model is what tests may replace.
 */
import type { LanguageModelLike, SpecVersion, StreamPart } from '../../src/adapters/ai-sdk/index.ts'

export interface FakeModel extends LanguageModelLike {
  /** Options of every call, oldest first. */
  readonly calls: Readonly<Record<string, unknown>>[]
}

/** A stream of parts; an `Error` among them breaks it. */
export const streamOf = (parts: readonly (StreamPart | Error)[]): ReadableStream<unknown> => {
  const left = [...parts]
  return new ReadableStream({
    pull(controller) {
      const part = left.shift()
      if (part === undefined) controller.close()
      else if (part instanceof Error) controller.error(part)
      else controller.enqueue(part)
    },
  })
}

/** A language model that answers each call with the same parts. */
export function fakeModel(
  specificationVersion: SpecVersion,
  parts: readonly (StreamPart | Error)[],
  headers?: Readonly<Record<string, string>>,
): FakeModel {
  const calls: Readonly<Record<string, unknown>>[] = []
  return {
    specificationVersion,
    provider: 'fake.chat',
    modelId: 'm',
    calls,
    async doStream(options: Readonly<Record<string, unknown>>) {
      calls.push(options)
      return { stream: streamOf(parts), ...(headers !== undefined && { response: { headers } }) }
    },
  }
}

/** The last part of a stream, in the words of each version. */
export const finishPart = (
  version: SpecVersion,
  reason = 'stop',
  raw: string | undefined = reason,
): StreamPart =>
  version === 'v2'
    ? {
        type: 'finish',
        finishReason: reason,
        usage: {
          inputTokens: 10,
          outputTokens: 5,
          totalTokens: 15,
          reasoningTokens: 2,
          cachedInputTokens: 4,
        },
      }
    : {
        type: 'finish',
        finishReason: { unified: reason, raw },
        usage: {
          inputTokens: { total: 10, noCache: 5, cacheRead: 4, cacheWrite: 1 },
          outputTokens: { total: 5, text: 3, reasoning: 2 },
        },
      }
