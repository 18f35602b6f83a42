/**
 * May this call run? Budget, `toolPre`, approval, and whether the tool exists, in this order.
 *
 * A gate that throws means no. Where `toolPre` asks for approval, the later calls of the same parallel group are put to
 * `toolPre` at once, so that a person sees all questions together.
 *
 * @module
 */
import { parseToolPre } from '../events/parse-decision.ts'
import { errorOutcome } from '../events/parse-outcome.ts'
import type { AdmitNext } from '../machines/step.gates.ts'
import { gateAt } from './admission.ts'
import { spentBudget } from './budgets.ts'
import type { CallBatch } from './call-batch.ts'
import type { Core } from './core.ts'
import type { ToolPreDecision } from './gates.port.ts'
import { denied, unknownTool } from './synthetic.ts'
import type { ToolCall } from './tool-call.ts'
import { findTool } from './tool-headers.ts'
import type { TurnRecord } from './turn-record.ts'
import { waterfall } from './waterfall.ts'

const allow = (): ToolPreDecision => ({ kind: 'allow' })

/** A denial names the gate it came from. */
const named = (decision: ToolPreDecision, gate: { readonly name: string }): ToolPreDecision =>
  decision?.kind === 'deny' && decision.by === undefined && gate.name !== ''
    ? { ...decision, by: gate.name }
    : decision

/** Decides about one call after another. */
export class CallPolicy {
  private readonly core: Core
  private readonly turnOf: () => TurnRecord

  constructor(core: Core, turnOf: () => TurnRecord) {
    this.core = core
    this.turnOf = turnOf
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
    if (
      core.settings.gates.toolPre.length > 0 &&
      call.pre === undefined &&
      call.preFailure === undefined
    ) {
      return 'ask'
    }
    return this.decided(call) ?? this.found(call)
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
    if (!asked) return 'question'
    if (answer === undefined) return 'wait'
    if (answer.allow) return undefined
    call.outcome = denied(answer.by, answer.reason)
    return 'known'
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
      if (call.pre === undefined && call.preFailure === undefined) yield call
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
      const answer = await waterfall(core.settings.gates.toolPre, question, allow, named)
      call.pre = parseToolPre(answer)
    } catch (error) {
      call.preFailure = { error }
    }
  }
}
