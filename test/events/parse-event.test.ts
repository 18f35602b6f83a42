import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { createCatalogue } from '../../src/events/catalogue.ts'
import { defineEvent } from '../../src/events/define-event.ts'
import { parseEnvelope, parseEvent } from '../../src/events/parse-event.ts'
import { schemas } from '../../src/events/schemas.ts'
import { chainUpcasters, upcast } from '../../src/events/upcast.ts'
import type { Upcaster } from '../../src/events/upcast.ts'
import {
  answer,
  asked,
  called,
  cancelled,
  chunk,
  claimed,
  compaction,
  context,
  continued,
  decided,
  discarded,
  inserted,
  moved,
  opened,
  replaced,
  requestFailed,
  result,
  settled,
  stepEnd,
  stepStart,
  turnEnd,
  turnStart,
  user,
} from './sample.ts'
import { thrownBy } from './thrown-by.ts'

const at = { seq: 0, time: 1 }
const step = (from: number): Upcaster => ({ type: 'acme/x', from, up: (data) => data })
const start = { ...at, type: 'turn/start', data: { turn: 1 } }

describe('an event of a stored log', () => {
  it.each(
    [
      opened(),
      inserted('A'),
      claimed(1, ['A']),
      discarded('A'),
      replaced(['A'], ['B']),
      moved('A', 'next-turn', 'next-step'),
      turnStart(1),
      turnEnd(1, ['A'], { kind: 'limit', which: 'steps', used: 1, allowed: 1 }),
      stepStart('1.1'),
      stepEnd('1.1'),
      user('1.1', 'A'),
      context(1, 'A'),
      chunk('1.1'),
      requestFailed('1.1'),
      answer('1.1', 2),
      called('1.1'),
      settled('1.1'),
      result('1.1'),
      asked('1.1'),
      decided('1.1'),
      continued('1.1'),
      cancelled(null, 'A'),
      compaction('start', null, 0, 1),
      compaction('summary', 1, 0, 1),
      compaction('end', null, 0, 1),
    ].map((event) => [event.type, event] as const),
  )('%s is taken as it is', (_type, event) => {
    const stored = { ...at, ...event }
    expect(parseEvent(stored, 0)).toBe(stored)
  })

  it.each([
    [null, 'the event must be an object, found null'],
    [{ ...start, seq: 1 }, 'seq must be 0, without a gap, found 1'],
    [{ ...start, time: 1.5 }, 'time must be an integer'],
    [{ ...start, type: '' }, 'type must be a non-empty string'],
    [{ ...at, type: 'turn/start' }, 'data must be the payload, found undefined'],
    [{ ...start, optional: false }, 'optional must be true, found false'],
    [{ ...start, cites: ['a'] }, 'cites must be an integer'],
    [{ ...start, cites: 3 }, 'cites must be an array'],
    [{ ...start, v: 0 }, 'v must be an integer from 1 on'],
  ])('with a damaged envelope is refused with its position: %j', (event, text) => {
    expect(thrownBy(() => parseEnvelope(event, 0))).toMatchObject({
      code: 'LOG_CORRUPT',
      position: 0,
      message: expect.stringContaining(`event 0 is damaged: ${text}`) as string,
      cause: { name: 'ShapeError' },
    })
  })

  it('with a damaged payload is refused by its schema, with its position and field', () => {
    const bad = { seq: 7, time: 1, type: 'turn/start', data: { turn: 0 } }
    expect(() => parseEvent(bad, 7)).toThrow(
      expect.objectContaining({ code: 'LOG_CORRUPT', position: 7 }),
    )
    expect(() => parseEvent(bad, 7)).toThrow('turn/start: turn: ')
    expect(parseEnvelope(bad, 7)).toBe(bad)
    expect(() => parseEvent({ ...start, data: 1 }, 0)).toThrow('turn/start: the payload: ')
  })

  it('may carry fields of a newer writer', () => {
    const newer = { ...start, data: { turn: 1, mood: 'good' } }
    expect(parseEvent(newer, 0)).toBe(newer)
  })

  it('of an unknown type is refused unless it is optional', () => {
    const odd = { ...at, type: 'acme/note', data: {} }
    expect(() => parseEvent(odd, 0)).toThrow(expect.objectContaining({ code: 'UNKNOWN_EVENT' }))
    expect(() => parseEvent(odd, 0)).toThrow('event 0 has the unknown type acme/note')
    expect(parseEvent({ ...odd, optional: true }, 0)).toMatchObject({ type: 'acme/note' })
    expect(() => parseEvent({ ...odd, type: 'constructor' }, 0)).toThrow('unknown type constructor')
  })
})

