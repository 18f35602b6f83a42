/**
 * Thrown values as failures.
 *
 * @module
 */
import { causeChain, GateDecisionError, TurnwiseError } from '../errors.ts'
import type { Failure } from '../events/message.ts'
import type { ModelError } from './model.port.ts'

/** Codes of classified failures of a model. */
const CLASSIFIED = new Set([
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

const number = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined

/** A classified failure keeps its fields; anything else is `UNKNOWN` with the whole chain of causes. */
export function failureOf(thrown: unknown): Failure {
  const facts = thrown as Partial<ModelError> | null | undefined
  const code =
    typeof facts?.code === 'string' && CLASSIFIED.has(facts.code) ? facts.code : 'UNKNOWN'
  const message = causeChain(thrown)
  if (code === 'UNKNOWN') return { code, message }
  const status = number(facts?.status)
  const retryAfterMs = number(facts?.retryAfterMs)
  return {
    code,
    message,
    ...(status === undefined ? {} : { status }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(typeof facts?.requestId === 'string' ? { requestId: facts.requestId } : {}),
  }
}

/** Failure of a gate, of an append or of the runtime itself: never offered to recovery. */
export const turnFailure = (thrown: unknown): Failure =>
  thrown instanceof GateDecisionError ||
  (thrown instanceof TurnwiseError && thrown.code === 'GATE_DECISION_INVALID')
    ? { code: 'GATE_DECISION_INVALID', message: thrown.message }
    : failureOf(thrown)
