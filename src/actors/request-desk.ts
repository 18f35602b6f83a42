/**
 * What is done for the step machine about its request: compose, stream, recover, commit.
 *
 * R1 What a request contained can be recomputed from the log: header fold, and history up to its step.
 * R2 Only failed attempts are recorded; a successful one commits exactly one message, citing its own chunks.
 * R3 Retries have one owner: the `requestError` gates, and behind them the policy.
 *
 * @module
 */
import type { StepAt, ToolHeader } from '../events/event.ts'
import type { AssistantMessage, Failure } from '../events/message.ts'
import { parseRequestConfig, parseRetry, parseStepResult } from '../events/parse-decision.ts'
import type { Receiver, RequestHost } from '../machines/ports.ts'
import type { AttemptNext, CommitNext, ComposeNext, RetryNext } from '../machines/step.gates.ts'
import type { StepEvents } from '../machines/step.machine.ts'
import { gateAt } from './admission.ts'
import { Attempt } from './attempt.ts'
import { BackOff } from './back-off.ts'
import { spentBudget } from './budgets.ts'
import type { CallsDesk } from './calls-desk.ts'
import { Composer } from './composer.ts'
import type { Core } from './core.ts'
import { turnFailure } from './failures.ts'
import { hasRoute, NO_ROUTE } from './request-config.ts'
import { retries, retryDelayMs } from './retry-policy.ts'
import { tokensOf, type TurnRecord } from './turn-record.ts'
import { waterfall } from './waterfall.ts'

/** What was decided about a failed attempt. */
interface Verdict {
  readonly retry: boolean
  readonly delayMs: number
  /** Failure of the gate itself. */
  readonly failure?: Failure
}

/** The host of the request part of a step. */
export class RequestDesk implements RequestHost {
  private readonly core: Core
  private readonly turnOf: () => TurnRecord
  private readonly calls: CallsDesk
  private readonly composer: Composer
  private readonly backOff: BackOff
  private at: StepAt = { turn: 0, step: 0 }
  private attempts = 0
  private readonly used = new Map<string, number>()
  private attempt: Attempt | undefined
  private verdict: Verdict = { retry: false, delayMs: 0 }
  private message: AssistantMessage | undefined
  private transformedBy: string | undefined
  private wait: Promise<void> | undefined

  constructor(core: Core, turnOf: () => TurnRecord, calls: CallsDesk) {
    this.core = core
    this.turnOf = turnOf
    this.calls = calls
    this.composer = new Composer(core)
    this.backOff = new BackOff(core)
  }

  /** A step opens. */
  open(at: StepAt): void {
    this.at = at
    this.attempts = 0
    this.used.clear()
    this.attempt = undefined
    this.message = undefined
    this.transformedBy = undefined
    this.verdict = { retry: false, delayMs: 0 }
    this.composer.begin()
  }

  /** The step closes: nothing of it may answer any more. */
  close(): void {
    this.attempt?.abandon()
    this.attempt = undefined
  }

  composeNext(): ComposeNext {
    const { core } = this
    const turn = this.turnOf()
    const spent = spentBudget(core.settings, turn)
    if (spent !== undefined) {
      turn.end = { kind: 'limit', reason: spent }
      return 'fail'
    }
    if (core.settings.gates.request.length > 0) return 'ask'
    return this.composed()
  }

