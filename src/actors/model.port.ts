/**
 * The port of a model: one streamed request.
 *
 * @module
 */
import type { Chunk } from '../events/chunk.ts'
import type { RequestConfig, ToolHeader } from '../events/event.ts'
import type { HistoryEntry } from '../events/history-entry.ts'

export type { HistoryEntry }

/** What the model is asked. Everything is deeply frozen; `messages` is made when it is first read. */
export interface ModelRequest extends RequestConfig {
  readonly system?: string
  readonly tools: readonly ToolHeader[]
  readonly messages: readonly HistoryEntry[]
}

/** Where a request stands, and what ends it. */
export interface ModelContext {
  readonly agent: string
  readonly turn: number
  readonly step: number
  /** Counts the attempts of the step from 1. */
  readonly attempt: number
  /** Follows the signal of the turn, with the same reason; it alone may also abort with a `TIMEOUT` reason. */
  readonly signal: AbortSignal
}

/**
 * A model behind its adapter.
 *
 * `stream` may throw, at once or later: a thrown value with a string `code` and a `message` (see `ModelError`) is a
 * classified failure, anything else is `UNKNOWN`. It must stop soon after `signal` aborts; a stream that does not is
 * left behind after the drain grace. It must not retry by itself: the agent owns retries.
 */
export interface Model {
  /** Route used when the agent has no other: both must be known before a request can be made. */
  readonly provider?: string
  readonly modelId?: string
  /** Tokens that fit into one request, if known. */
  readonly contextWindow?: number
  /** Settings the adapter adds by itself; recorded as its defaults. */
  readonly defaults?: RequestConfig['settings']
  stream(request: ModelRequest, context: ModelContext): AsyncIterable<Chunk>
}

/** A classified failure of a model: throw it from `stream`, or put its fields into the `finish` chunk. */
export class ModelError extends Error {
  override readonly name = 'ModelError'
  readonly code: string
  readonly status?: number
  readonly retryAfterMs?: number
  readonly requestId?: string

  constructor(
    failure: {
      code: string
      message: string
      status?: number
      retryAfterMs?: number
      requestId?: string
    },
    options?: ErrorOptions,
  ) {
    super(failure.message, options)
    this.code = failure.code
    if (failure.status !== undefined) this.status = failure.status
    if (failure.retryAfterMs !== undefined) this.retryAfterMs = failure.retryAfterMs
    if (failure.requestId !== undefined) this.requestId = failure.requestId
  }
}
