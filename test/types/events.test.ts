import type { InferOutput } from 'valibot'
import { expectTypeOf, test } from 'vitest'
import type { CoreEvents, CoreType } from '../../src/events/event.ts'
import type { Json } from '../../src/events/json.ts'
import { schemas } from '../../src/events/schemas.ts'

/** The same type with every part read-only: schemas infer mutable parts, the vocabulary has none. */
type Frozen<T> = Json extends T
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Frozen<Item>[]
    : T extends object
      ? { readonly [K in keyof T]: Frozen<T[K]> }
      : T

type Inferred = { [K in keyof typeof schemas]: Frozen<InferOutput<(typeof schemas)[K]>> }
/** Types for which the schema takes something that the vocabulary does not have, and the other way round. */
type TooWide = { [K in CoreType]: Inferred[K] extends CoreEvents[K] ? never : K }[CoreType]
type TooNarrow = { [K in CoreType]: CoreEvents[K] extends Inferred[K] ? never : K }[CoreType]

test('every durable event has exactly one schema', () => {
  expectTypeOf<keyof typeof schemas>().toEqualTypeOf<CoreType>()
})

test('a schema and the type of its payload accept the same values', () => {
  expectTypeOf<TooWide>().toEqualTypeOf<never>()
  expectTypeOf<TooNarrow>().toEqualTypeOf<never>()
})

test('a schema keeps the fields of its payload', () => {
  expectTypeOf<{ [K in CoreType]: keyof Inferred[K] }>().toEqualTypeOf<{
    [K in CoreType]: keyof CoreEvents[K]
  }>()
})
