/**
 * Old payloads in new shape. Stored bytes never change: an old record is lifted each time it is read.
 *
 * U1 One function lifts one type by one version; longer ways are chains of them.
 * U2 The current version of a type is one more than its newest upcaster starts from; without any it is 1.
 *
 * Say `acme/note` once held `{ text }`, and version 2 names the author:
 *
 * ```ts
 * const noteNamesItsAuthor: Upcaster = {
 *   type: 'acme/note',
 *   from: 1,
 *   up: (data) => ({ ...(data as { text: string }), author: 'unknown' }),
 * }
 * ```
 *
 * Events of version 2 are written with `v: 2`; those without `v` are version 1 and pass through the function.
 *
 * @module
 */
import { TurnwiseError } from '../errors.ts'
import type { Json } from './json.ts'

/** Lifts the payload of one event type from version `from` to the next. */
export interface Upcaster {
  readonly type: string
  readonly from: number
  /** Pure: it makes a new payload and leaves the old one as it is. */
  readonly up: (data: Json) => Json
}

/** Upcasters by type, in order: the first lifts from version 1. */
export type Upcasts = ReadonlyMap<string, readonly Upcaster[]>

/** Upcasters of this library's own events: every one is still at version 1. */
export const CORE_UPCASTERS: readonly Upcaster[] = []

/**
 * Sorts upcasters into chains.
 *
 * @throws TurnwiseError INVALID_OPTION for a chain with a gap or with two upcasters from one version.
 */
export function chainUpcasters(upcasters: readonly Upcaster[]): Upcasts {
  const chains = new Map<string, Upcaster[]>()
  for (const upcaster of upcasters.toSorted((a, b) => a.from - b.from)) {
    const chain = chains.get(upcaster.type) ?? []
    chains.set(upcaster.type, chain)
    if (upcaster.from !== chain.length + 1) {
      throw new TurnwiseError(
        'INVALID_OPTION',
        `expected the upcaster of ${upcaster.type} from version ${chain.length + 1}, found one from version ${upcaster.from}. Give one function for each version.`,
      )
    }
    chain.push(upcaster)
  }
  return chains
}

/** The version that payloads of `type` are written in. */
export const versionOf = (upcasts: Upcasts, type: string): number =>
  (upcasts.get(type)?.length ?? 0) + 1

/** The payload in its current version. */
export function upcast(upcasts: Upcasts, type: string, v: number, data: Json): Json {
  const chain = upcasts.get(type)
  return chain === undefined
    ? data
    : chain.slice(v - 1).reduce((old, upcaster) => upcaster.up(old), data)
}
