/**
 * The options of an agent with their defaults, checked once.
 *
 * @module
 */
import type { AgentOptions, Durability, RepeatGuard } from './agent-options.ts'
import { type ResolvedApproval, resolveApproval } from './approval-policy.ts'
import { type ResolvedChunks, resolveChunks } from './chunk-sieve.ts'
import { type Clock, systemClock } from './clock.ts'
import type { PartialConfig } from './gates.port.ts'
import type { Model } from './model.port.ts'
import {
  type GateLists,
  gateLists,
  parallelism,
  repeatGuard,
  toolSet,
  whole,
  wholeOrInfinite,
  word,
} from './read-options.ts'
import { ownConfig } from './request-config.ts'
import { type ResolvedRetry, resolveRetry } from './retry-policy.ts'
import type { ToolDispatch } from './tool-dispatch.port.ts'
import type { ToolSet } from './tool.port.ts'

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
  readonly approval: ResolvedApproval
  readonly keepApprovals: boolean
  readonly concurrentRuns: 'queue' | 'reject'
  readonly chunks: ResolvedChunks
  readonly durability: Durability
  readonly clock: Clock
  readonly ids: () => string
  readonly dispatch: ToolDispatch | undefined
}

/** Options that are taken as they are given. */
function parts(
  options: AgentOptions,
): Pick<
  Settings,
  'model' | 'own' | 'tools' | 'gates' | 'system' | 'context' | 'retry' | 'dispatch'
> {
  whole(options, 'maxTokens', 1)
  const { model, system, context = [], dispatch } = options
  return {
    model,
    own: ownConfig(options, model),
    tools: toolSet(options.tools),
    gates: gateLists(options.gates),
    system,
    context,
    retry: resolveRetry(options.retry),
    dispatch,
  }
}

/** The limits of turns, steps and attempts. */
function limits(
  options: AgentOptions,
): Pick<
  Settings,
  'maxSteps' | 'maxStops' | 'maxTurnTokens' | 'maxTurnMs' | 'maxAttempts' | 'maxBarrenTurns'
> {
  return {
    maxSteps: whole(options, 'maxSteps', 200),
    maxStops: whole(options, 'maxStops', 25, 0),
    maxTurnTokens: wholeOrInfinite(options, 'maxTurnTokens', Infinity),
    maxTurnMs: wholeOrInfinite(options, 'maxTurnMs', Infinity),
    maxAttempts: whole(options, 'maxAttempts', 8),
    maxBarrenTurns: whole(options, 'maxBarrenTurns', 25),
  }
}

/**
 * Checks the options and fills in the defaults of contract section 27.
 *
 * @throws TurnwiseError INVALID_OPTION naming the option, what was expected and what was found.
 */
export function resolveSettings(options: AgentOptions): Settings {
  const { continueAfter, rejectEmpty = false, clock = systemClock, approval = 'never' } = options
  return {
    ...parts(options),
    ...limits(options),
    claim: word(options, 'claim', ['one', 'all']),
    continueAfter: { blocked: true, error: true, ...continueAfter },
    streamIdleMs: whole(options, 'streamIdleMs', 300_000, 0),
    drainGraceMs: wholeOrInfinite(options, 'drainGraceMs', 10_000, 0),
    rejectEmpty,
    toolTimeoutMs: wholeOrInfinite(options, 'toolTimeoutMs', Infinity),
    maxParallelToolCalls: parallelism(options),
    repeatGuard: repeatGuard(options.repeatGuard),
    approval: resolveApproval(approval, 'option approval'),
    keepApprovals: options.keepApprovals === true,
    concurrentRuns: word(options, 'concurrentRuns', ['queue', 'reject']),
    chunks: resolveChunks(options.chunks),
    durability: word(options, 'durability', ['strict', 'turn', 'none']),
    clock,
    ids: options.ids ?? (() => crypto.randomUUID()),
  }
}
