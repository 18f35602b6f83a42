/**
 * The header of a log: what its session is, for good.
 *
 * @module
 */

/** Line 0 of a log: what the session is. It has no seq and never changes. */
export interface LogHeader {
  /** Session id: 1–128 of `[A-Za-z0-9_-]`. */
  readonly id: string
  /** Version of the layout of the log. */
  readonly formatVersion: 1
  readonly createdAt: number
  readonly cwd?: string
  readonly parent?: string
  readonly inheritedLength?: number
  readonly depth?: number
}
