/**
 * What is known of the request of the open step: its attempts, and what was decided about the last one.
 *
 * @module
 */
import type { StepAt } from '../events/event.ts'
import type { AssistantMessage, Failure } from '../events/message.ts'
import type { Attempt } from './attempt.ts'

/** What was decided about a failed attempt. */
export interface Verdict {
  readonly retry: boolean
  readonly delayMs: number
  /** Failure of the gate itself: it ends the turn. */
  readonly failure?: Failure
}

/** No further attempt follows. */
export const NO_RETRY: Verdict = Object.freeze({ retry: false, delayMs: 0 })

/** A plain record; one for each step. */
export class RequestRecord {
  readonly at: StepAt
  /** Attempts started so far. */
  attempts = 0
  /** Retries that the policy has given, by provider. */
  readonly retries = new Map<string, number>()
  attempt: Attempt | undefined
  verdict: Verdict = NO_RETRY
  message: AssistantMessage | undefined
  transformedBy: string | undefined

  constructor(at: StepAt) {
    this.at = at
  }
}
