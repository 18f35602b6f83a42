/**
 * Lossless JSON: what may enter the log, and how it is frozen there.
 *
 * J1 What is accepted is a copy: freezing it never freezes an object of the caller.
 * J2 What `JSON.parse(JSON.stringify(x))` would change is refused, with its path.
 *
 * @module
 */

/** A value that survives `JSON.parse(JSON.stringify(value))` unchanged. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json | undefined }

/** Where a value is not lossless JSON, and what stands there. */
export class JsonLossError extends Error {
  override readonly name = 'JsonLossError'
  /** Path from the root, such as `content[0].text`. */
  readonly path: string
  /** What stands there, in words. */
  readonly found: string

  constructor(path: string, found: string) {
    super(`${path === '' ? 'the value' : path} is ${found}, which JSON cannot keep`)
    this.path = path
    this.found = found
  }
}

/** Deeper values than this are refused: they would overflow the stack of some reader. */
export const MAX_JSON_DEPTH = 200

/**
 * Copies `value` and deep-freezes the copy.
 *
 * @param path - how the value is called in the error.
 * @throws JsonLossError for undefined, functions, symbols, bigints, NaN, infinities, -0, sparse arrays, accessors,
 *   symbol keys, class instances, cycles and values nested deeper than {@link MAX_JSON_DEPTH}.
 */
// eslint-disable-next-line typescript/no-unnecessary-type-parameters -- names what the caller knows about the shape
export function frozenJson<T = Json>(value: unknown, path = ''): T {
  return copy(value, path, 0) as T
}

function copy(value: unknown, path: string, depth: number): Json {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value
  if (typeof value === 'number') return copyNumber(value, path)
  if (typeof value === 'object') return copyObject(value, path, depth)
  throw new JsonLossError(path, value === undefined ? 'undefined' : `a ${typeof value}`)
}

function copyNumber(value: number, path: string): number {
  if (Object.is(value, -0)) throw new JsonLossError(path, '-0')
  if (!Number.isFinite(value)) throw new JsonLossError(path, String(value))
  return value
}

function copyObject(value: object, path: string, depth: number): Json {
  if (depth >= MAX_JSON_DEPTH) {
    throw new JsonLossError(path, `nested deeper than ${MAX_JSON_DEPTH} levels or a cycle`)
  }
  return Array.isArray(value) ? copyArray(value, path, depth) : copyRecord(value, path, depth)
}

function copyArray(value: readonly unknown[], path: string, depth: number): Json {
  if (Object.keys(value).length !== value.length) {
    throw new JsonLossError(path, 'an array with holes or extra keys')
  }
  return Object.freeze(value.map((item, i) => copy(item, `${path}[${i}]`, depth + 1)))
}

function copyRecord(value: object, path: string, depth: number): Json {
  plain(value, path)
  const target: Record<string, Json> = {}
  for (const key of Object.getOwnPropertyNames(value)) {
    const property = Object.getOwnPropertyDescriptor(value, key)
    const at = path === '' ? key : `${path}.${key}`
    if (property?.enumerable !== true || !('value' in property)) {
      throw new JsonLossError(at, 'an accessor or a hidden property')
    }
    define(target, key, copy(property.value, at, depth + 1))
  }
  return Object.freeze(target)
}

function plain(value: object, path: string): void {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) {
    const name = value.constructor?.name ?? ''
    throw new JsonLossError(path, `an instance of ${name === '' ? 'a class' : name}`)
  }
  if (Object.getOwnPropertySymbols(value).length > 0) {
    throw new JsonLossError(path, 'an object with symbol keys')
  }
}

/** `__proto__` must become an own key like any other. */
function define(target: Record<string, Json>, key: string, value: Json): void {
  if (key === '__proto__') Object.defineProperty(target, key, { value, enumerable: true })
  else target[key] = value
}

/** Deep-freezes a value that is known to be JSON, in place. Frozen parts are taken as frozen throughout. */
export function deepFreeze<T>(value: T): T {
  if (!Object.isFrozen(value)) freezeParts(value as object)
  return value
}

/**
 * No call for what is no object or already frozen: most parts of an event are. An object is frozen before its parts:
 * the other way round costs three times as much in V8, which tracks the shapes that a field holds.
 */
function freezeParts(value: object): void {
  Object.freeze(value)
  for (const key in value) {
    const part: unknown = value[key as keyof typeof value]
    if (typeof part === 'object' && part !== null && !Object.isFrozen(part)) freezeParts(part)
  }
}
