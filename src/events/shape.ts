/**
 * Small questions about foreign values, and the error that says where one has another shape than expected.
 *
 * Who asks turns a {@link ShapeError} into an error of its own; users never see this one.
 *
 * @module
 */
import { frozenJson, JsonLossError } from './json.ts'
import type { Json } from './json.ts'

/** A value has another shape than expected. */
export class ShapeError extends Error {
  override readonly name = 'ShapeError'

  private readonly path: string
  private readonly expected: string
  private readonly found: string

  /** @param path - where, from the root, such as `content[0].text`; empty for the root. */
  constructor(path: string, expected: string, found: unknown, inWords = show(found)) {
    super(`${path === '' ? 'it' : path} must be ${expected}, found ${inWords}`)
    this.path = path
    this.expected = expected
    this.found = inWords
  }

  /** The same fault, seen from a value that holds this one at `outer`. */
  within(outer: string): ShapeError {
    const path = this.path === '' ? outer : `${outer}.${this.path}`
    return new ShapeError(path, this.expected, undefined, this.found)
  }
}

const SHOWN = 60

/** A short text of any value, for errors. */
export function show(value: unknown): string {
  const text = showWhole(value)
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text
}

/** The whole text of any value, for errors; what JSON cannot write (a function, a cycle) is named by its type. */
export function showWhole(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'object') return showJson(value)
  if (typeof value === 'number' || typeof value === 'boolean' || value === undefined)
    return String(value)
  return `a ${typeof value}`
}

function showJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'an object'
  } catch {
    return 'an object'
  }
}

/** `value` as an object with named fields. */
export function asRecord(value: unknown, path: string): { readonly [key: string]: unknown } {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ShapeError(path, 'an object', value)
  return value as { readonly [key: string]: unknown }
}

export function asList(value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new ShapeError(path, 'an array', value)
  return value
}

export function asText(value: unknown, path: string): string {
  if (typeof value !== 'string') throw new ShapeError(path, 'a string', value)
  return value
}

/** A string that is not empty. */
export function asName(value: unknown, path: string): string {
  if (typeof value !== 'string' || value === '')
    throw new ShapeError(path, 'a non-empty string', value)
  return value
}

/** One of a few words. */
export function asWord<W extends string>(value: unknown, path: string, words: readonly W[]): W {
  const word = words.find((known) => known === value)
  if (word === undefined) throw new ShapeError(path, `one of ${words.join(', ')}`, value)
  return word
}

/** @throws ShapeError when `record` has a field that is none of `keys`. */
export function onlyKeys(record: object, path: string, keys: readonly string[]): void {
  for (const key of Object.keys(record)) {
    if (!keys.includes(key)) {
      throw new ShapeError(path, `an object of ${keys.join(', ')} only`, {
        [key]: (record as never)[key],
      })
    }
  }
}

/** A frozen copy as JSON. @throws ShapeError where `value` is not lossless. */
export function asJson(value: unknown, path: string): Json {
  try {
    return frozenJson(value, path)
  } catch (error) {
    if (error instanceof JsonLossError)
      throw new ShapeError(error.path, 'lossless JSON', undefined, error.found)
    throw error
  }
}

/** A number that is at least `least`. */
export function asNumber(value: unknown, path: string, least = 0): number {
  if (!Number.isFinite(value) || (value as number) < least) {
    throw new ShapeError(path, `a number from ${least} on`, value)
  }
  return value as number
}

/** An integer that is at least `least`. */
export function asInteger(value: unknown, path: string, least = 0): number {
  if (!Number.isSafeInteger(value) || (value as number) < least) {
    throw new ShapeError(path, `an integer from ${least} on`, value)
  }
  return value as number
}
