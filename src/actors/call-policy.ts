/**
 * May this call run? Budget, `toolPre`, approval, and whether the tool exists, in this order.
 *
 * A gate or a predicate that throws means no. The approval policies stand behind the gates. Where `toolPre` asks for approval, the later calls of the same parallel group are put to
 * `toolPre` at once, so that a person sees all questions together.
 *
 * @module
 */
import { parseToolPre } from '../events/parse-decision.ts'
import { errorOutcome } from '../events/parse-outcome.ts'
import type { AdmitNext } from '../machines/step.gates.ts'
import { gateAt } from './admission.ts'
import { approvalOf, judgeCall } from './approval-policy.ts'
import { spentBudget } from './budgets.ts'
import type { CallBatch } from './call-batch.ts'
import type { Core } from './core.ts'
import type { ToolPreDecision } from './gates.port.ts'
import { denied, unknownTool } from './synthetic.ts'
import type { ToolCall } from './tool-call.ts'
import { findTool } from './tool-headers.ts'
import type { TurnRecord } from './turn-record.ts'
import { waterfall } from './waterfall.ts'

/** A denial names the gate it came from. */
const named = (decision: ToolPreDecision, gate: { readonly name: string }): ToolPreDecision =>
  decision?.kind === 'deny' && decision.by === undefined && gate.name !== ''
    ? { ...decision, by: gate.name }
    : decision

/** Decides about one call after another. */
export class CallPolicy {
  private readonly core: Core
  private readonly turnOf: () => TurnRecord
  private readonly hasAllowed: (tool: string) => boolean

  /** @param hasAllowed - was a call of this tool allowed before in this session? */
  constructor(core: Core, turnOf: () => TurnRecord, hasAllowed: (tool: string) => boolean) {
    this.core = core
    this.turnOf = turnOf
    this.hasAllowed = hasAllowed
  }

  /** The next word for `call`; `known` when its outcome is fixed without a body. */
  next(call: ToolCall): AdmitNext {
    const { core } = this
    const spent = spentBudget(core.settings, this.turnOf())
    if (spent !== undefined) {
      call.skipPost = true
      call.outcome ??= denied(
        'budget',
        `the turn has used up its ${spent.which} (${spent.used} of ${spent.allowed})`,
      )
      return 'known'
    }
    if (call.pre === undefined && call.preFailure === undefined && this.isJudged(call)) return 'ask'
    return this.decided(call) ?? this.found(call)
  }

  /** Does anybody have a say about it? */
  private isJudged(call: ToolCall): boolean {
    const { gates, approval, tools } = this.core.settings
    if (gates.toolPre.length > 0 || approval.policy !== 'never') return true
    return findTool(tools, call.streamed.name)?.approval !== undefined
  }

  private decided(call: ToolCall): AdmitNext | undefined {
    const { pre, preFailure } = call
    if (preFailure !== undefined) {
      call.skipPost = true
      call.outcome = errorOutcome(preFailure.error)
      return 'known'
    }
    if (pre?.kind === 'deny') {
      call.outcome = denied(pre.by ?? 'toolPre', pre.reason)
      return 'known'
    }
    return call.needsApproval ? this.approved(call) : undefined
  }

  private approved(call: ToolCall): AdmitNext | undefined {
    const { asked, answer } = call
    if (!asked) return this.isAllowed(call) ? undefined : 'question'
    if (answer === undefined) return 'wait'
    if (answer.allow) return undefined
    call.outcome = denied(answer.by, answer.reason)
    return 'known'
  }

  private isAllowed(call: ToolCall): boolean {
    return call.asksOnce && this.hasAllowed(call.streamed.name)
  }

  /** The calls that are to be asked about now; of one tool that is asked about once, only the first. */
  questions({ calls, next }: CallBatch): ToolCall[] {
    const asking = new Set<string>()
    return calls.slice(next).filter((call) => {
      if (!call.needsApproval || call.asked || this.isAllowed(call)) return false
      const { name } = call.streamed
      const waits = call.asksOnce && asking.has(name)
      asking.add(name)
      return !waits
    })
  }

  private found(call: ToolCall): AdmitNext {
    call.tool = findTool(this.core.settings.tools, call.streamed.name)
    if (call.tool !== undefined) return 'start'
    call.outcome = unknownTool(call.streamed.name)
    return 'known'
  }

  /** Asks `toolPre` about the next call of `batch`, and about the rest of its group if that must be approved. */
  ask(batch: CallBatch, answered: () => void): void {
    const { core } = this
    core.ask('gate', () => this.askAll(batch), answered, answered)
  }

  private async askAll(batch: CallBatch): Promise<void> {
    for (const call of this.groupOf(batch)) {
      await this.askOne(call)
      if (call.pre?.kind !== 'ask' && call === batch.calls[batch.next]) return
      if (this.core.aborted) return
    }
  }

  /** The next call, and behind it those that may run beside it. */
  private *groupOf(batch: CallBatch): Iterable<ToolCall> {
    const { tools } = this.core.settings
    const parallel = (call: ToolCall): boolean =>
      call.isParallel(findTool(tools, call.streamed.name))
    const [first, ...rest] = batch.calls.slice(batch.next)
    if (first === undefined) return
    yield first
    if (!parallel(first)) return
    for (const call of rest) {
      if (!parallel(call)) return
      // A call that was asked about by an earlier process stands behind one that was not.
      if (call.pre === undefined) yield call
    }
  }

  private async askOne(call: ToolCall): Promise<void> {
    const { core } = this
    const turn = this.turnOf()
    const { streamed, input } = call
    const question = {
      ...gateAt(core, turn, turn.step),
      call: streamed.call,
      tool: streamed.name,
      arguments: input,
    }
    try {
      const { gates, tools, approval } = core.settings
      const judge = (): Promise<ToolPreDecision> => {
        const rule = approvalOf(findTool(tools, streamed.name), approval)
        return judgeCall(rule, question)
      }
      const answer = await waterfall(gates.toolPre, question, judge, named)
      call.pre = parseToolPre(answer)
    } catch (error) {
      call.preFailure = { error }
    }
  }
}