  /** The configuration is fixed: record it if it is new, then make the inputs durable. */
  private composed(): ComposeNext {
    const { composer } = this
    try {
      if (!hasRoute(composer.config) || this.core.settings.model === undefined) return this.fail(NO_ROUTE)
      return composer.compose(this.turnOf().system) ? 'header' : this.secured()
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
    const question = { ...gateAt(core, turn, turn.step), attempt: this.attempts + 1, config }
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
    const events = this.composer.headerEvents(this.at)
    if (this.core.record(events) === undefined) this.fail(turnFailure(this.core.refusal))
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
    const { core, composer } = this
    const { model } = core.settings
    if (model === undefined) return
    this.turnOf().requested = true
    this.attempts += 1
    const attempt = new Attempt(core, this.at, this.attempts, () => {
      if (this.attempt === attempt) to.send({ type: 'model.ended', next: this.judge(attempt) })
    })
    this.attempt = attempt
    attempt.start(model, composer.request())
  }

  private judge(attempt: Attempt): AttemptNext {
    const { gates, retry, rejectEmpty } = this.core.settings
    this.turnOf().tokens += tokensOf(attempt.usage)
    if (rejectEmpty && attempt.failure === undefined && attempt.blocks.empty) {
      attempt.failure = { code: 'EMPTY_RESPONSE', message: 'the model answered nothing' }
    }
    if (attempt.failure !== undefined) {
      this.verdict = { retry: false, delayMs: 0 }
      return gates.requestError.length > 0 || retry !== undefined ? 'recover' : 'note'
    }
    this.message = attempt.blocks.message(this.at, attempt.finish === 'max-tokens')
    return gates.stepResult.length > 0 ? 'transform' : 'commit'
  }

  abandonAttempt(): void {
    this.attempt?.abandon()
  }

  appendInterrupted(): void {
    const { attempt, core } = this
    const message = attempt?.failure === undefined ? attempt?.blocks.prefix() : undefined
    attempt?.abandon()
    if (attempt === undefined || message === undefined) return
    const usage = attempt.usage === undefined ? {} : { usage: attempt.usage }
    core.record({
      type: 'assistant/message',
      data: { ...this.at, message, ...usage, interrupted: true },
      cites: attempt.cites,
    })
  }

  askRecovery(to: Receiver<StepEvents>): void {
    const { core, attempt } = this
    const failure = attempt?.failure
    const provider = this.composer.provider
    if (failure === undefined) return
    const turn = this.turnOf()
    const question = { ...gateAt(core, turn, turn.step), attempt: this.attempts, provider, failure }
    core.ask(
      'gate',
      () =>
        waterfall(core.settings.gates.requestError, question, () => this.policy(provider, failure)),
      (answer) => {
        this.recovered(answer)
        to.send({ type: 'recovery.answered' })
      },
      (error) => {
        this.verdict = { retry: false, delayMs: 0, failure: turnFailure(error) }
        to.send({ type: 'recovery.answered' })
      },
    )
  }

  private recovered(answer: unknown): void {
    try {
      const decision = parseRetry(answer)
      this.verdict = { retry: decision !== undefined, delayMs: decision?.delayMs ?? 0 }
    } catch (error) {
      this.verdict = { retry: false, delayMs: 0, failure: turnFailure(error) }
    }
  }

  /** The policy's own answer, behind all gates. */
  private policy(provider: string, failure: Failure): { action: 'retry'; delayMs: number } | undefined {
    const { retry } = this.core.settings
    const used = this.used.get(provider) ?? 0
    if (retry === undefined || !retries(retry, used, failure)) return undefined
    this.used.set(provider, used + 1)
    return { action: 'retry', delayMs: retryDelayMs(retry, used + 1, failure) }
  }

  appendFailed(): void {
    const { core, attempt } = this
    const failure = attempt?.failure
    if (attempt === undefined || failure === undefined) return
    const { maxAttempts } = core.settings
    const wants = this.verdict.retry && !core.aborted
    const retry = wants && this.attempts < maxAttempts
    const delayMs = retry ? this.verdict.delayMs : 0
    this.verdict = { ...this.verdict, retry, delayMs }
    this.conclude(failure, wants && !retry)
    const recorded = core.record({
      type: 'request/failed',
      data: {
        ...this.at,
        attempt: this.attempts,
        provider: this.composer.provider,
        failure,
        action: retry ? 'retry' : 'fail',
        delayMs,
        ...(attempt.usage === undefined ? {} : { usage: attempt.usage }),
      },
      cites: attempt.cites,
    })
    if (recorded !== undefined) return
    this.verdict = { retry: false, delayMs: 0 }
    this.fail(turnFailure(core.refusal))
  }

  /** How the step ends if no other attempt follows. */
  private conclude(failure: Failure, capped: boolean): void {
    const turn = this.turnOf()
    const { maxAttempts } = this.core.settings
    if (this.core.aborted) turn.end = { kind: 'aborted' }
    else if (capped) {
      const used = this.attempts
      turn.end = {
        kind: 'limit',
        reason: { kind: 'limit', which: 'attempts', used, allowed: maxAttempts, failure },
      }
    } else turn.end = { kind: 'failed', failure: this.verdict.failure ?? failure }
  }

  retryNext(): RetryNext {
    return this.verdict.retry ? 'back-off' : 'end'
  }

  startBackOff(to: Receiver<StepEvents>): void {
    this.backOff.start(
      this.verdict.delayMs,
      () => {
        this.turnOf().end = { kind: 'aborted' }
        to.send({ type: 'backOff.ended', next: this.composeNext() })
      },
      () => {
        to.send({ type: 'backOff.dropped' })
      },
    )
  }

  stopBackOff(): void {
    this.backOff.stop()
  }

  askStepResult(to: Receiver<StepEvents>): void {
    const { core, message } = this
    if (message === undefined) return
    const turn = this.turnOf()
    const question = { ...gateAt(core, turn, turn.step), message }
    core.ask(
      'gate',
      () =>
        waterfall(
          core.settings.gates.stepResult,
          question,
          () => message,
          (answer, gate) => {
            if (answer !== message) this.transformedBy = gate.name === '' ? 'stepResult' : gate.name
            return answer
          },
        ),
      (answer) => {
        to.send({ type: 'result.transformed', next: this.transformed(answer, message) })
      },
      (error) => {
        this.attemptUnused(turnFailure(error))
        to.send({ type: 'result.transformed', next: 'fail' })
      },
    )
  }

  private transformed(answer: unknown, original: AssistantMessage): 'commit' | 'fail' {
    try {
      this.message = parseStepResult(answer, original)
      if (this.message === original) this.transformedBy = undefined
      return 'commit'
    } catch (error) {
      this.attemptUnused(turnFailure(error))
      return 'fail'
    }
  }

  private attemptUnused(failure: Failure): void {
    this.fail(failure)
  }

  appendAssistant(): void {
    const { core, attempt, message, transformedBy } = this
    const turn = this.turnOf()
    if (attempt === undefined || message === undefined) return
    const { usage, finish } = attempt
    const cut = finish === 'max-tokens'
    const recorded = core.record({
      type: 'assistant/message',
      data: {
        ...this.at,
        message,
        ...(usage === undefined ? {} : { usage }),
        ...(finish === undefined ? {} : { finish }),
        ...(transformedBy === undefined ? {} : { transformedBy }),
      },
      cites: attempt.cites,
    })
    const calls = cut ? attempt.blocks.calls(this.at) : callsOf(message)
    if (recorded === undefined) {
      this.fail(turnFailure(core.refusal))
      this.calls.open(this.at, [], false)
      return
    }
    turn.end = { kind: 'done', owes: calls.length > 0 && !cut, truncated: cut }
    this.calls.open(this.at, calls, cut)
  }

  committedNext(): CommitNext {
    return this.turnOf().end.kind === 'done' ? this.calls.begin() : 'close'
  }

  /** Tools of the present step, as they are shown to the model. */
  get tools(): readonly ToolHeader[] {
    return this.composer.tools
  }
}

const callsOf = (message: AssistantMessage) =>
  message.content.filter((block) => block.type === 'tool-call')
