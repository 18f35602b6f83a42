/**
 * What the built-in model is made of, for ways of your own.
 *
 * @module
 */
import { changes, conditions } from './remembered.ts'
import { follows } from './ways.ts'

/** What follows a turn and a step, and the conditions and changes of the built-in model, by what they say. */
export const lifecycle = { follows, conditions, changes } as const
