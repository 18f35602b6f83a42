/**
 * Mutants that no test can or need tell from the original, and why; each was looked at for itself. An entry that no longer fits
 * a survivor does no harm and goes when its file changes.
 *
 * @module
 */
import type { Explained } from './explained/because.ts'
import { EXPLAINED_AGENT } from './explained/agent.ts'
import { EXPLAINED_LIFE } from './explained/life.ts'
import { EXPLAINED_PROJECTIONS } from './explained/projections.ts'
import { EXPLAINED_STEP } from './explained/step.ts'
import { EXPLAINED_TABLE } from './explained/table.ts'

export const EXPLAINED: readonly Explained[] = [
  ...EXPLAINED_AGENT,
  ...EXPLAINED_LIFE,
  ...EXPLAINED_PROJECTIONS,
  ...EXPLAINED_STEP,
  ...EXPLAINED_TABLE,
  {
    file: 'src/events/json.ts',
    from: "key === '__proto__'",
    to: 'true',
    why: 'any key may be defined, and the object is frozen next: to assign is only faster',
  },
  {
    file: 'src/events/json.ts',
    from: 'part !== null',
    to: 'true',
    why: 'every value that is no object counts as frozen: the question only saves the call',
  },
  {
    file: 'src/events/json.ts',
    from: "typeof part === 'object'",
    to: 'true',
    why: 'every value that is no object counts as frozen: the question only saves the call',
  },
  {
    file: 'src/events/json.ts',
    from: "typeof part === 'object' && part !== null",
    to: 'true',
    why: 'every value that is no object counts as frozen: the question only saves the call',
  },
  {
    file: 'src/events/json.ts',
    from: "typeof part === 'object' && part !== null",
    to: "typeof part === 'object' || part !== null",
    why: 'every value that is no object counts as frozen: the question only saves the call',
  },
  {
    file: 'src/events/parse-event.ts',
    from: 'v > current',
    to: 'v >= current',
    why: 'the current version itself was given back before',
  },
  {
    file: 'src/events/parse-outcome.ts',
    from: "''",
    to: '"Stryker was here!"',
    why: 'the path stands in an error that is never shown: the list is plain JSON then',
  },
  {
    file: 'src/events/parse-outcome.ts',
    from: '{ if (error instanceof ShapeError) return undefined throw error }',
    to: '{}',
    why: 'the check of a list throws nothing but ShapeError on what is JSON already',
  },
  {
    file: 'src/events/parse-outcome.ts',
    from: 'error instanceof ShapeError',
    to: 'true',
    why: 'the check of a list throws nothing but ShapeError on what is JSON already',
  },
  {
    file: 'src/events/parse-outcome.ts',
    from: '{ return undefined }',
    to: '{}',
    why: 'a function that ends gives back undefined too',
  },
  {
    file: 'src/actors/assembly.ts',
    from: 'known !== undefined && entries[known.upTo - 1] === known.last',
    to: 'false',
    why: 'the memo only saves reading the whole history again: without it the same text is found',
  },
  {
    file: 'src/actors/assembly.ts',
    from: 'entries[known.upTo - 1] === known.last',
    to: 'entries[known.upTo - 1] !== known.last',
    why: 'the memo only saves reading the whole history again: without it the same text is found',
  },
  {
    file: 'src/actors/assembly.ts',
    from: 'entries.slice(known.upTo)',
    to: 'entries',
    why: 'the memo only saves reading the whole history again: without it the same text is found',
  },
  {
    file: 'src/actors/assembly.ts',
    from: 'known.upTo - 1',
    to: 'known.upTo + 1',
    why: 'the memo only saves reading the whole history again: without it the same text is found',
  },
  {
    file: 'src/actors/assembly.ts',
    from: '-1',
    to: '+1',
    why: 'the memo only saves reading the whole history again: without it the same text is found',
  },
]
