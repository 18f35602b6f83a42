/**
 * What is done for the turn machine: it records, asks, and says in one word what follows.
 *
 * @module
 */
import type { Receiver, TurnHost } from '../machines/ports.ts'
import type { ClaimNext } from '../machines/turn.gates.ts'
import type { TurnEvents } from '../machines/turn.machine.ts'
import { AdmissionDesk, claimable } from './admission.ts'
import type { CallBatch } from './call-batch.ts'
import { ClosingDesk } from './closing-desk.ts'
import { ContinuationDesk } from './continuation-desk.ts'
import { type Core, SETTLED } from './core.ts'
import { turnFailure } from './failures.ts'
import { closingEvents } from './open-brackets.ts'
import { StepDesk } from './step-desk.ts'
import { newTurn, type TurnRecord } from './turn-record.ts'

/** The host of the turn machine. */
export class TurnDesk implements TurnHost {
  readonly stepHost: StepDesk
  readonly admission: AdmissionDesk
  readonly continuation: ContinuationDesk
  readonly closing: ClosingDesk
  /** The open turn, or the last one. */
  turn: TurnRecord
  /** An injection turn that waits to be opened. */
  injection: TurnRecord['injection']
  private readonly core: Core

  constructor(core: Core) {
    this.core = core
    this.turn = newTurn(0, undefined, 0)
    const turnOf = (): TurnRecord => this.turn
    this.stepHost = new StepDesk(core, turnOf)
    this.admission = new AdmissionDesk(core, turnOf)
    this.continuation = new ContinuationDesk(core, turnOf)
    this.closing = new ClosingDesk(core, turnOf)
  }

  post(to: Receiver<TurnEvents>, make: () => TurnEvents): void {
    this.core.post(to, make)
  }

  hop(to: Receiver<TurnEvents>, make: () => TurnEvents): void {
    this.core.hop(to, make)
  }

  /** Goes on with a turn that an earlier process has left waiting for an approval. */
  adopt(turn: TurnRecord, batch: CallBatch): void {
    this.turn = turn
    this.stepHost.adopt(batch)
  }

  /** Two microtasks later: a caller that awaits once still finds the turn before its step. */
  yieldTo(to: Receiver<TurnEvents>, make: () => TurnEvents): void {
    const { activity } = this.core
    void SETTLED.then(() => {
      this.core.hop(to, make, activity)
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
}
