/**
 * From a finished attempt to its committed message: the `stepResult` gate, the message, the prefix of a cut attempt.
 *
 * @module
 */
import type { AssistantMessage } from '../events/message.ts'
import { parseStepResult } from '../events/parse-decision.ts'
import type { CommitHost, Receiver } from '../machines/ports.ts'
import type { CommitNext } from '../machines/step.gates.ts'
import type { StepEvents } from '../machines/step.events.ts'
import { gateAt } from './admission.ts'
import type { Attempt } from './attempt.ts'
import type { RequestRecord } from './attempt-record.ts'
import { CallBatch } from './call-batch.ts'
import type { CallsDesk } from './calls-desk.ts'
import type { Core } from './core.ts'
import { turnFailure } from './failures.ts'
import type { StreamedCall } from './streamed-blocks.ts'
import type { TurnRecord } from './turn-record.ts'
import { waterfall } from './waterfall.ts'

/** The host of the committing part of a step. */
export class CommitDesk implements CommitHost {
  private readonly core: Core
  private readonly turnOf: () => TurnRecord
  private readonly request: { readonly record: RequestRecord }
  private readonly calls: CallsDesk

  constructor(
    core: Core,
    turnOf: () => TurnRecord,
    request: { readonly record: RequestRecord },
    calls: CallsDesk,
  ) {
    this.core = core
    this.turnOf = turnOf
    this.request = request
    this.calls = calls
  }

  askStepResult(to: Receiver<StepEvents>): void {
    const { core } = this
    const { record } = this.request
    const { message } = record
    if (message === undefined) return
    const turn = this.turnOf()
    const question = { ...gateAt(core, turn, turn.step), message }
    const mark = (answer: AssistantMessage, gate: { readonly name: string }): AssistantMessage => {
      record.transformedBy = gate.name === '' ? 'stepResult' : gate.name
      return answer
    }
    core.ask(
      'gate',
      () => waterfall(core.settings.gates.stepResult, question, () => message, mark),
      (answer) => {
        to.send({ type: 'result.transformed', next: this.transformed(answer, message) })
      },
      (error) => {
        to.send({ type: 'result.transformed', next: this.fail(error) })
      },
    )
  }

  private transformed(answer: unknown, original: AssistantMessage): 'commit' | 'fail' {
    const { record } = this.request
    try {
      record.message = parseStepResult(answer, original)
    } catch (error) {
      return this.fail(error)
    }
    if (record.message === original) record.transformedBy = undefined
    return 'commit'
  }

  private fail(error: unknown): 'fail' {
    this.turnOf().end = { kind: 'failed', failure: turnFailure(error) }
    return 'fail'
  }

  appendAssistant(): void {
    const { record } = this.request
    const { attempt, message, at } = record
    if (attempt === undefined || message === undefined) return
    if (!this.append(attempt, message)) {
      this.fail(this.core.refusal)
      this.calls.open(new CallBatch(at, [], false))
      return
    }
    const cut = attempt.finish === 'max-tokens'
    const calls: readonly StreamedCall[] = cut
      ? attempt.blocks.calls(at)
      : message.content.filter((block) => block.type === 'tool-call')
    this.turnOf().end = { kind: 'done', owes: calls.length > 0 && !cut, truncated: cut }
    this.calls.open(new CallBatch(at, calls, cut))
  }

  /** @returns whether the log took it. */
  private append({ usage, finish, cites }: Attempt, message: AssistantMessage): boolean {
    const { at, transformedBy } = this.request.record
    const recorded = this.core.record({
      type: 'assistant/message',
      data: {
        ...at,
        message,
        ...(usage === undefined ? {} : { usage }),
        ...(finish === undefined ? {} : { finish }),
        ...(transformedBy === undefined ? {} : { transformedBy }),
      },
      cites,
    })
    return recorded !== undefined
  }

  /** A gate that an abort has overtaken decides nothing. */
  committedNext(): CommitNext {
    return this.core.aborted ? 'close' : this.calls.begin()
  }

  /** What was visible before the abort stays, as an interrupted message; its calls never existed. */
  appendInterrupted(): void {
    const { attempt, at } = this.request.record
    if (attempt === undefined || attempt.failure !== undefined) return
    const message = attempt.blocks.prefix()
    if (message === undefined) return
    const usage = attempt.usage === undefined ? {} : { usage: attempt.usage }
    this.core.record({
      type: 'assistant/message',
      data: { ...at, message, ...usage, interrupted: true },
      cites: attempt.cites,
    })
  }
}
