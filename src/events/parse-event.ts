/**
 * Events of a stored log, checked while it is loaded.
 *
 * @module
 */
import { LogCorruptError, TurnwiseError } from '../errors.ts'
import { coreCatalogue } from './catalogue.ts'
import type { Catalogue } from './catalogue.ts'
import type { StoredEvent } from './event.ts'
import type { Json } from './json.ts'
import { asInteger, asList, asName, asRecord, ShapeError } from './shape.ts'
import { upcast, versionOf } from './upcast.ts'

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/**
 * Reads one event: envelope, version and payload.
 *
 * @param position - the seq it must have.
 * @throws LogCorruptError with the position; TurnwiseError UNKNOWN_EVENT for a required type that is not known, or for
 *   a version that is newer than this reader.
 */
export function parseEvent(
  value: unknown,
  position: number,
  catalogue: Catalogue = coreCatalogue,
): StoredEvent {
  const event = parseEnvelope(value, position, catalogue)
  const fault = catalogue.fault(event.type, event.data)
  if (fault !== undefined) throw corrupt(position, `${event.type}: ${fault}`)
  return event
}

/**
 * Reads one event, but not its payload, except for lifting an old one. Costs a few comparisons.
 *
 * @throws as {@link parseEvent}.
 */
export function parseEnvelope(
  value: unknown,
  position: number,
  catalogue: Catalogue = coreCatalogue,
): StoredEvent {
  try {
    return lifted(checkEnvelope(value, position), position, catalogue)
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error
    throw corrupt(position, error.message, error)
  }
}

function checkEnvelope(value: unknown, position: number): StoredEvent {
  const event = asRecord(value, 'the event')
  if (event['seq'] !== position)
    throw new ShapeError('seq', `${position}, without a gap`, event['seq'])
  asInteger(event['time'], 'time', Number.MIN_SAFE_INTEGER)
  asName(event['type'], 'type')
  if (event['data'] === undefined) throw new ShapeError('data', 'the payload', undefined)
  if (event['optional'] !== undefined && event['optional'] !== true)
    throw new ShapeError('optional', 'true', event['optional'])
  if (event['cites'] !== undefined)
    for (const seq of asList(event['cites'], 'cites')) asInteger(seq, 'cites')
  if (event['v'] !== undefined) asInteger(event['v'], 'v', 1)
  return value as StoredEvent
}

function lifted(event: StoredEvent, position: number, catalogue: Catalogue): StoredEvent {
  const type: string = event.type
  if (!catalogue.knows(type)) {
    if (event.optional === true || catalogue.passes?.(type) === true) return event
    throw unknown(`event ${position} has the unknown type ${type}`)
  }
  const current = versionOf(catalogue.upcasts, type)
  const v = event.v ?? 1
  if (v === current) return event
  if (v > current)
    throw unknown(`event ${position} (${type}) has version ${v}, this reader knows ${current}`)
  const next: Mutable<StoredEvent> = { ...event, v: current }
  next.data = upcast(catalogue.upcasts, type, v, event.data as unknown as Json) as never
  return next
}

const unknown = (found: string): TurnwiseError =>
  new TurnwiseError(
    'UNKNOWN_EVENT',
    `${found}; nothing was changed. Upgrade, or load with the catalogue it was written with.`,
  )

const corrupt = (position: number, fault: string, cause?: unknown): LogCorruptError =>
  new LogCorruptError(
    position,
    `event ${position} is damaged: ${fault}; nothing was changed. Restore the log.`,
    { cause },
  )
