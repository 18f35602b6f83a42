/**
 * What is done for the turn machine: it records, asks, and says in one word what follows.
 *
 * @module
 */
import { RESTORED, restorations } from './restoring.ts'
import type { TurnReason } from '../events/message.ts'
import { parseContinuation } from '../events/parse-decision.ts'
import type { Receiver, TurnHost } from '../machines/ports.ts'
import {
  type AdmissionNext,
  afterStep,
  type ClaimNext,
  type ClosedNext,
  type ContinueNext,
  deviates,
} from '../machines/turn.gates.ts'
import type { TurnEvents } from '../machines/turn.machine.ts'
import { hasWakingWork } from '../projections/inbox.ts'
import {
  admissionNext,
  appendClaim,
  askAssembly,
  askPreStep,
  awaitClaim,
  claimable,
  gateAt,
} from './admission.ts'
import { stepBudget } from './budgets.ts'
import type { Core } from './core.ts'
import { turnFailure } from './failures.ts'
import { insert, type Insertion, lengthOf } from './inbox-desk.ts'
import { closingEvents } from './open-brackets.ts'
import { StepDesk } from './step-desk.ts'
import { newBoundary, newTurn, type TurnRecord } from './turn-record.ts'
import { waterfall } from './waterfall.ts'

/** The host of the turn machine. */
export class TurnDesk implements TurnHost {
  readonly stepHost: StepDesk
  /** The open turn, or the last one. */
  turn: TurnRecord
  /** An injection turn that waits to be opened. */
  injection: TurnRecord['injection']
  private readonly core: Core

  constructor(core: Core) {
    this.core = core
    this.turn = newTurn(0, undefined, 0)
    this.stepHost = new StepDesk(core, () => this.turn)
  }

  post(to: Receiver<TurnEvents>, make: () => TurnEvents): void {
    this.core.post(to, make)
  }

  hop(to: Receiver<TurnEvents>, make: () => TurnEvents): void {
    this.core.hop(to, make)
  }

  /** Two microtasks later: a caller that awaits once still finds the turn before its step. */
  yieldTo(to: Receiver<TurnEvents>, make: () => TurnEvents): void {
    queueMicrotask(() => {
      this.core.hop(to, make)
    })
  }

  appendTurnStart(): void {
    const { core } = this
    const number = core.log.ledger.lastTurn + 1
    this.turn = newTurn(number, this.injection, core.now())
    this.injection = undefined
    const left = closingEvents(core.log.ledger)
    if (left.length > 0 && core.record(left) === undefined) return this.abandon()
    if (core.record({ type: 'turn/start', data: { turn: number } }) === undefined) this.abandon()
  }

  private abandon(): void {
    this.turn.abandoned = true
    this.turn.failure = turnFailure(this.core.refusal)
  }

  claimNext(): ClaimNext {
    if (this.turn.abandoned) return 'refused'
    if (this.turn.injection !== undefined) return 'inject'
    return claimable(this.core, true).length > 0 ? 'claim' : 'empty'
  }

  appendContext(): void {
    const { core, turn } = this
    const message = turn.injection?.message
    if (message === undefined) return
    const recorded = core.record({ type: 'context/message', data: { turn: turn.turn, message } })
    if (recorded === undefined) turn.failure = turnFailure(core.refusal)
  }

  injectedNext(): 'fail' | 'close' {
    return this.turn.failure === undefined ? 'close' : 'fail'
  }

  appendClaim(): void {
    appendClaim(this.core, this.turn)
  }

  claimedNext(): AdmissionNext | 'yield' {
    if (this.turn.boundary.verdict === undefined && this.turn.step === 0) return 'yield'
    return this.admissionNext()
  }

  admissionNext(): AdmissionNext {
    return admissionNext(this.core, this.turn)
  }

  askAssembly(to: Receiver<TurnEvents>): void {
    askAssembly(this.core, this.turn, to)
  }

  awaitClaim(to: Receiver<TurnEvents>): void {
    awaitClaim(this.core, this.turn, to)
  }

  askPreStep(to: Receiver<TurnEvents>): void {
    askPreStep(this.core, this.turn, to)
  }

  prepareStep(): void {
    this.turn.decision = undefined
  }

  continueNext(): ContinueNext {
    const { core, turn } = this
    const { end } = turn
    if (end.kind === 'done' && end.truncated) turn.truncated = true
    if (end.kind === 'failed') turn.failure = end.failure
    if (end.kind === 'limit') turn.reason = end.reason
    if (end.kind === 'blocked') turn.reason = end
    const limit = stepBudget(core.settings, turn)
    const { gates, maxStops } = core.settings
    const next = afterStep({
      end,
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
      data: { turn: turn.turn, step: turn.step, gate: 'continuation', decision, by: turn.decidedBy },
    })
    if (recorded === undefined) turn.end = { kind: 'failed', failure: turnFailure(core.refusal) }
  }

