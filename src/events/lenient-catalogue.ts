/**
 * What a reader of any log knows: the events of this library, and of those of others that they are events.
 *
 * It is for looking at logs. An agent must not run on one that it knows only in part.
 *
 * @module
 */
import { type Catalogue, coreCatalogue } from './catalogue.ts'
import { checkCustomType } from './define-event.ts'

function isForeign(type: string): boolean {
  try {
    checkCustomType(type)
    return true
  } catch {
    return false
  }
}

/** Passes events of others, whatever their payload and version, as they stand. */
export const lenientCatalogue: Catalogue = Object.freeze({ ...coreCatalogue, passes: isForeign })
