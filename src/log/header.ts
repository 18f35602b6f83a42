/**
 * The header line of a stored log, checked where it is read.
 *
 * @module
 */
import { LogCorruptError, TurnwiseError } from '../errors.ts'
import type { LogHeader } from '../events/event.ts'
import { asInteger, asName, asRecord, asText, ShapeError } from '../events/shape.ts'

/**
 * @throws LogCorruptError for what is no header; TurnwiseError UNKNOWN_EVENT for a layout that this version cannot read.
 */
export function parseHeader(value: unknown): LogHeader {
  try {
    const header = asRecord(value, 'the header')
    asName(header['id'], 'id')
    asInteger(header['createdAt'], 'createdAt', Number.MIN_SAFE_INTEGER)
    checkFormat(asInteger(header['formatVersion'], 'formatVersion', 1))
    for (const key of ['cwd', 'parent']) if (header[key] !== undefined) asText(header[key], key)
    for (const key of ['inheritedLength', 'depth'])
      if (header[key] !== undefined) asInteger(header[key], key)
    return value as LogHeader
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error
    throw new LogCorruptError(0, `expected the header of a log, but ${error.message}`, {
      cause: error,
    })
  }
}

function checkFormat(version: number): void {
  if (version === 1) return
  throw new TurnwiseError(
    'UNKNOWN_EVENT',
    `expected a log of format version 1, found ${version}; nothing was changed. Upgrade.`,
  )
}
