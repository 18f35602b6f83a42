/**
 * What the approval policies of agent and tool say about a call. They stand behind the `toolPre` gates: a gate that answers
 * by itself overrules them, one that delegates sees their answer.
 *
 * It asks nobody and records nothing.
 *
 * @module
 */
import { TurnwiseError } from '../errors.ts'
import type { Approval, ApprovalOptions, ApprovalPolicy } from './approval.port.ts'
import type { GateAt, ToolPreDecision, ToolQuestion } from './gates.port.ts'

const WORDS: readonly unknown[] = ['always', 'never', 'once']

/** A policy with its options filled in. */
export interface ResolvedApproval extends ApprovalOptions {
  readonly policy: ApprovalPolicy
}

const ALLOW: ToolPreDecision = Object.freeze({ kind: 'allow' })

const isPolicy = (value: unknown): value is ApprovalPolicy =>
  typeof value === 'function' || WORDS.includes(value)

/** What each option should be. */
const CHECKS: readonly (readonly [keyof ApprovalOptions, string, (value: unknown) => boolean])[] = [
  ['policy', 'always, never, once or a function', isPolicy],
  ['expiresMs', 'a positive number of ms', (ms) => Number.isFinite(ms) && (ms as number) > 0],
  ['prompt', 'a text', (text) => typeof text === 'string'],
]

const refuse = (of: string, expected: string): never => {
  throw new TurnwiseError('INVALID_OPTION', `${of} should be ${expected}; nothing was created.`)
}

/**
 * Reads a policy.
 *
 * @param of - whose it is, for the error.
 * @throws TurnwiseError INVALID_OPTION
 */
export function resolveApproval(given: Approval, of: string): ResolvedApproval {
  const options: unknown = isPolicy(given) ? { policy: given } : given
  if (typeof options !== 'object' || options === null) {
    return refuse(of, 'always, never, once, a function, or an object with these as its policy')
  }
  const known = options as ApprovalOptions
  for (const [name, expected, fits] of CHECKS) {
    const value: unknown = known[name]
    if (value !== undefined && !fits(value)) refuse(`${of}.${name}`, expected)
  }
  return Object.freeze({ ...known, policy: known.policy ?? 'always' })
}

/** Resolved policies of tools; they are read at each call, because a registry may change its tools. */
const resolved = new WeakMap<object, ResolvedApproval>()

/** The policy about calls of `tool`: its own, else that of the agent. @throws TurnwiseError INVALID_OPTION */
export function approvalOf(
  tool: { readonly name: string; readonly approval?: Approval } | undefined,
  agent: ResolvedApproval,
): ResolvedApproval {
  if (tool?.approval === undefined) return agent
  const known = resolved.get(tool)
  if (known !== undefined) return known
  const made = resolveApproval(tool.approval, `approval of tool '${tool.name}'`)
  resolved.set(tool, made)
  return made
}

/** What `rule` says about a call. @throws what a predicate throws. */
export async function judgeCall(
  { policy, expiresMs, prompt }: ResolvedApproval,
  call: ToolQuestion & GateAt,
): Promise<ToolPreDecision> {
  if (policy === 'never') return ALLOW
  if (typeof policy === 'function') {
    const asks: unknown = await policy(call)
    if (asks === false) return ALLOW
  }
  return {
    kind: 'ask',
    ...(prompt !== undefined && { prompt }),
    ...(expiresMs !== undefined && { expiresMs }),
    ...(policy === 'once' && { once: true as const }),
  }
}
