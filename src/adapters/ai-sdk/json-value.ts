/**
 * Turns what a provider package hands over into values that a log can keep.
 *
 * @module
 */
import type { Json } from '../../events/json.ts'

const encoded = (value: unknown): unknown => {
  if (typeof value === 'bigint') return String(value)
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value
}

/** The value as JSON: undefined fields are left out, bytes become base64, what has no JSON form becomes its text. */
export function toJson(value: unknown): Json {
  try {
    // The replacer sees the result of `toJSON`, so bytes are taken from their holder.
    const text = JSON.stringify(value, function (this: unknown, key: string, plain: unknown) {
      const held = (this as Record<string, unknown>)[key]
      return held instanceof Uint8Array ? encoded(held) : encoded(plain)
    }) as string | undefined
    return text === undefined ? null : (JSON.parse(text) as Json)
  } catch {
    return String(value)
  }
}

/** Fields of which some are unknown. */
type Perhaps<T> = { readonly [K in keyof T]?: T[K] | undefined }

/** The fields that are known: an absent field and an undefined one are not the same in a log. */
export const definedFields = <T extends object>(fields: Perhaps<T>): Partial<T> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Partial<T>
