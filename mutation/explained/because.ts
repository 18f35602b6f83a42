/**
 * How a mutant is named that no test can or need tell from the original.
 *
 * @module
 */

export interface Explained {
  readonly file: string
  /** The source that was replaced, on one line, as the report prints it. */
  readonly from: string
  readonly to: string
  /** A part of the line on which it stands, where the file has others like it. */
  readonly on?: string
  readonly why: string
}

export type Change = readonly [from: string, to: string, on?: string]

/** Writes down changes in one file of `folder`, for one reason. */
export const becauseIn =
  (folder: string) =>
  (file: string, why: string, ...changes: readonly Change[]): readonly Explained[] =>
    changes.map(([from, to, on]) => {
      const change = { file: `${folder}/${file}`, from, to, why }
      return on === undefined ? change : { ...change, on }
    })
