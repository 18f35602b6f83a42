/**
 * Outcomes of calls that no body gave: they say honestly whether the call ran.
 *
 * @module
 */
import type { Outcome } from '../events/message.ts'

const error = (code: string, text: string): Outcome =>
  Object.freeze({
    kind: 'error',
    code,
    content: Object.freeze([Object.freeze({ type: 'text', text } as const)]),
  })

/** The turn was aborted before the body started. */
export const ABORTED_BEFORE_DISPATCH = error(
  'ABORTED_BEFORE_DISPATCH',
  'The call was not run: the turn was aborted before it started. It is safe to call again.',
)
/** The body succeeded after the abort. */
export const ABORTED = error(
  'ABORTED',
  'The turn was aborted while the call ran; its result was dropped. Check its effect before calling it again.',
)
/** A repair found the call in a message and nowhere else. */
export const NOT_STARTED = error(
  'NOT_STARTED',
  'The call was not run: the process ended before it started. It is safe to call again.',
)
/** The step was truncated. */
export const ARGUMENTS_CUT = error(
  'ARGUMENTS_CUT',
  'The call was not run: the answer was cut at the token limit, so its arguments may be incomplete.',
)

/** The body took longer than it may. */
export const timeoutOutcome = (ms: number): Outcome =>
  error(
    'TIMEOUT',
    `The call did not finish within ${ms} ms. Check its effect before calling it again.`,
  )

/** The tool is not known. */
export const unknownTool = (name: string): Outcome =>
  error('UNKNOWN_TOOL', `There is no tool named ${JSON.stringify(name)}.`)

/** The arguments do not fit. */
export const invalidArguments = (message: string): Outcome => error('INVALID_ARGS', message)

/** A policy, a person or a budget said no. */
export const denied = (by: string, reason: string): Outcome =>
  Object.freeze({
    kind: 'denied',
    by,
    reason,
    content: Object.freeze([
      Object.freeze({ type: 'text', text: `The call was denied by ${by}: ${reason}` } as const),
    ]),
  })
