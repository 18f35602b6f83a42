/**
 * Makes an event small enough for a batch without changing its shape, so that folds of it stay what they are.
 *
 * E1 Ids are never cut: projections match them.
 * E2 What is cut ends in an ellipsis, and the event says how long its payload was.
 *
 * @module
 */
import type { StoredEvent } from '../../events/event.ts'
import { WHOLE_UP_TO, type WireEvent } from './wire.ts'

/** Characters that are left of a long text. */
const KEPT = 400
/** Fields whose JSON no fold looks into: beyond some size they become a text. */
const FREE = new Set(['value', 'meta', 'metadata', 'arguments', 'replay', 'parameters', 'settings'])
const FREE_UP_TO = 2 * KEPT
/** Fields that hold ids, alone or in lists. */
const IDS = new Set('id ids key providerId nextStep nextTurn discarded uncommitted'.split(' '))

/** The event as a batch carries it, as JSON. */
export function wireJson(event: StoredEvent): string {
  const whole = JSON.stringify(event)
  // The envelope is small: only where the whole is long must the payload be measured.
  if (whole.length <= WHOLE_UP_TO) return whole
  const shortened = JSON.stringify(event.data).length
  if (shortened <= WHOLE_UP_TO) return whole
  const cut = { ...event, data: cutValue(event.data, false), shortened } as WireEvent
  return JSON.stringify(cut)
}

/** `exact`: nothing below is cut. */
function cutValue(value: unknown, exact: boolean): unknown {
  if (exact) return value
  if (typeof value === 'string') return cutText(value)
  if (Array.isArray(value)) return value.map((item) => cutValue(item, false))
  if (typeof value !== 'object' || value === null) return value
  // Entries, not assignments: a payload may hold a key named __proto__.
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cutField(key, item)]))
}

function cutField(key: string, value: unknown): unknown {
  if (!FREE.has(key) || typeof value !== 'object' || value === null)
    return cutValue(value, IDS.has(key))
  const text = JSON.stringify(value)
  return text.length > FREE_UP_TO ? cutText(text) : value
}

const cutText = (text: string): string =>
  text.length <= KEPT ? text : `${text.slice(0, KEPT)}… (${text.length} characters)`
