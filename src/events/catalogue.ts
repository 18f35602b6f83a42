/**
 * What a reader knows: this library's events, your own, and how old ones are lifted. Loading a log needs it.
 *
 * @module
 */
import { safeParse, getDotPath } from 'valibot'
import { TurnwiseError } from '../errors.ts'
import type { KnownEvent } from './define-event.ts'
import { isCoreType } from './enclosure.ts'
import { schemas } from './schemas.ts'
import { chainUpcasters, CORE_UPCASTERS, versionOf } from './upcast.ts'
import type { Upcaster, Upcasts } from './upcast.ts'

export interface CatalogueOptions {
  readonly events?: readonly KnownEvent[]
  /** For your own events; see `upcast.ts`. */
  readonly upcasters?: readonly Upcaster[]
}

/** The event types that a reader knows. */
export interface Catalogue {
  readonly upcasts: Upcasts
  knows(type: string): boolean
  /** Is an event of this type, which it does not know, read as it stands? Default: only where the event says so itself. */
  passes?(type: string): boolean
  /** The fault of a payload in its current version, in words; undefined if it has none or the type is unknown. */
  fault(type: string, data: unknown): string | undefined
}

/**
 * Makes the catalogue that loading a log takes.
 *
 * @throws TurnwiseError INVALID_OPTION for a type that is defined twice, and for a chain of upcasters that does not lead
 *   to the version its kind is written in.
 */
export function createCatalogue(options: CatalogueOptions = {}): Catalogue {
  const upcasts = chainUpcasters([...CORE_UPCASTERS, ...(options.upcasters ?? [])])
  const kinds = byType(options.events ?? [], upcasts)
  return Object.freeze({
    upcasts,
    knows: (type: string) => isCoreType(type) || kinds.has(type),
    fault: (type: string, data: unknown) =>
      isCoreType(type) ? coreFault(type, data) : kinds.get(type)?.fault(data),
  })
}

function byType(events: readonly KnownEvent[], upcasts: Upcasts): Map<string, KnownEvent> {
  const kinds = new Map<string, KnownEvent>()
  for (const kind of events) {
    if (kinds.has(kind.type))
      throw new TurnwiseError('INVALID_OPTION', `expected ${kind.type} once, found it twice.`)
    const lifted = versionOf(upcasts, kind.type)
    if (lifted !== kind.version) {
      throw new TurnwiseError(
        'INVALID_OPTION',
        `expected upcasters of ${kind.type} up to its version ${kind.version}, found them up to ${lifted}.`,
      )
    }
    kinds.set(kind.type, kind)
  }
  return kinds
}

function coreFault(type: keyof typeof schemas, data: unknown): string | undefined {
  const result = safeParse(schemas[type], data)
  if (result.success) return undefined
  const [issue] = result.issues
  return `${getDotPath(issue) ?? 'the payload'}: ${issue.message}`
}

/** Knows this library's events only. */
export const coreCatalogue = createCatalogue()
