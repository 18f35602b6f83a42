/**
 * Whoever only looks at a log passes events of others, and refuses what this library should know.
 */
import { describe, expect, it } from 'vitest'
import { lenientCatalogue } from '../../src/events/lenient-catalogue.ts'
import { parseEvent } from '../../src/events/parse-event.ts'

const event = (type: string, more: object = {}): object => ({
  seq: 0,
  time: 0,
  type,
  data: {},
  ...more,
})

describe('the lenient catalogue', () => {
  it('passes events of others, of any version, as they stand', () => {
    const own = event('acme/note', { v: 7 })
    expect(parseEvent(own, 0, lenientCatalogue)).toBe(own)
  })

  it.each([
    ['acme/note', true],
    ['turn/paused', false],
    ['note', false],
  ])('passes %s: %j', (type, passed) => {
    expect(lenientCatalogue.passes?.(type)).toBe(passed)
  })

  it.each([
    ['a type in a namespace of this library', event('turn/paused'), 'UNKNOWN_EVENT'],
    ['a type that is none', event('note'), 'UNKNOWN_EVENT'],
    ['a newer version of an own event', event('turn/start', { v: 9 }), 'UNKNOWN_EVENT'],
    ['a damaged own event', event('turn/start'), 'LOG_CORRUPT'],
  ])('refuses %s', (_, value, code) => {
    expect(() => parseEvent(value, 0, lenientCatalogue)).toThrow(expect.objectContaining({ code }))
  })
})
