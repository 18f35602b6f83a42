/**
 * From a settled call to its recorded result: `toolPost`, the result itself, the contexts behind it.
 *
 * @module
 */
import type { Message, Outcome } from '../events/message.ts'
import { type ParsedToolPost, parseToolPost } from '../events/parse-decision.ts'
import { errorOutcome } from '../events/parse-outcome.ts'
import type { Receiver } from '../machines/ports.ts'
import type { StepEvents } from '../machines/step.events.ts'
import { gateAt } from './admission.ts'
import type { CallBatch } from './call-batch.ts'
import type { Core } from './core.ts'
import { insert, lengthOf } from './inbox-desk.ts'
import { unknownOutcome } from './open-brackets.ts'
import type { ToolCall } from './tool-call.ts'
import type { TurnRecord } from './turn-record.ts'
import { waterfall } from './waterfall.ts'

/** Commits the results of a step. */
export class CallAccounts {
  private readonly core: Core
  private readonly turnOf: () => TurnRecord

  constructor(core: Core, turnOf: () => TurnRecord) {
    this.core = core
    this.turnOf = turnOf
  }

  /** Must `toolPost` be asked about it? */
  mustAsk(call: ToolCall): boolean {
    return this.core.settings.gates.toolPost.length > 0 && !call.skipPost && !call.posted
  }

  /** Makes a known outcome durable before its turn to be committed has come. */
  note(batch: CallBatch, call: ToolCall): void {
    const { outcome, streamed } = call
    if (call.noted || outcome === undefined) return
    call.noted = true
    this.core.record({ type: 'tool/settled', data: { ...batch.at, call: streamed.call, outcome } })
  }

  /** Makes durable what is known and not committed. */
  noteKnown(batch: CallBatch): void {
    for (const call of batch.calls.slice(batch.committed)) this.note(batch, call)
  }

  /** Asks `toolPost` about the head. If the answer takes more than a macrotask, the machine is told that it waits. */
  ask(batch: CallBatch, to: Receiver<StepEvents>): void {
    const { core } = this
    const call = batch.head
    const outcome = call?.outcome
    if (call === undefined || outcome === undefined) return
    const turn = this.turnOf()
    const { streamed, input } = call
    const question = {
      ...gateAt(core, turn, turn.step),
      call: streamed.call,
      tool: streamed.name,
      arguments: input,
      outcome,
    }
    const { activity } = core
    const look = setImmediate(() => {
      core.signal(() => {
        if (!call.posted) to.send({ type: 'toolPost.waited' })
      }, activity)
    })
    const answered = (apply: () => void): void => {
      clearImmediate(look)
      if (call.posted) return
      call.posted = true
      apply()
      to.send({ type: 'toolPost.answered' })
    }
    core.ask(
      'gate',
      () =>
        waterfall(
          core.settings.gates.toolPost,
          question,
          () => ({ kind: 'accept' as const }),
          undefined,
          () => call.posted,
        ),
      (answer) => {
        answered(() => {
          this.apply(call, outcome, answer)
        })
      },
      (error) => {
        answered(() => {
          call.outcome = errorOutcome(error)
        })
      },
    )
  }

  private apply(call: ToolCall, outcome: Outcome, answer: unknown): void {
    try {
      const source = { kind: 'plugin', plugin: 'toolPost' } as const
      const decision = parseToolPost(answer, { ids: this.core.settings.ids, source })
      call.outcome = judged(outcome, decision)
      call.contexts =
        decision.kind === 'block'
          ? [...decision.contexts]
          : [...call.contexts, ...decision.contexts]
    } catch (error) {
      call.outcome = errorOutcome(error)
    }
  }

  /**
   * Records the result of the head and accepts its contexts.
   *
   * @returns what the log refused with, if it did; the call is answered `OUTCOME_UNKNOWN` then.
   */
  commit(batch: CallBatch): unknown {
    const { core } = this
    const call = batch.head
    if (call?.outcome === undefined) return undefined
    const { outcome } = call
    if (this.append(batch, call, outcome)) {
      batch.committed += 1
      if (outcome.kind === 'ok' && outcome.concludes === true) this.conclude()
      for (const message of call.contexts) this.accept(message, call)
      return undefined
    }
    const { refusal } = core
    this.answerUnknown(batch, call)
    return refusal
  }

  private answerUnknown(batch: CallBatch, call: ToolCall): void {
    const answered = this.append(batch, call, unknownOutcome(call.isRepeatable))
    if (answered) batch.committed += 1
    else batch.refused()
  }

  /** A successful tool asked to end the turn: the step owes nothing to the model. */
  private conclude(): void {
    const turn = this.turnOf()
    if (turn.end.kind === 'done') turn.end = { ...turn.end, owes: false }
  }

  private append(batch: CallBatch, call: ToolCall, outcome: Outcome): boolean {
    const recorded = this.core.record({
      type: 'tool/result',
      data: { ...batch.at, call: call.streamed.call, outcome },
      ...(call.seq === undefined ? {} : { cites: [call.seq] }),
    })
    return recorded !== undefined
  }

  /** Contexts stay pending, and do not wake. */
  private accept(message: Message, call: ToolCall): void {
    const { core } = this
    const index = lengthOf(core, 'next-step')
    const actor = `tool:${call.streamed.name}`
    try {
      insert(core, { target: 'next-step', index, message, wake: false, actor })
    } catch (error) {
      core.diagnose('append', error)
    }
  }
}

/** The outcome as `toolPost` wants it. A blocked result is an error that says why. */
function judged(outcome: Outcome, decision: ParsedToolPost): Outcome {
  if (decision.kind === 'block') {
    const content = Object.freeze([
      Object.freeze({ type: 'text', text: decision.feedback } as const),
    ])
    return Object.freeze({ kind: 'error', content })
  }
  const { content } = decision
  if (content === undefined) return outcome
  if (outcome.kind !== 'ok') return Object.freeze({ ...outcome, content })
  return Object.freeze({
    kind: 'ok',
    content,
    ...(outcome.concludes === true ? { concludes: true as const } : {}),
  })
}
