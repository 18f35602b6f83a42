/**
 * Where an event stands, as far as it says so itself.
 *
 * @module
 */
import type { StoredEvent } from '../events/event.ts'

export interface Place {
  /** From 1; null if the event names none. */
  readonly turn: number | null
  /** From 1; null if the event names no step of a turn. */
  readonly step: number | null
}

/** Turn and step that an event of a log names; events of others may carry anything, null too. */
export function placeOf({ data }: Pick<StoredEvent, 'data'>): Place {
  const { turn, step } = (data ?? {}) as { readonly turn?: unknown; readonly step?: unknown }
  const isNumber = typeof turn === 'number'
  return { turn: isNumber ? turn : null, step: isNumber && typeof step === 'number' ? step : null }
}
