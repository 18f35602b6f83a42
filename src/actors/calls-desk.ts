/**
 * What is done for the step machine about its calls: who may start, whose outcome may be committed.
 *
 * L1 Starts and commits go in the model's order; only bodies overlap.
 * L2 Exactly one outcome for each call, before the step closes: a body's, a policy's, or a synthetic one that is true.
 * L3 An outcome known while an earlier one is not is made durable at once, and so is what waits behind a slow `toolPost`.
 *
 * @module
 */
import type { Outcome } from '../events/message.ts'
import type { CallsHost, Receiver } from '../machines/ports.ts'
import type { AdmitNext, CallNext, CommitNext } from '../machines/step.gates.ts'
import type { StepEvents } from '../machines/step.events.ts'
import { Approvals } from './approvals.ts'
import { CallAccounts } from './call-accounts.ts'
import { runBody } from './call-body.ts'
import { CallPolicy } from './call-policy.ts'
import type { Core } from './core.ts'
import { turnFailure } from './failures.ts'
import { unknownOutcome } from './open-brackets.ts'
import { RepeatWatch } from './repeat-guard.ts'
import { denied } from './synthetic.ts'
import { CallBatch } from './call-batch.ts'
import { callEvent, type ToolCall } from './tool-call.ts'
import { findTool } from './tool-headers.ts'
import type { TurnRecord } from './turn-record.ts'

/** The host of the calls of a step. */
export class CallsDesk implements CallsHost {
  readonly approvals: Approvals
  private readonly core: Core
  private readonly turnOf: () => TurnRecord
  private readonly repeats: RepeatWatch
  private readonly policy: CallPolicy
  private readonly accounts: CallAccounts
  private batch: CallBatch
  private wait: Promise<void> | undefined

  constructor(core: Core, turnOf: () => TurnRecord) {
    this.core = core
    this.turnOf = turnOf
    this.repeats = new RepeatWatch(core.settings.repeatGuard)
    this.batch = new CallBatch({ turn: 0, step: 0 }, [], false)
    this.approvals = new Approvals(core, () => this.batch)
    this.policy = new CallPolicy(core, turnOf, (tool) => this.approvals.hasAllowed(tool))
    this.accounts = new CallAccounts(core, turnOf)
  }

  /** The message is committed: these are its calls. An earlier process may have got somewhere with them. */
  open(batch: CallBatch): void {
    this.batch = batch
  }

  /** The first word about the calls. */
  begin(): CommitNext {
    const { batch } = this
    if (batch.calls.length === 0) return 'close'
    if (batch.cut) return 'answer'
    const action = this.repeats.take(batch.at.turn, batch.calls)
    if (action === 'ask') for (const call of batch.calls) call.mustAsk = true
    else if (action === 'end') this.stopRepeating()
    return 'calls'
  }

  private stopRepeating(): void {
    const { batch } = this
    const reason = 'the calls of this turn repeat'
    batch.verdict = denied('repeat-guard', reason)
    this.turnOf().end = { kind: 'blocked', by: 'repeat-guard', reason }
  }

  callNext(): CallNext {
    const { batch, core } = this
    const { head } = batch
    if (head === undefined || batch.gaveUp) return 'done'
    if (head.outcome !== undefined) return this.knownNext(head)
    if (core.aborted || batch.stopped) return this.endNext()
    return this.mayStart() ? 'announce' : 'wait'
  }

  /** A question whose call was decided otherwise, by a budget, is closed before its result. */
  private knownNext(head: ToolCall): CallNext {
    if (head.asked && head.answer === undefined) return 'withdraw'
    return this.accounts.mustAsk(head) ? 'account' : 'record'
  }

  /** Nothing starts any more: bodies settle, questions close, the rest is answered. */
  private endNext(): CallNext {
    if (this.batch.running > 0) return 'wait'
    return this.approvals.open.length > 0 ? 'withdraw' : 'answer'
  }

  private mayStart(): boolean {
    const { batch, core } = this
    const call = batch.calls[batch.next]
    if (call === undefined) return false
    if (batch.running === 0) return batch.committed === batch.next
    if (!batch.parallel || batch.running >= core.settings.maxParallelToolCalls()) return false
    return call.isParallel(findTool(core.settings.tools, call.streamed.name))
  }

