/**
 * Mutants that no test can or need tell from the original, and why; each was looked at for itself. An entry that no longer fits
 * a survivor does no harm and goes when its file changes.
 *
 * @module
 */
import type { Explained } from './explained/because.ts'
import { EXPLAINED_AGENT } from './explained/agent.ts'
import { EXPLAINED_EVENTS } from './explained/events.ts'
import { EXPLAINED_LIFE } from './explained/life.ts'
import { EXPLAINED_PROJECTIONS } from './explained/projections.ts'
import { EXPLAINED_STEP } from './explained/step.ts'
import { EXPLAINED_TABLE } from './explained/table.ts'

export const EXPLAINED: readonly Explained[] = [
  ...EXPLAINED_AGENT,
  ...EXPLAINED_EVENTS,
  ...EXPLAINED_LIFE,
  ...EXPLAINED_PROJECTIONS,
  ...EXPLAINED_STEP,
  ...EXPLAINED_TABLE,
]
