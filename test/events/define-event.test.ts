import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createCatalogue } from '../../src/events/catalogue.ts'
import { defineEvent, type EventSchema } from '../../src/events/define-event.ts'
import { parseEvent } from '../../src/events/parse-event.ts'
import { schemas } from '../../src/events/schemas.ts'
import type { Upcaster } from '../../src/events/upcast.ts'
import { thrownBy, unlistable } from './thrown-by.ts'

type Issue = { readonly message: string; readonly path?: readonly unknown[] }

/** The namespaces of this library. */
const OWN = Object.keys(schemas).map((type) => type.split('/')[0] ?? '')

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
    expect(thrownBy(() => loose.make({ a: 1n }))).toMatchObject({
      code: 'INVALID_MESSAGE',
      summary:
        'the payload of acme/loose is refused: data.a must be lossless JSON, found a bigint; nothing was written.',
    })
  })

  const schemaOf = (...issues: Issue[]): EventSchema<object> => ({
    '~standard': { version: 1, vendor: 'test', validate: () => ({ issues }) },
  })
  it.each<[issues: Issue[], fault: string]>([
    [[{ message: 'no' }], 'no'],
    [[{ message: 'no', path: [] }], 'no'],
    [[{ message: 'no', path: ['a', 0, { key: 'b' }] }], 'a.0.b: no'],
    [[{ message: 'no', path: [null, {}] }], 'null.[object Object]: no'],
    [[{ message: 'no', path: ['a'] }, { message: 'never' }], 'a: no; never'],
  ])('says all that its schema says: %j', (issues, fault) => {
    const kind = defineEvent('acme/odd', schemaOf(...issues))
    expect(kind.fault({})).toBe(fault)
    expect(() => kind.make({})).toThrow(
      `the payload of acme/odd is refused: ${fault}; nothing was written.`,
    )
  })

  it('lets through what a payload throws itself', () => {
    const { value, error } = unlistable()
    expect(thrownBy(() => defineEvent('acme/loose', v.any()).make(value))).toBe(error)
  })

  it.each([
    'note',
    'turn/note',
    'tool/extra',
    'Acme/note',
    'acme/',
    '/note',
    'acme/Note',
    'acme/noTe',
    '',
    ...OWN.map((namespace) => `${namespace}/x`),
  ])('may not be called %j', (type) => {
    expect(thrownBy(() => defineEvent(type, v.object({})))).toMatchObject({
      code: 'INVALID_OPTION',
      summary: `expected an event type such as acme/note outside the namespaces of turnwise, found "${type}"; nothing was changed.`,
    })
  })

  it.each(['acme/note', 'a/b', 'acme-2/note/of-9', 'turns/x'])('may be called %j', (type) => {
    expect(defineEvent(type, v.object({})).type).toBe(type)
  })

  it('refuses a version that is none, and a schema that needs time', () => {
    for (const version of [0, 1.5])
      expect(thrownBy(() => defineEvent('acme/note', v.object({}), { version }))).toMatchObject({
        code: 'INVALID_OPTION',
        summary: `expected a version from 1 on, found ${version}; nothing was defined.`,
      })
    const slow = defineEvent('acme/note', v.objectAsync({}))
    expect(thrownBy(() => slow.make({}))).toMatchObject({
      code: 'INVALID_OPTION',
      summary: 'expected the schema of acme/note to answer at once, found a promise.',
    })
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
    expect(thrownBy(() => createCatalogue({ events: [note, note] }))).toMatchObject({
      code: 'INVALID_OPTION',
      summary: 'expected acme/note once, found it twice.',
    })
  })

  it('needs an upcaster for each version before the current one', () => {
    expect(thrownBy(() => createCatalogue({ events: [second] }))).toMatchObject({
      code: 'INVALID_OPTION',
      summary: 'expected upcasters of acme/note up to its version 2, found them up to 1.',
    })
    expect(() => createCatalogue({ events: [note], upcasters: [authors] })).toThrow(
      'up to its version 1, found them up to 2',
    )
    expect(createCatalogue({ events: [second], upcasters: [authors] }).knows('acme/note')).toBe(
      true,
    )
  })
})
