/**
 * What a planted fault is: one small change of the source that a careless hand could make, as text.
 *
 * @module
 */

export interface Fault {
  /** Stable, unique; kebab-case. */
  readonly id: string
  /** The mistake, in the words of the one who made it. */
  readonly what: string
  /** The file it is made in, from `src/`. */
  readonly file: string
  /** The source with the mistake. @throws if the place is not there, or there twice */
  readonly plant: (source: string) => string
}

/** `source` with `from`, which stands there once, replaced by `to`. @throws if it is not there, or there twice */
export function swap(source: string, from: string, to: string): string {
  const parts = source.split(from)
  if (parts.length !== 2)
    throw new Error(`expected this once, found it ${parts.length - 1} times:\n${from}`)
  return parts.join(to)
}

/** A fault that replaces one text by another. */
export const swapped = (
  id: string,
  what: string,
  file: string,
  from: string,
  to: string,
): Fault => ({ id, what, file, plant: (source) => swap(source, from, to) })
