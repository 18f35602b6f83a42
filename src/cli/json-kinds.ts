/**
 * The kinds of JSON values, as JSON Schema tells them apart.
 *
 * @module
 */
import type { Json } from '../events/json.ts'

export type Data = { readonly [key: string]: Json }

export const isData = (value: Json): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const isText = (value: Json): value is string => typeof value === 'string'
export const isNumber = (value: Json): value is number => typeof value === 'number'
export const isList = (value: Json): value is Json[] => Array.isArray(value)
export const isSchema = (value: Json): boolean => typeof value === 'boolean' || isData(value)
export const isCount = (value: Json): boolean =>
  Number.isSafeInteger(value) && (value as number) >= 0

export const TYPES: { readonly [name: string]: (value: Json) => boolean } = {
  null: (value) => value === null,
  boolean: (value) => typeof value === 'boolean',
  number: isNumber,
  integer: (value) => Number.isInteger(value),
  string: isText,
  array: isList,
  object: isData,
}

/** The same data in the same words, whatever the order of its keys. */
export const canonical = (value: Json): string => {
  if (isList(value)) return `[${value.map(canonical).join()}]`
  if (!isData(value)) return JSON.stringify(value)
  const parts = Object.keys(value)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key] as Json)}`)
  return `{${parts.join()}}`
}

/** Unicode characters, as the drafts count them. */
export const lengthOf = (text: string): number => Array.from(text).length
