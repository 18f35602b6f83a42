/**
 * Parameters of a request as they came, read one by one.
 *
 * A field that nobody asks for is refused: a misspelt option must not be passed over in silence. Null is no absence.
 *
 * @module
 */
import { asRecord, onlyKeys, ShapeError } from '../../events/shape.ts'

type Read<T> = (value: unknown, path: string) => T

/** The parameters of one request. */
export class Given {
  private readonly fields: { readonly [key: string]: unknown }
  private readonly known: string[] = []

  /** @throws ShapeError unless they are an object, or left out. */
  constructor(params: unknown) {
    this.fields = params === undefined ? {} : asRecord(params, '')
  }

  /** A field that must be there. @throws ShapeError */
  need<T>(key: string, read: Read<T>): T {
    this.known.push(key)
    return read(this.fields[key], key)
  }

  /** A field that may be left out; left out it is not in the answer either. @throws ShapeError */
  maybe<K extends string, T>(key: K, read: Read<T>): { readonly [key in K]?: T } {
    this.known.push(key)
    const value = this.fields[key]
    return (value === undefined ? {} : { [key]: read(value, key) }) as { readonly [key in K]?: T }
  }

  /** @throws ShapeError for a field that was not read. */
  none(): void {
    onlyKeys(this.fields, '', this.known)
  }
}

export function asFlag(value: unknown, path: string): boolean {
  if (typeof value !== 'boolean') throw new ShapeError(path, 'true or false', value)
  return value
}

/** A whole number in a range. */
export const asWithin =
  (least: number, most: number): Read<number> =>
  (value, path) => {
    if (Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most)
      return value as number
    throw new ShapeError(path, `an integer from ${least} to ${most}`, value)
  }
