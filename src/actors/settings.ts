/**
 * The options of an agent with their defaults, checked once.
 *
 * @module
 */
import { TurnwiseError } from '../errors.ts'
import type { AgentOptions, Durability, RepeatGuard } from './agent-options.ts'
import { type Clock, systemClock } from './clock.ts'
import type { Gates, PartialConfig } from './gates.port.ts'
import type { Model } from './model.port.ts'
import { ownConfig } from './request-config.ts'
import { type ResolvedRetry, resolveRetry } from './retry-policy.ts'
import type { ToolDispatch } from './tool-dispatch.port.ts'
import type { AnyTool, ToolSet } from './tool.port.ts'

/** One gate function of a kind. */
type GateOf<K extends keyof Gates> = Extract<NonNullable<Gates[K]>, (...args: never[]) => unknown>

/** The gates as lists, in the order in which they are asked. */
export type GateLists = { readonly [K in keyof Gates]-?: readonly GateOf<K>[] }

/** What an agent lives by. */
export interface Settings {
  readonly model: Model | undefined
  /** The configuration of a new agent. */
  readonly own: PartialConfig
  readonly tools: ToolSet
  readonly gates: GateLists
  readonly system: AgentOptions['system']
  readonly context: NonNullable<AgentOptions['context']>
  readonly claim: 'one' | 'all'
  readonly continueAfter: { readonly blocked: boolean; readonly error: boolean }
  readonly maxSteps: number
  readonly maxStops: number
  readonly maxTurnTokens: number
  readonly maxTurnMs: number
  readonly maxAttempts: number
  readonly maxBarrenTurns: number
  readonly retry: ResolvedRetry | undefined
  readonly streamIdleMs: number
  readonly drainGraceMs: number
  readonly rejectEmpty: boolean
  readonly toolTimeoutMs: number
  readonly maxParallelToolCalls: () => number
  readonly repeatGuard: Required<RepeatGuard> | undefined
  readonly concurrentRuns: 'queue' | 'reject'
  readonly durability: Durability
  readonly clock: Clock
  readonly ids: () => string
  readonly dispatch: ToolDispatch | undefined
}

const refuse = (name: string, expected: string, found: unknown): never => {
  throw new TurnwiseError(
    'INVALID_OPTION',
    `option ${name} should be ${expected}, found ${typeof found === 'number' ? String(found) : (JSON.stringify(found) ?? typeof found)}; no agent was created.`,
  )
}

/** A number with its range; undefined gives the default. */
function number(
  options: AgentOptions,
  name: keyof AgentOptions,
  fallback: number,
  {
    min = 1,
    whole = true,
    infinite = false,
  }: { min?: number; whole?: boolean; infinite?: boolean } = {},
): number {
  const value: unknown = options[name]
  if (value === undefined) return fallback
  if (infinite && value === Infinity) return value
  const expected = `a ${whole ? 'whole ' : ''}number of at least ${min}${infinite ? ', or Infinity' : ''}`
  if (typeof value !== 'number' || !Number.isFinite(value) || value < min)
    return refuse(name, expected, value)
  if (whole && !Number.isSafeInteger(value)) return refuse(name, expected, value)
  return value
}

function oneOf<T extends string>(
  options: AgentOptions,
  name: keyof AgentOptions,
  words: readonly [T, ...T[]],
): T {
  const value: unknown = options[name]
  if (value === undefined) return words[0]
  return words.find((word) => word === value) ?? refuse(name, `one of ${words.join(', ')}`, value)
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

function gateLists(gates: Gates = {}): GateLists {
  for (const name of Object.keys(gates)) {
    if (!(GATES as readonly string[]).includes(name))
      refuse(`gates.${name}`, `one of the gates ${GATES.join(', ')}`, name)
  }
  const lists = GATES.map((name) => {
    const given: unknown = gates[name]
    const list: readonly unknown[] =
      given === undefined ? [] : Array.isArray(given) ? given : [given]
    if (list.some((gate) => typeof gate !== 'function'))
      refuse(`gates.${name}`, 'a function or a list of functions', given)
    return [name, list]
  })
  return Object.fromEntries(lists) as unknown as GateLists
}

function parallelism(options: AgentOptions): () => number {
  const { maxParallelToolCalls: given } = options
  if (typeof given === 'function') {
    return () => {
      const now = given()
      return Number.isSafeInteger(now) && now > 0 ? now : 1
    }
  }
  const fixed = number(options, 'maxParallelToolCalls', 10)
  return () => fixed
}

function guardOf(given: AgentOptions['repeatGuard']): Required<RepeatGuard> | undefined {
  if (given === undefined || given === false) return undefined
  const { maxPeriod = 3, repeats = 3, action = 'end' } = given === true ? {} : given
  if (!Number.isSafeInteger(maxPeriod) || maxPeriod < 1)
    refuse('repeatGuard.maxPeriod', 'a positive whole number', maxPeriod)
  if (!Number.isSafeInteger(repeats) || repeats < 2)
    refuse('repeatGuard.repeats', 'a whole number of at least 2', repeats)
  return { maxPeriod, repeats, action }
}

function checkTools(tools: ToolSet): ToolSet {
  if (!Array.isArray(tools)) return tools
  const names = new Set<string>()
  for (const tool of tools as readonly AnyTool[]) {
    if (typeof tool?.name !== 'string' || typeof tool.run !== 'function')
      refuse('tools', 'tools with a name and a run function', tool)
    if (names.has(tool.name)) refuse('tools', 'tools with different names', tool.name)
    names.add(tool.name)
  }
  return tools
}

/**
 * Checks the options and fills in the defaults of contract section 27.
 *
 * @throws TurnwiseError INVALID_OPTION naming the option, what was expected and what was found.
 */
export function resolveSettings(options: AgentOptions): Settings {
  number(options, 'maxTokens', 1)
  return {
    model: options.model,
    own: ownConfig(options, options.model),
    tools: checkTools(options.tools ?? []),
    gates: gateLists(options.gates),
    system: options.system,
    context: options.context ?? [],
    claim: oneOf(options, 'claim', ['one', 'all']),
    continueAfter: {
      blocked: options.continueAfter?.blocked ?? true,
      error: options.continueAfter?.error ?? true,
    },
    maxSteps: number(options, 'maxSteps', 200),
    maxStops: number(options, 'maxStops', 25, { min: 0 }),
    maxTurnTokens: number(options, 'maxTurnTokens', Infinity, { infinite: true }),
    maxTurnMs: number(options, 'maxTurnMs', Infinity, { infinite: true }),
    maxAttempts: number(options, 'maxAttempts', 8),
    maxBarrenTurns: number(options, 'maxBarrenTurns', 25),
    retry: resolveRetry(options.retry),
    streamIdleMs: number(options, 'streamIdleMs', 300_000, { min: 0 }),
    drainGraceMs: number(options, 'drainGraceMs', 10_000, { min: 0, infinite: true }),
    rejectEmpty: options.rejectEmpty ?? false,
    toolTimeoutMs: number(options, 'toolTimeoutMs', Infinity, { infinite: true }),
    maxParallelToolCalls: parallelism(options),
    repeatGuard: guardOf(options.repeatGuard),
    concurrentRuns: oneOf(options, 'concurrentRuns', ['queue', 'reject']),
    durability: oneOf(options, 'durability', ['strict', 'turn', 'none']),
    clock: options.clock ?? systemClock,
    ids: options.ids ?? (() => crypto.randomUUID()),
    dispatch: options.dispatch,
  }
}
