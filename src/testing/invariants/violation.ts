/**
 * What an invariant is called, and how a breach of it is told.
 *
 * @module
 */
import type { StoredEvent } from '../../events/event.ts'

/**
 * - `I-PAIR`: every call has exactly one outcome before its step closes, or is closed by a repair.
 * - `I-BRACKET`: turns and steps nest, close once and never overlap; their numbers grow.
 * - `I-ONCE`: every accepted message has exactly one fate.
 * - `I-TERMINAL`: a turn ends once, and nothing of it stands behind its end but a repair.
 * - `I-IDLE`: idle is announced only without waking work that is not parked.
 * - `I-DERIVE`: what is recorded twice agrees: a summary of facts says what the facts say.
 * - `I-NOREJECT`: the process saw no unhandled rejection and no uncaught exception.
 * - `I-AUTH`: a cancel reaches the turn it was aimed at, and no other.
 * - `I-EFFECT`: a body runs at most once for each recorded call.
 */
export type Invariant =
  | 'I-PAIR'
  | 'I-BRACKET'
  | 'I-ONCE'
  | 'I-TERMINAL'
  | 'I-IDLE'
  | 'I-DERIVE'
  | 'I-NOREJECT'
  | 'I-AUTH'
  | 'I-EFFECT'

/** One breach. */
export interface Violation {
  readonly invariant: Invariant
  /** The rule that was broken: one of the enclosure rules, or one of those in this folder. */
  readonly rule: string
  /** The event that broke it; null where it is no event's doing. */
  readonly seq: number | null
  readonly message: string
}

/** Looks at one event after another; an event is shown before it is applied to the ledger. */
export interface Watch {
  take(event: StoredEvent): void
}

/** Where watches tell what they find. */
export type Report = (violation: Violation) => void