  decidedNext(): ContinueNext {
    return this.continueNext()
  }

  askStopping(to: Receiver<TurnEvents>): void {
    const { core, turn } = this
    const question = { ...gateAt(core, turn, turn.step), stops: turn.stops }
    core.ask(
      'gate',
      () => waterfall<{ stops: number }, unknown>(core.settings.gates.turnStopping as never, question, () => undefined),
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

  sealError(): void {
    const { core, turn } = this
    if (core.activity !== undefined) core.activity.sealed = true
    this.announce(turn.turn, core.log.ledger.lastTurn === turn.turn ? turn.step : 0)
  }

  private announce(turn: number, step: number): void {
    const { failure, announced } = this.turn
    if (failure === undefined || announced) return
    this.turn.announced = true
    this.core.notify({ type: 'error', turn, step, error: { code: failure.code, message: failure.message } })
  }

  appendTurnEnd(): void {
    const { core, turn } = this
    const reason = this.reason()
    const parks = this.parks(reason)
    const uncommitted = [...(core.log.ledger.turn?.claimed ?? [])]
    const recorded = core.record({
      type: 'turn/end',
      data: { turn: turn.turn, reason, uncommitted, ...(parks === undefined ? {} : { parks }) },
    })
    if (recorded === undefined) turn.refusals += 1
    else turn.refusals = 0
  }

  private reason(): TurnReason {
    const { core, turn } = this
    const { activity } = core
    if (turn.announced && turn.failure !== undefined) return { kind: 'error', ...turn.failure }
    if (activity?.cause !== undefined) return { kind: 'aborted', cause: activity.cause }
    if (turn.reason !== undefined) return turn.reason
    return turn.truncated ? { kind: 'max-tokens' } : { kind: 'completed' }
  }

  private parks(reason: TurnReason): 'blocked' | 'error' | 'loop' | undefined {
    const { core, turn } = this
    const { continueAfter, maxBarrenTurns } = core.settings
    if (!hasWakingWork(core.state.inbox)) return undefined
    if (reason.kind === 'blocked' && !continueAfter.blocked) return 'blocked'
    if (reason.kind === 'error' && !continueAfter.error) return 'error'
    const barren = turn.injection === undefined && core.state.progress !== 'request'
    return barren && core.state.barren + 1 >= maxBarrenTurns ? 'loop' : undefined
  }

  closedNext(): ClosedNext {
    const { turn, core } = this
    if (turn.refusals === 0) return this.closed()
    if (turn.refusals > 1) {
      this.abandon()
      return 'abandon'
    }
    if (turn.announced || core.activity?.cause !== undefined) return 'retry'
    turn.failure = turnFailure(core.refusal)
    return 'error'
  }

  private closed(): ClosedNext {
    const { core, turn } = this
    const restores = core.activity?.restoreClaimed === true && turn.step === 0
    if (restores) turn.restore = turn.claimed.map(({ entry }) => entry.message.id)
    core.activity = undefined
    return turn.restore.length > 0 || this.lostInjection ? 'restore' : 'done'
  }

  /** An injection turn was cut before its message was committed: the message waits as ordinary context. */
  private get lostInjection(): boolean {
    const id = this.turn.injection?.message.id
    return id !== undefined && !this.core.log.ledger.isCommitted(id)
  }

  appendRestored(): void {
    const { turn } = this
    if (this.lostInjection) this.keepInjection()
    for (const insertion of restorations(turn)) this.restore(insertion)
  }

  private restore(insertion: Omit<Insertion, 'actor'>): void {
    try {
      insert(this.core, { ...insertion, actor: RESTORED })
    } catch (error) {
      this.core.diagnose('append', error)
    }
  }

  private keepInjection(): void {
    const { injection } = this.turn
    if (injection === undefined) return
    const index = lengthOf(this.core, 'next-step')
    this.restore({ target: 'next-step', index, message: injection.message, wake: false })
  }

  /** The log refused to open or to close the turn: nothing was claimed, or the turn stays open until the log heals. */
  reportAbandoned(): void {
    const { core, turn } = this
    core.activity = undefined
    core.parkLive('log')
    const open = core.log.ledger.openTurn === turn.turn
    this.announce(open ? turn.turn : 0, open ? turn.step : 0)
  }
}