  appendCall(): void {
    const { batch } = this
    const call = batch.calls[batch.next]
    if (call?.seq === undefined && call !== undefined) this.announce(call)
  }

  /** @returns whether the log took it. */
  private announce(call: ToolCall): boolean {
    const { core, batch } = this
    const stored = core.record(callEvent(batch.at, call, core.settings.tools))
    if (stored === undefined) this.breakOff(core.refusal)
    else call.seq = stored.seq
    return stored !== undefined
  }

  /** No further call is started, and the turn fails. */
  private breakOff(error: unknown): void {
    this.batch.broken = true
    this.turnOf().end = { kind: 'failed', failure: turnFailure(error) }
  }

  /** An answer that an abort has overtaken decides nothing: the call is answered by the drain. */
  admitNext(): AdmitNext {
    const { batch, core } = this
    const call = batch.calls[batch.next]
    if (call === undefined || batch.stopped || core.aborted) return 'known'
    const next = this.policy.next(call)
    batch.waitingFor = next === 'wait' ? call : undefined
    if (next === 'known') batch.settledNow.push(call)
    return next === 'start' ? this.secured() : next
  }

  private secured(): AdmitNext {
    this.wait = this.core.outstanding()
    return this.wait === undefined ? 'start' : 'secure'
  }

  askToolPre(to: Receiver<StepEvents>): void {
    const { batch } = this
    this.policy.ask(batch, () => {
      to.send({ type: 'toolPre.answered', next: this.admitNext() })
    })
  }

  appendQuestions(): void {
    const { batch, core } = this
    if (!this.approvals.ask(this.policy.questions(batch))) this.breakOff(core.refusal)
    this.accounts.noteKnown(batch)
  }

  awaitAnswer(to: Receiver<StepEvents>): void {
    this.batch.resume = () => {
      to.send({ type: 'approval.answered', next: this.admitNext() })
    }
  }

  awaitCall(to: Receiver<StepEvents>): void {
    this.core.await(
      this.wait ?? Promise.resolve(),
      () => {
        to.send({ type: 'call.secured', next: 'start' })
      },
      (error) => {
        this.breakOff(error)
        to.send({ type: 'call.secured', next: 'known' })
      },
    )
  }

  startBody(to: Receiver<StepEvents>): void {
    const { core, batch } = this
    const call = batch.calls[batch.next]
    const tool = call?.tool
    if (call === undefined || tool === undefined) return
    if (batch.running === 0) batch.parallel = call.isParallel(tool)
    batch.next += 1
    batch.running += 1
    call.started = true
    const settle = (outcome: Outcome): void => {
      if (call.outcome !== undefined) return
      call.outcome = outcome
      batch.running -= 1
      batch.settledNow.push(call)
      to.send({ type: 'tool.settled' })
    }
    runBody(core, batch.at, call, tool, settle, (error) => {
      call.skipPost = true
      this.breakOff(error)
      settle(unknownOutcome(call.isRepeatable))
    })
  }

  /** Takes note of what settled: calls that are known without a body count as started now. */
  recordSettled(): void {
    const { batch } = this
    for (const call of batch.settledNow.splice(0)) {
      if (!call.started) batch.next += 1
      if (batch.isHeldUp || batch.hasUnknownBefore(call)) this.accounts.note(batch, call)
    }
  }

  askToolPost(to: Receiver<StepEvents>): void {
    this.accounts.ask(this.batch, to)
  }

  /** The head has waited in `toolPost`: what is known, and not committed, becomes durable. */
  recordWaiting(): void {
    this.batch.waits = true
    this.accounts.noteKnown(this.batch)
  }

  appendResult(): void {
    const failed = this.accounts.commit(this.batch)
    this.batch.waits = false
    if (failed !== undefined) this.breakOff(failed)
  }

  /** One append of a synthetic answer: the call if it is not announced, otherwise its outcome. */
  appendSynthetic(): void {
    const { batch } = this
    const { head } = batch
    if (head === undefined) return
    if (head.seq === undefined) {
      if (!this.announce(head)) batch.refused()
      return
    }
    head.outcome = batch.syntheticOutcome
    const failed = this.accounts.commit(batch)
    if (failed !== undefined) this.breakOff(failed)
  }

  appendWithdrawn(): void {
    this.approvals.withdraw()
  }

  abandonCalls(): void {
    for (const call of this.batch.calls) call.abandon()
    this.batch.running = 0
  }
}
