import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createCatalogue } from '../../src/events/catalogue.ts'
import { defineEvent } from '../../src/events/define-event.ts'
import { parseEvent } from '../../src/events/parse-event.ts'
import type { Upcaster } from '../../src/events/upcast.ts'

const note = defineEvent('acme/note', v.object({ text: v.pipe(v.string(), v.nonEmpty()) }))

describe('an event of your own', () => {
  it('is made from a checked payload, as a frozen copy', () => {
    const data = { text: 'x' }
    const event = note.make(data)
    expect(event).toEqual({ type: 'acme/note', data })
    expect(event.data).not.toBe(data)
    expect(Object.isFrozen(event.data)).toBe(true)
  })

  it('takes a schema of any vendor', () => {
    expect(defineEvent('acme/count', z.object({ n: z.number() })).make({ n: 1 }).data).toEqual({
      n: 1,
    })
    expect(() =>
      defineEvent('acme/count', z.object({ n: z.number() })).make({ n: 'x' } as never),
    ).toThrow('n: ')
  })

  it('says in its envelope that it is optional, and which version it is', () => {
    const kind = defineEvent('acme/note', v.object({ text: v.string() }), {
      optional: true,
      version: 2,
    })
    expect(kind.make({ text: 'x' })).toEqual({
      type: 'acme/note',
      data: { text: 'x' },
      optional: true,
      v: 2,
    })
  })

  it('refuses a payload that its schema or JSON refuses', () => {
    expect(() => note.make({ text: '' })).toThrow(
      expect.objectContaining({ code: 'INVALID_MESSAGE' }),
    )
    const loose = defineEvent('acme/loose', v.object({ a: v.any() }))
    expect(() => loose.make({ a: 1n })).toThrow('data.a must be lossless JSON, found a bigint')
  })

  it.each([
    'note',
    'turn/note',
    'tool/extra',
    'Acme/note',
    'acme/',
    '/note',
    'acme/Note',
    'child/x',
    '',
  ])('may not be called %j', (type) => {
    expect(() => defineEvent(type, v.object({}))).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION' }),
    )
  })

  it('refuses a version that is none, and a schema that needs time', () => {
    expect(() => defineEvent('acme/note', v.object({}), { version: 0 })).toThrow('version')
    const slow = defineEvent('acme/note', v.objectAsync({}))
    expect(() => slow.make({})).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }))
  })

  it('tells its own events from others', () => {
    const stored: { type: string } = parseEvent(
      { seq: 0, time: 1, ...note.make({ text: 'x' }) },
      0,
      createCatalogue({ events: [note] }),
    )
    const other = parseEvent({ seq: 0, time: 1, type: 'turn/start', data: { turn: 1 } }, 0)
    expect([note.is(stored), note.is(other)]).toEqual([true, false])
    expect(note.is(stored) && stored.data.text).toBe('x')
  })
})

describe('a catalogue', () => {
  const second = defineEvent('acme/note', v.object({ text: v.string(), author: v.string() }), {
    version: 2,
  })
  const authors: Upcaster = {
    type: 'acme/note',
    from: 1,
    up: (data) => ({ ...(data as { text: string }), author: '?' }),
  }

  it('knows each type once', () => {
    expect(() => createCatalogue({ events: [note, note] })).toThrow('expected acme/note once')
  })

  it('needs an upcaster for each version before the current one', () => {
    expect(() => createCatalogue({ events: [second] })).toThrow(
      'up to its version 2, found them up to 1',
    )
    expect(() => createCatalogue({ events: [note], upcasters: [authors] })).toThrow(
      'up to its version 1, found them up to 2',
    )
    expect(createCatalogue({ events: [second], upcasters: [authors] }).knows('acme/note')).toBe(
      true,
    )
  })
})
