/**
 * Mutants that no test can or need tell from the original, and why. Each was looked at by a person; an entry that no longer
 * fits a survivor does no harm and goes when its file changes.
 *
 * @module
 */

export interface Explained {
  readonly file: string
  /** The source that was replaced, on one line, as the report prints it. */
  readonly from: string
  readonly to: string
  readonly why: string
}

export const EXPLAINED: readonly Explained[] = []
