/**
 * What is done for the step machine about its request: compose it, record what is new, stream it.
 *
 * R1 What a request contained can be recomputed from the log: header fold, and history up to its step.
 * R2 Only failed attempts are recorded; a successful one commits exactly one message, citing its own chunks.
 *
 * @module
 */
import type { StepAt } from '../events/event.ts'
import type { Failure } from '../events/message.ts'
import { parseRequestConfig } from '../events/parse-decision.ts'
import type { Receiver, RequestHost } from '../machines/ports.ts'
import type { AttemptNext, ComposeNext } from '../machines/step.gates.ts'
import type { StepEvents } from '../machines/step.events.ts'
import { gateAt } from './admission.ts'
import { Attempt } from './attempt.ts'
import { NO_RETRY, RequestRecord } from './attempt-record.ts'
import { spentBudget } from './budgets.ts'
import { Composer } from './composer.ts'
import type { Core } from './core.ts'
import { turnFailure } from './failures.ts'
import { hasRoute, NO_ROUTE } from './request-config.ts'
import { tokensOf, type TurnRecord } from './turn-record.ts'
import { waterfall } from './waterfall.ts'

/** The host of the request part of a step. */
export class RequestDesk implements RequestHost {
  /** The request of the open step. */
  record = new RequestRecord({ turn: 0, step: 0 })
  private readonly core: Core
  private readonly turnOf: () => TurnRecord
  private readonly composer: Composer
  private wait: Promise<void> | undefined

  constructor(core: Core, turnOf: () => TurnRecord) {
    this.core = core
    this.turnOf = turnOf
    this.composer = new Composer(core)
  }

  get provider(): string {
    return this.composer.provider
  }

  /** A step opens. */
  open(at: StepAt): void {
    this.record = new RequestRecord(at)
  }

  /** The step closes: nothing of it may answer any more. */
  close(): void {
    this.record.attempt?.abandon()
    this.record.attempt = undefined
  }

  composeNext(): ComposeNext {
    const { settings } = this.core
    const turn = this.turnOf()
    const reason = spentBudget(settings, turn)
    if (reason !== undefined) {
      turn.end = { kind: 'limit', reason }
      return 'fail'
    }
    try {
      this.composer.begin()
    } catch (error) {
      return this.fail(turnFailure(error))
    }
    return settings.gates.request.length > 0 ? 'ask' : this.composed()
  }

  /** The configuration is fixed: record it if it is new, then make the inputs durable. */
  private composed(): ComposeNext {
    const { composer, core } = this
    const { config } = composer
    try {
      if (!hasRoute(config) || core.settings.model === undefined) return this.fail(NO_ROUTE)
      return composer.compose(config, this.turnOf().system) ? 'header' : this.secured()
    } catch (error) {
      return this.fail(turnFailure(error))
    }
  }

  private fail(failure: Failure): 'fail' {
    this.turnOf().end = { kind: 'failed', failure }
    return 'fail'
  }

  private secured(): ComposeNext {
    this.wait = this.core.outstanding()
    return this.wait === undefined ? 'stream' : 'secure'
  }

  askRequest(to: Receiver<StepEvents>): void {
    const { core, composer } = this
    const turn = this.turnOf()
    const { config } = composer
    const at = gateAt(core, turn, turn.step)
    const question = { ...at, attempt: this.record.attempts + 1, config: Object.freeze(config) }
    core.ask(
      'gate',
      () => waterfall(core.settings.gates.request, question, () => config),
      (answer) => {
        to.send({ type: 'request.composed', next: this.configured(answer) })
      },
      (error) => {
        to.send({ type: 'request.composed', next: this.fail(turnFailure(error)) })
      },
    )
  }

  private configured(answer: unknown): ComposeNext {
    try {
      this.composer.config = parseRequestConfig(answer)
    } catch (error) {
      return this.fail(turnFailure(error))
    }
    return this.composed()
  }

  appendHeader(): void {
    const events = this.composer.headerEvents(this.record.at)
    if (this.core.record(events) === undefined) this.fail(turnFailure(this.core.refusal))
    else this.composer.recorded()
  }

  headedNext(): ComposeNext {
    return this.turnOf().end.kind === 'failed' ? 'fail' : this.secured()
  }

  awaitInputs(to: Receiver<StepEvents>): void {
    this.core.await(
      this.wait ?? Promise.resolve(),
      () => {
        to.send({ type: 'inputs.secured', next: 'stream' })
      },
      (error) => {
        to.send({ type: 'inputs.secured', next: this.fail(turnFailure(error)) })
      },
    )
  }

  startAttempt(to: Receiver<StepEvents>): void {
    const { core, composer, record } = this
    const { model } = core.settings
    if (model === undefined) return
    record.attempts += 1
    record.verdict = NO_RETRY
    const attempt = new Attempt(core, record.at, record.attempts, () => {
      if (record.attempt === attempt) {
        to.send({ type: 'model.ended', next: this.judge(record, attempt) })
      }
    })
    record.attempt = attempt
    attempt.start(model, composer.request())
  }

  private judge(record: RequestRecord, attempt: Attempt): AttemptNext {
    const { gates, rejectEmpty } = this.core.settings
    this.turnOf().tokens += tokensOf(attempt.usage)
    if (attempt.refusal !== undefined) {
      this.fail(turnFailure(attempt.refusal.error))
      return 'end'
    }
    if (rejectEmpty && attempt.failure === undefined && attempt.blocks.empty) {
      attempt.failure = { code: 'EMPTY_RESPONSE', message: 'the model answered nothing' }
    }
    if (attempt.failure !== undefined) return this.mayRecover ? 'recover' : 'note'
    record.message = attempt.blocks.message(record.at, attempt.finish === 'max-tokens')
    return gates.stepResult.length > 0 ? 'transform' : 'commit'
  }

  /** Is there anybody who could ask for another attempt? */
  private get mayRecover(): boolean {
    const { gates, retry } = this.core.settings
    return gates.requestError.length > 0 || retry !== undefined
  }

  abandonAttempt(): void {
    this.record.attempt?.abandon()
  }
}
