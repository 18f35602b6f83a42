/**
 * The retry policy: which failed attempts are repeated, and after how long.
 *
 * Exponential back-off with jitter; a `retry-after` of the provider is taken as it is, up to the longest delay. It is asked
 * behind the `requestError` gates, so it is the one owner of retries.
 *
 * @module
 */
import { TurnwiseError } from '../errors.ts'
import type { Failure } from '../events/message.ts'
import type { RetryPolicy } from './agent-options.ts'

/** Codes that are worth another attempt by default. */
export const TRANSIENT_CODES = [
  'EMPTY_RESPONSE',
  'RATE_LIMIT',
  'SERVER',
  'TIMEOUT',
  'TRANSPORT',
] as const

/** A policy with its defaults. */
export type ResolvedRetry = Required<RetryPolicy> & {
  /** Back-offs that wait under this policy: called when it is unloaded. */
  readonly waiting: Set<() => void>
  unloaded: boolean
}

const DEFAULTS: Required<RetryPolicy> = {
  retries: 5,
  baseMs: 500,
  maxMs: 10_000,
  codes: TRANSIENT_CODES,
  mode: 'normal',
  jitter: 0.25,
  random: Math.random,
}

const RESOLVED = new WeakMap<RetryPolicy, ResolvedRetry>()

const check = (
  name: 'retries' | 'baseMs' | 'maxMs' | 'jitter',
  value: number,
  max: number,
): void => {
  if (Number.isFinite(value) && value >= 0 && value <= max) return
  const range = max === Infinity ? 'a number of at least 0' : `a number from 0 to ${max}`
  throw new TurnwiseError(
    'INVALID_OPTION',
    `option retry.${name} should be ${range}, found ${value}; no agent was created.`,
  )
}

/** Fills in the defaults; one policy object is resolved once, so that it can be unloaded. */
export function resolveRetry(given: RetryPolicy | boolean | undefined): ResolvedRetry | undefined {
  if (given === undefined || given === false) return undefined
  const policy = given === true ? {} : given
  const known = RESOLVED.get(policy)
  if (known !== undefined) return known
  const resolved: ResolvedRetry = { ...DEFAULTS, ...policy, waiting: new Set(), unloaded: false }
  for (const name of ['retries', 'baseMs', 'maxMs'] as const) check(name, resolved[name], Infinity)
  check('jitter', resolved.jitter, 1)
  RESOLVED.set(policy, resolved)
  return resolved
}

/** Delay before retry number `n` (from 1), in whole ms. */
export function retryDelayMs(policy: ResolvedRetry, n: number, failure: Failure): number {
  if (failure.retryAfterMs !== undefined) return Math.min(failure.retryAfterMs, policy.maxMs)
  const full = Math.min(policy.baseMs * 2 ** (n - 1), policy.maxMs)
  return Math.max(Math.round(full * (1 - policy.jitter * policy.random())), full > 0 ? 1 : 0)
}

/** Does the policy repeat an attempt that failed so, after `used` retries of this step and provider? */
export function retries(policy: ResolvedRetry, used: number, failure: Failure): boolean {
  if (policy.unloaded) return false
  if (policy.mode === 'always') return true
  return used < policy.retries && policy.codes.includes(failure.code)
}

/**
 * Unloads a policy from every agent that was created with it: pending back-offs end, and their turns with the failure
 * that they waited for.
 */
export function unloadRetry(policy: RetryPolicy): void {
  const resolved = RESOLVED.get(policy)
  if (resolved === undefined) return
  resolved.unloaded = true
  for (const drop of Array.from(resolved.waiting)) drop()
}
