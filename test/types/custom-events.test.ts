import * as v from 'valibot'
import { expectTypeOf, test } from 'vitest'
import type { Agent, NewEvent, StoredEvent } from 'turnwise'
import { defineEvent } from '../../src/events/define-event.ts'

declare module 'turnwise' {
  interface CustomEvents {
    'types-test/note': { readonly text: string }
  }
}

const note = defineEvent('types-test/note', v.object({ text: v.string() }))

test('an event of your own is an event of the log once it is declared', () => {
  expectTypeOf(note.make).parameter(0).toEqualTypeOf<{ text: string }>()
  expectTypeOf(note.make).returns.toExtend<NewEvent>()
  expectTypeOf(note.make).returns.toExtend<Parameters<Agent['record']>[0]>()
})

test('telling it apart narrows a stored event, seq and all', () => {
  expectTypeOf((event: StoredEvent) => (note.is(event) ? event : undefined)).returns.toEqualTypeOf<
    StoredEvent<'types-test/note'> | undefined
  >()
})
