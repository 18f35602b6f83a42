/**
 * What everything below one root may use together.
 *
 * B1 A step is let in while every limit has something left, so a tree overshoots by what runs at the same time.
 * B2 Budgets are of one process: after a restart they begin anew.
 *
 * @module
 */
import type { PreStepDecision } from '../../actors/gates.port.ts'
import { wholeOrInfinite } from '../../actors/read-options.ts'
import { TurnwiseError } from '../../errors.ts'
import type { StoredEvent } from '../../events/event.ts'
import {
  bookedUsage,
  NOTHING_REPORTED,
  type Reported,
  reportedUsage,
} from '../../projections/spending.ts'
import type { TreeBudget } from './child-port.ts'

/** By whom a step of a tree without budget is rejected. */
export const TREE_BUDGET = 'tree-budget'

type Limits = Required<TreeBudget>

/** @throws TurnwiseError INVALID_OPTION */
export const limitsOf = (budget: TreeBudget): Limits => ({
  steps: wholeOrInfinite(budget, 'steps', Infinity),
  tokens: wholeOrInfinite(budget, 'tokens', Infinity),
  turns: wholeOrInfinite(budget, 'turns', Infinity),
  children: wholeOrInfinite(budget, 'children', Infinity),
})

/** The account of one tree. */
export class TreeAccount {
  private readonly limits: Limits
  private readonly used = { steps: 0, tokens: 0, turns: 0, children: 0 }

  constructor(limits: Limits) {
    this.limits = limits
  }

  /** Counts a child in. @throws TurnwiseError CHILD_LIMIT when one budget is used up. */
  admit(): void {
    const spent = this.spent(['children', 'steps', 'tokens', 'turns'], 0)
    if (spent === undefined) {
      this.used.children += 1
      return
    }
    throw new TurnwiseError(
      'CHILD_LIMIT',
      `expected a tree of children with budget left, found ${spent}; nothing was created. Work without a child, or raise the budget.`,
    )
  }

  /** A child that was counted in could not be started. */
  giveBack(): void {
    this.used.children -= 1
  }

  /** Follows one child. @returns takes one event in. */
  book(): (event: StoredEvent) => void {
    let reported: Reported = NOTHING_REPORTED
    const { used } = this
    return (event) => {
      if (event.type === 'turn/start') used.turns += 1
      else if (event.type === 'step/start') used.steps += 1
      const { inputTokens = 0, outputTokens = 0 } = bookedUsage(reported, event) ?? {}
      used.tokens += inputTokens + outputTokens
      reported = reportedUsage(reported, event)
    }
  }

  /** The gate of a child. The turn that asks is counted already. */
  readonly gate = (
    _question: unknown,
    next: () => Promise<PreStepDecision>,
  ): PreStepDecision | Promise<PreStepDecision> => {
    const spent = this.spent(['steps', 'tokens'], 0) ?? this.spent(['turns'], 1)
    return spent === undefined ? next() : { kind: 'reject', by: TREE_BUDGET, reason: spent }
  }

  /** What is used up, in words. */
  private spent(names: readonly (keyof Limits)[], counted: number): string | undefined {
    const { used, limits } = this
    const name = names.find((one) => used[one] - counted >= limits[one])
    return name === undefined ? undefined : `${name}: ${used[name] - counted} of ${limits[name]}`
  }
}
