/**
 * Foreign values as small plain data: whatever is given, what comes out is JSON of a bounded size.
 *
 * It never throws, and calls nothing of the value but getters and `toJSON`, whose faults it contains.
 *
 * @module
 */
import type { Json } from '../../events/json.ts'

const DEPTH = 6
const ITEMS = 20
const CHARACTERS = 200
/** Values in all; with the other bounds some 50 KB at the very most. */
const VALUES = 200

/** The value as far as the bounds go; `…` stands for the rest. */
export function bounded(value: unknown): Json {
  const budget = { left: VALUES }
  try {
    return copy(value, DEPTH, budget)
  } catch {
    return '…'
  }
}

const shortened = (text: string): string =>
  text.length <= CHARACTERS ? text : `${text.slice(0, CHARACTERS)}…`

function copy(value: unknown, depth: number, budget: { left: number }): Json {
  budget.left -= 1
  if (typeof value !== 'object' || value === null) return copyPlain(value)
  if (depth === 0 || budget.left <= 0) return '…'
  return copyObject(value, depth - 1, budget)
}

function copyPlain(value: unknown): Json {
  if (typeof value === 'string') return shortened(value)
  if (typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  return value === null || value === undefined ? null : `[${typeof value}]`
}

function copyObject(value: object, depth: number, budget: { left: number }): Json {
  if (value instanceof Error) return { name: value.name, message: shortened(value.message) }
  if (value instanceof AbortSignal) return { aborted: value.aborted }
  if (value instanceof Map) return copyList([...value.entries()], depth, budget)
  if (value instanceof Set) return copyList([...value], depth, budget)
  if (Array.isArray(value)) return copyList(value, depth, budget)
  const copied: { [key: string]: Json } = {}
  const keys = Object.keys(value)
  for (const key of keys.slice(0, ITEMS)) {
    copied[shortened(key)] = copy((value as Record<string, unknown>)[key], depth, budget)
  }
  if (keys.length > ITEMS) copied['…'] = keys.length - ITEMS
  return copied
}

function copyList(list: readonly unknown[], depth: number, budget: { left: number }): Json {
  const copied = list.slice(0, ITEMS).map((item) => copy(item, depth, budget))
  return list.length > ITEMS ? [...copied, '…'] : copied
}
