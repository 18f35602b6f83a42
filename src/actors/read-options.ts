/**
 * Readers of single options: the value in its range, its default, or an error that names what was expected and found.
 *
 * @module
 */
import { TurnwiseError } from '../errors.ts'
import { showWhole } from '../events/shape.ts'
import type { AgentOptions, RepeatGuard } from './agent-options.ts'
import type { Gates } from './gates.port.ts'
import type { AnyTool, ToolSet } from './tool.port.ts'

/** Refuses an option. @throws TurnwiseError INVALID_OPTION */
export const refuseOption = (name: string, expected: string, found: unknown): never => {
  throw new TurnwiseError(
    'INVALID_OPTION',
    `option ${name} should be ${expected}, found ${showWhole(found)}; no agent was created.`,
  )
}

/** A whole number of at least `min`? */
export const isWholeFrom = (min: number, value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= min

/** A whole number of at least `min`. */
export function whole<Options extends object>(
  options: Options,
  name: keyof Options & string,
  fallback: number,
  min = 1,
): number {
  const value: unknown = options[name]
  if (value === undefined) return fallback
  return isWholeFrom(min, value)
    ? value
    : refuseOption(name, `a whole number of at least ${min}`, value)
}

/** The same, or Infinity. */
export function wholeOrInfinite<Options extends object>(
  options: Options,
  name: keyof Options & string,
  fallback: number,
  min = 1,
): number {
  const value: unknown = options[name]
  if (value === undefined) return fallback
  return value === Infinity || isWholeFrom(min, value)
    ? value
    : refuseOption(name, `a whole number of at least ${min}, or Infinity`, value)
}

/** One of the given words; the first is the default. */
export function word<T extends string>(
  options: AgentOptions,
  name: keyof AgentOptions,
  words: readonly [T, ...T[]],
): T {
  const value: unknown = options[name]
  if (value === undefined) return words[0]
  const known = words.find((other) => other === value)
  return known ?? refuseOption(name, `one of ${words.join(', ')}`, value)
}

const GATES = [
  'preStep',
  'request',
  'requestError',
  'stepResult',
  'toolPre',
  'toolPost',
  'continuation',
  'turnStopping',
] as const

/** One gate function of a kind. */
type GateOf<K extends keyof Gates> = Extract<NonNullable<Gates[K]>, (...args: never[]) => unknown>

/** The gates as lists, in the order in which they are asked. */
export type GateLists = { readonly [K in keyof Gates]-?: readonly GateOf<K>[] }

/** Every gate as a list of functions. */
export function gateLists(gates: Gates = {}): GateLists {
  const unknown = Object.keys(gates).find((name) => !(GATES as readonly string[]).includes(name))
  if (unknown !== undefined) {
    refuseOption(`gates.${unknown}`, `one of the gates ${GATES.join(', ')}`, unknown)
  }
  return Object.fromEntries(GATES.map((name) => [name, gateList(name, gates[name])])) as GateLists
}

function gateList(name: string, given: unknown): readonly unknown[] {
  const list: readonly unknown[] = given === undefined ? [] : Array.isArray(given) ? given : [given]
  if (list.every((gate) => typeof gate === 'function')) return Object.freeze([...list])
  return refuseOption(`gates.${name}`, 'a function or a list of functions', given)
}

/** The size of the pool, read at each decision; a function that throws or answers nonsense means one at a time. */
export function parallelism(options: AgentOptions): () => number {
  const { maxParallelToolCalls: given } = options
  if (typeof given !== 'function') {
    const fixed = whole(options, 'maxParallelToolCalls', 10)
    return () => fixed
  }
  return () => {
    try {
      const now = given()
      return isWholeFrom(1, now) ? now : 1
    } catch {
      return 1
    }
  }
}

/** The repeat guard with its defaults; undefined if it is off. */
export function repeatGuard(given: AgentOptions['repeatGuard']): Required<RepeatGuard> | undefined {
  if (given === undefined || given === false) return undefined
  const guard = { maxPeriod: 3, repeats: 3, action: 'end' as const, ...(given !== true && given) }
  checkGuard(guard)
  return guard
}

function checkGuard({ maxPeriod, repeats, action }: Required<RepeatGuard>): void {
  if (!isWholeFrom(1, maxPeriod))
    refuseOption('repeatGuard.maxPeriod', 'a positive whole number', maxPeriod)
  if (!isWholeFrom(2, repeats))
    refuseOption('repeatGuard.repeats', 'a whole number of at least 2', repeats)
  if (action !== 'end' && action !== 'ask') refuseOption('repeatGuard.action', 'end or ask', action)
}

/** A list of tools with different names, or a registry. */
export function toolSet(tools: ToolSet = []): ToolSet {
  if (Array.isArray(tools)) checkTools(tools as readonly AnyTool[])
  else if (typeof (tools as { list?: unknown }).list !== 'function') {
    refuseOption('tools', 'a list of tools, or a registry with list()', tools)
  }
  return tools
}

function checkTools(tools: readonly AnyTool[]): void {
  const names = new Set<unknown>()
  for (const tool of tools) {
    if (typeof tool?.name !== 'string' || typeof tool.run !== 'function') {
      refuseOption('tools', 'tools with a name and a run function', tool)
    }
    if (names.size === names.add(tool.name).size) {
      refuseOption('tools', 'tools with different names', tool.name)
    }
  }
}
