/**
 * Thrown values as failures.
 *
 * @module
 */
import { causeChain, GateDecisionError, TurnwiseError } from '../errors.ts'
import type { Failure } from '../events/message.ts'
import type { ModelError } from './model.port.ts'

/** Codes of classified failures of a model. */
const CLASSIFIED: ReadonlySet<unknown> = new Set([
  'SERVER',
  'RATE_LIMIT',
  'TIMEOUT',
  'TRANSPORT',
  'EMPTY_RESPONSE',
  'AUTH',
  'CONTEXT_OVERFLOW',
  'ABORTED',
  'UNKNOWN_PROVIDER',
])

const isClassified = (code: unknown): code is string => CLASSIFIED.has(code)

const isNumber = (value: unknown): value is number => Number.isFinite(value)

/** A classified failure keeps its fields; anything else is `UNKNOWN` with the whole chain of causes. */
export function failureOf(thrown: unknown): Failure {
  const message = causeChain(thrown)
  if (typeof thrown !== 'object' || thrown === null) return { code: 'UNKNOWN', message }
  const { code, status, retryAfterMs, requestId } = thrown as Partial<ModelError>
  if (!isClassified(code)) return { code: 'UNKNOWN', message }
  return {
    code,
    message,
    ...(isNumber(status) && { status }),
    ...(isNumber(retryAfterMs) && { retryAfterMs }),
    ...(typeof requestId === 'string' && { requestId }),
  }
}

/** Failure of a gate, of an append or of the runtime itself: never offered to recovery. */
export const turnFailure = (thrown: unknown): Failure =>
  thrown instanceof GateDecisionError ||
  (thrown instanceof TurnwiseError && thrown.code === 'GATE_DECISION_INVALID')
    ? { code: 'GATE_DECISION_INVALID', message: thrown.message }
    : failureOf(thrown)