describe('schemas', () => {
  it('carry a sentence for the docs, events and fields alike', () => {
    for (const schema of Object.values(schemas)) {
      expect(v.getDescription(schema)).toMatch(/[.]$/)
      expect(Object.keys(schema.pipe[0].entries).length).toBeGreaterThan(0)
    }
  })
})

describe('old payloads', () => {
  /** Version 1 held `{ text }`, 2 named the author, 3 made the text a list of lines. */
  const upcasters: Upcaster[] = [
    {
      type: 'acme/note',
      from: 2,
      up: (data) => ({
        ...(data as { text: string }),
        lines: (data as { text: string }).text.split('\n'),
      }),
    },
    {
      type: 'acme/note',
      from: 1,
      up: (data) => ({ ...(data as { text: string }), author: 'unknown' }),
    },
  ]
  const note = defineEvent(
    'acme/note',
    v.object({ text: v.string(), author: v.string(), lines: v.array(v.string()) }),
    { version: 3 },
  )
  const catalogue = createCatalogue({ events: [note], upcasters })

  it('U1: are lifted one version at a time, and the stored value stays as it was', () => {
    const old = { ...at, type: 'acme/note', data: { text: 'a\nb' } }
    const before = structuredClone(old)
    expect(parseEvent(old, 0, catalogue)).toEqual({
      ...at,
      type: 'acme/note',
      v: 3,
      data: { text: 'a\nb', author: 'unknown', lines: ['a', 'b'] },
    })
    expect(old).toEqual(before)
  })

  it('U1: start at their own version', () => {
    const second = { ...at, type: 'acme/note', v: 2, data: { text: 'a', author: 'me' } }
    expect(parseEvent(second, 0, catalogue).data).toEqual({ text: 'a', author: 'me', lines: ['a'] })
    const third = { ...at, type: 'acme/note', v: 3, data: { text: 'a', author: 'me', lines: [] } }
    expect(parseEvent(third, 0, catalogue)).toBe(third)
  })

  it('are held to the schema once they are lifted', () => {
    expect(() =>
      parseEvent({ ...at, type: 'acme/note', v: 2, data: { text: 'a' } }, 0, catalogue),
    ).toThrow('author: ')
  })

  it('of a version this reader does not know are refused', () => {
    expect(() => parseEvent({ ...start, v: 2 }, 0)).toThrow(
      expect.objectContaining({ code: 'UNKNOWN_EVENT' }),
    )
    expect(() => parseEvent({ ...start, v: 2 }, 0)).toThrow(
      'event 0 (turn/start) has version 2, this reader knows 1',
    )
  })

  it('U2: need chains without gaps and without two ways', () => {
    expect(thrownBy(() => chainUpcasters([step(2)]))).toMatchObject({
      code: 'INVALID_OPTION',
      summary:
        'expected the upcaster of acme/x from version 1, found one from version 2. Give one function for each version.',
    })
    expect(() => chainUpcasters([step(1), step(1)])).toThrow(
      'from version 2, found one from version 1',
    )
    expect(chainUpcasters([step(2), step(1)]).get('acme/x')?.length).toBe(2)
  })

  it('of a type without upcasters stay as they are', () => {
    const data = { text: 'a' }
    expect(upcast(chainUpcasters([]), 'acme/x', 1, data)).toBe(data)
  })
})
