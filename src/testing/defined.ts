/**
 * Leaves out what is undefined: for objects whose optional members may not hold `undefined`.
 *
 * @module
 */

/** The members of `record` that are defined. */
export function defined<T extends object>(
  record: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(record).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> }
}
