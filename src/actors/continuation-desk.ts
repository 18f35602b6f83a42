/**
 * What follows a step: the continuation gate, the next boundary, a budget, or `turnStopping`.
 *
 * @module
 */
import { parseContinuation } from '../events/parse-decision.ts'
import type { ContinuationHost, Receiver } from '../machines/ports.ts'
import { afterStep, type ContinueNext, deviates } from '../machines/turn.gates.ts'
import type { TurnEvents } from '../machines/turn.machine.ts'
import { admissionNext, gateAt } from './admission.ts'
import { stepBudget } from './budgets.ts'
import type { Core } from './core.ts'
import { turnFailure } from './failures.ts'
import { newBoundary, type TurnRecord } from './turn-record.ts'
import { waterfall } from './waterfall.ts'

/** The host of the part of a turn between two steps. */
export class ContinuationDesk implements ContinuationHost {
  private readonly core: Core
  private readonly turnOf: () => TurnRecord

  /** @param turnOf - the open turn. */
  constructor(core: Core, turnOf: () => TurnRecord) {
    this.core = core
    this.turnOf = turnOf
  }

  private get turn(): TurnRecord {
    return this.turnOf()
  }

  continueNext(): ContinueNext {
    const { core, turn } = this
    takeOutcome(turn)
    const limit = stepBudget(core.settings, turn)
    const { gates, maxStops } = core.settings
    const next = afterStep({
      end: turn.end,
      pending: core.state.inbox.nextStep.length > 0,
      aborted: core.aborted,
      mayDecide: gates.continuation.length > 0 && turn.decision === undefined,
      decision: turn.decision ?? 'default',
      limited: limit !== undefined,
      stopGate: gates.turnStopping.length > 0,
      stopsLeft: turn.stops < maxStops,
    })
    if (next === 'limit') {
      turn.reason = limit ?? { kind: 'limit', which: 'stops', used: turn.stops, allowed: maxStops }
    }
    if (next !== 'admit') return next
    turn.boundary = newBoundary()
    return admissionNext(core, turn) as ContinueNext
  }

  askContinuation(to: Receiver<TurnEvents>): void {
    const { core, turn } = this
    const owes = this.owes
    const question = { ...gateAt(core, turn, turn.step), owes }
    core.ask(
      'gate',
      () =>
        waterfall(
          core.settings.gates.continuation,
          question,
          () => 'default' as const,
          (answer, gate) => {
            if (answer !== 'default') turn.decidedBy = gate.name === '' ? 'continuation' : gate.name
            return answer
          },
        ),
      (answer) => {
        this.decide(to, answer)
      },
      (error) => {
        this.failGate(to, 'continuation.answered', error)
      },
    )
  }

  private decide(to: Receiver<TurnEvents>, answer: unknown): void {
    const { turn } = this
    try {
      turn.decision = parseContinuation(answer)
    } catch (error) {
      this.failGate(to, 'continuation.answered', error)
      return
    }
    const record = deviates(turn.decision, this.owes)
    to.send({ type: 'continuation.answered', next: record ? 'record' : this.continueNext() })
  }

  private get owes(): boolean {
    const { end } = this.turn
    return (end.kind === 'done' && end.owes) || this.core.state.inbox.nextStep.length > 0
  }

  private failGate(
    to: Receiver<TurnEvents>,
    type: 'continuation.answered' | 'stopping.answered',
    error: unknown,
  ): void {
    this.turn.failure = turnFailure(error)
    to.send({ type, next: 'fail' })
  }

  appendDecision(): void {
    const { turn, core } = this
    const { decision } = turn
    if (decision !== 'continue' && decision !== 'stop') return
    const recorded = core.record({
      type: 'gate/decided',
      data: {
        turn: turn.turn,
        step: turn.step,
        gate: 'continuation',
        decision,
        by: turn.decidedBy,
      },
    })
    if (recorded === undefined) turn.end = { kind: 'failed', failure: turnFailure(core.refusal) }
  }

  askStopping(to: Receiver<TurnEvents>): void {
    const { core, turn } = this
    const question = { ...gateAt(core, turn, turn.step), stops: turn.stops }
    core.ask(
      'gate',
      () =>
        waterfall<{ stops: number }, unknown>(
          core.settings.gates.turnStopping as never,
          question,
          () => undefined,
        ),
      () => {
        const pending = core.state.inbox.nextStep.length > 0
        if (pending) turn.stops += 1
        to.send({ type: 'stopping.answered', next: pending ? this.continueNext() : 'close' })
      },
      (error) => {
        this.failGate(to, 'stopping.answered', error)
      },
    )
  }
}

/** How the step ended becomes part of the outcome of the turn; a truncation stays. */
function takeOutcome(turn: TurnRecord): void {
  const { end } = turn
  if (end.kind === 'done' && end.truncated) turn.truncated = true
  else if (end.kind === 'failed') turn.failure = end.failure
  else if (end.kind === 'limit') turn.reason = end.reason
  else if (end.kind === 'blocked') turn.reason = end
}
