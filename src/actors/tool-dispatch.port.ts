/**
 * The port that starts tool bodies: replace it to run them elsewhere (a worker, a sandbox, a queue).
 *
 * @module
 */
import type { CallRef } from '../events/message.ts'

/** A body about to start. */
export interface DispatchedCall {
  readonly call: CallRef
  readonly tool: string
  readonly signal: AbortSignal
}

/**
 * Runs `body`, which never rejects: a failing tool is an outcome. A rejection of the dispatcher itself means that the
 * dispatch broke: the call is answered `OUTCOME_UNKNOWN`, started bodies drain, and the turn fails.
 */
export type ToolDispatch = (call: DispatchedCall, body: () => Promise<void>) => Promise<void>
