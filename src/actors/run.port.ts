/**
 * The port of owned runs: what an interval is asked with, what it comes to, and how it is followed.
 *
 * @module
 */
import type { ActorName, StoredEvent } from '../events/event.ts'
import type { Json } from '../events/json.ts'
import type { MessageId, TurnReason, Usage } from '../events/message.ts'
import type { StandardSchema } from './tool.port.ts'

export interface RunOptions {
  /** Default: that of the agent. */
  readonly concurrentRuns?: 'queue' | 'reject'
  /** Ms after which the run rejects with RUN_TIMEOUT. It gives up waiting, not the work. Default: never. */
  readonly timeoutMs?: number
  readonly actor?: ActorName
  /** Sees each event of the interval as it is recorded. What it throws rejects the run; the work goes on. */
  readonly observer?: (event: StoredEvent) => void
}

/** A run whose answer is to be data. */
export interface OutputOptions<Schema extends StandardSchema> extends RunOptions {
  /** What the answer must be: a schema of zod, valibot, arktype or another library of Standard Schema. */
  readonly output: Schema
  /** JSON Schema that the model is shown. Default: what `output` exports; without one the model is only asked for JSON. */
  readonly outputJsonSchema?: Json
}

/** What happened between the insertion of a message and quiescence. Nothing here is attributed to the message. */
export interface RunResult {
  readonly sessionId: string
  readonly messageId: MessageId
  /** Last non-empty committed assistant text of the interval; empty if there is none. */
  readonly finalResponse: string
  readonly events: readonly StoredEvent[]
  readonly turns: readonly { readonly turn: number; readonly reason: TurnReason }[]
  /** Sum over all attempts of the interval. */
  readonly usage: Usage
}

/** Why there is no output. */
export interface OutputFault {
  /**
   * `NOT_COMPLETED`: the last turn of the interval did not complete, or there was none. `NO_JSON`: the final response is no
   * JSON. `INVALID_OUTPUT`: it is JSON, and does not fit.
   */
  readonly code: 'NOT_COMPLETED' | 'NO_JSON' | 'INVALID_OUTPUT'
  readonly message: string
  /** What the schema found, one text for each place; empty for the other codes. */
  readonly issues: readonly string[]
}

/** The data that the final response holds, as the schema gives it out, or why there is none. */
export type RunOutput<Output> =
  | { readonly output: Output; readonly outputFault?: undefined }
  | { readonly output?: undefined; readonly outputFault: OutputFault }

/** What a schema gives out. */
export type InferOutput<Schema extends StandardSchema> = NonNullable<
  Schema['~standard']['types']
>['output']

/** A run under way: the promise of its result, and its events while they come. */
export interface AgentRun<Result extends RunResult = RunResult> extends Promise<Result> {
  /**
   * The events of the interval, from the insertion of the message on, until the run settles; it ends or throws as the run
   * does. Each call begins at the start of the interval. They are read from the log at the pace of the reader, so that a slow
   * one costs no memory.
   */
  events(): AsyncIterableIterator<StoredEvent>
}
