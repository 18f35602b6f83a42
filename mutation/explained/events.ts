/**
 * Mutants of the events that no test can or need tell from the original; see `mutation/explained.ts`.
 *
 * @module
 */
import { becauseIn, type Explained } from './because.ts'

const because = becauseIn('src/events')

export const EXPLAINED_EVENTS: readonly Explained[] = [
  ...because(
    'json.ts',
    'any key may be defined, and the object is frozen next: to assign is only faster',
    ["key === '__proto__'", 'true'],
  ),
  ...because(
    'json.ts',
    'every value that is no object counts as frozen: the question only saves the call',
    ['part !== null', 'true'],
    ["typeof part === 'object'", 'true'],
    ["typeof part === 'object' && part !== null", 'true'],
    ["typeof part === 'object' && part !== null", "typeof part === 'object' || part !== null"],
  ),
  ...because('parse-event.ts', 'the current version itself was given back before', [
    'v > current',
    'v >= current',
  ]),
  ...because(
    'parse-outcome.ts',
    'the path stands in an error that is never shown: the list is plain JSON then',
    ["''", '"Stryker was here!"'],
  ),
  ...because(
    'parse-outcome.ts',
    'the check of a list throws nothing but ShapeError on what is JSON already',
    ['{ if (error instanceof ShapeError) return undefined throw error }', '{}'],
    ['error instanceof ShapeError', 'true'],
  ),
  ...because('parse-outcome.ts', 'a function that ends gives back undefined too', [
    '{ return undefined }',
    '{}',
  ]),
]
