/**
 * What follows a failed attempt: the `requestError` gates, behind them the policy, the record, the back-off.
 *
 * Retries have one owner: this. Adapters must not retry by themselves.
 *
 * @module
 */
import type { Failure } from '../events/message.ts'
import { parseRetry } from '../events/parse-decision.ts'
import type { Receiver, RecoveryHost } from '../machines/ports.ts'
import type { ComposeNext, RetryNext } from '../machines/step.gates.ts'
import type { StepEvents } from '../machines/step.events.ts'
import type { StepEnd } from '../machines/turn.gates.ts'
import { gateAt } from './admission.ts'
import type { Attempt } from './attempt.ts'
import { NO_RETRY, type RequestRecord } from './attempt-record.ts'
import { BackOff } from './back-off.ts'
import type { Core } from './core.ts'
import { turnFailure } from './failures.ts'
import { retries, retryDelayMs } from './retry-policy.ts'
import type { TurnRecord } from './turn-record.ts'
import { waterfall } from './waterfall.ts'

/** What the recovery needs of the request. */
export interface RecoveredRequest {
  readonly record: RequestRecord
  readonly provider: string
  composeNext(): ComposeNext
}

/** The host of the recovery part of a step. */
export class RecoveryDesk implements RecoveryHost {
  private readonly core: Core
  private readonly turnOf: () => TurnRecord
  private readonly request: RecoveredRequest
  private readonly backOff: BackOff

  constructor(core: Core, turnOf: () => TurnRecord, request: RecoveredRequest) {
    this.core = core
    this.turnOf = turnOf
    this.request = request
    this.backOff = new BackOff(core)
  }

  askRecovery(to: Receiver<StepEvents>): void {
    const { core } = this
    const { record, provider } = this.request
    const failure = record.attempt?.failure
    if (failure === undefined) return
    const turn = this.turnOf()
    const at = gateAt(core, turn, turn.step)
    const question = { ...at, attempt: record.attempts, provider, failure }
    core.ask(
      'gate',
      () => waterfall(core.settings.gates.requestError, question, () => this.policy(failure)),
      (answer) => {
        this.decide(answer)
        to.send({ type: 'recovery.answered' })
      },
      (error) => {
        record.verdict = { ...NO_RETRY, failure: turnFailure(error) }
        to.send({ type: 'recovery.answered' })
      },
    )
  }

  private decide(answer: unknown): void {
    const { record } = this.request
    try {
      const decision = parseRetry(answer)
      record.verdict =
        decision === undefined ? NO_RETRY : { retry: true, delayMs: decision.delayMs }
    } catch (error) {
      record.verdict = { ...NO_RETRY, failure: turnFailure(error) }
    }
  }

  /** The policy's own answer. */
  private policy(failure: Failure): { action: 'retry'; delayMs: number } | undefined {
    const { retry } = this.core.settings
    const { record, provider } = this.request
    const used = record.retries.get(provider) ?? 0
    if (retry === undefined || !retries(retry, used, failure)) return undefined
    record.retries.set(provider, used + 1)
    return { action: 'retry', delayMs: retryDelayMs(retry, used + 1, failure) }
  }

  appendFailed(): void {
    const { record } = this.request
    const { attempt } = record
    if (attempt?.failure === undefined) return
    this.conclude(attempt.failure)
    if (this.append(attempt, attempt.failure)) return
    record.verdict = NO_RETRY
    this.turnOf().end = { kind: 'failed', failure: turnFailure(this.core.refusal) }
  }

  /** @returns whether the log took it. */
  private append(attempt: Attempt, failure: Failure): boolean {
    const { record, provider } = this.request
    const { retry, delayMs } = record.verdict
    const recorded = this.core.record({
      type: 'request/failed',
      data: {
        ...record.at,
        attempt: record.attempts,
        provider,
        failure,
        action: retry ? 'retry' : 'fail',
        delayMs,
        ...(attempt.usage === undefined ? {} : { usage: attempt.usage }),
      },
      cites: attempt.cites,
    })
    return recorded !== undefined
  }

  /** Fixes what follows, and how the step ends if no other attempt does. */
  private conclude(failure: Failure): void {
    const { record } = this.request
    const { verdict } = record
    const wants = verdict.retry && !this.core.aborted
    const retry = wants && record.attempts < this.core.settings.maxAttempts
    record.verdict = retry ? verdict : { ...verdict, ...NO_RETRY }
    this.turnOf().end = this.endWithout(verdict.failure ?? failure, wants && !retry)
  }

  private endWithout(failure: Failure, capped: boolean): StepEnd {
    if (this.core.aborted) return { kind: 'aborted' }
    if (!capped) return { kind: 'failed', failure }
    const used = this.request.record.attempts
    const allowed = this.core.settings.maxAttempts
    return { kind: 'limit', reason: { kind: 'limit', which: 'attempts', used, allowed, failure } }
  }

  retryNext(): RetryNext {
    return this.request.record.verdict.retry ? 'back-off' : 'end'
  }

  startBackOff(to: Receiver<StepEvents>): void {
    this.backOff.start(
      this.request.record.verdict.delayMs,
      () => {
        this.turnOf().end = { kind: 'aborted' }
        to.send({ type: 'backOff.ended', next: this.request.composeNext() })
      },
      () => {
        to.send({ type: 'backOff.dropped' })
      },
    )
  }

  stopBackOff(): void {
    this.backOff.stop()
  }
}
