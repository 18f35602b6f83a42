/**
 * What is done for the step machine's own frame: it opens and closes, and owns the grace of a drain.
 *
 * @module
 */
import type { NewEvent, StepAt } from '../events/event.ts'
import type { Receiver, StepHost } from '../machines/ports.ts'
import type { ComposeNext, StepClosedNext } from '../machines/step.gates.ts'
import type { StepEvents } from '../machines/step.events.ts'
import type { CallBatch } from './call-batch.ts'
import { CallsDesk } from './calls-desk.ts'
import { CommitDesk } from './commit-desk.ts'
import type { Core } from './core.ts'
import { turnFailure } from './failures.ts'
import { RecoveryDesk } from './recovery-desk.ts'
import { RequestDesk } from './request-desk.ts'
import type { TurnRecord } from './turn-record.ts'

/** The host of the step machine. */
export class StepDesk implements StepHost {
  readonly request: RequestDesk
  readonly recovery: RecoveryDesk
  readonly commit: CommitDesk
  readonly calls: CallsDesk
  private readonly core: Core
  private readonly turnOf: () => TurnRecord
  private opened: 'yes' | 'refused' | 'broken' = 'yes'
  private refusals = 0
  private dropGrace: (() => void) | undefined

  /** @param turnOf - the open turn. */
  constructor(core: Core, turnOf: () => TurnRecord) {
    this.core = core
    this.turnOf = turnOf
    this.calls = new CallsDesk(core, turnOf)
    this.request = new RequestDesk(core, turnOf)
    this.recovery = new RecoveryDesk(core, turnOf, this.request)
    this.commit = new CommitDesk(core, turnOf, this.request, this.calls)
  }

  /** A step whose turn is left open by a suspension makes no further move. */
  post(to: Receiver<StepEvents>, make: () => StepEvents): void {
    const { core } = this
    const { activity } = core
    core.mailbox.post(() => {
      if (core.activity === activity) to.send(make())
    })
  }

  hop(to: Receiver<StepEvents>, make: () => StepEvents): void {
    this.core.hop(to, make)
  }

  /** `step/start` and its batch are one group. A refused message closes the step; a refused start opens none. */
  appendStepStart(): void {
    const { core } = this
    const turn = this.turnOf()
    const at: StepAt = { turn: turn.turn, step: turn.step + 1 }
    const start: NewEvent = { type: 'step/start', data: at }
    const batch = turn.batch.map((message): NewEvent => ({
      type: 'user/message',
      data: { ...at, message },
    }))
    this.refusals = 0
    this.opened = 'yes'
    turn.end = { kind: 'aborted' }
    this.request.open(at)
    if (core.record([start, ...batch]) !== undefined) {
      turn.step = at.step
      return
    }
    const refused = core.log.refusedAt ?? 0
    turn.end = { kind: 'failed', failure: turnFailure(core.refusal) }
    this.opened = 'refused'
    if (refused === 0 || core.record([start, ...batch.slice(0, refused - 1)]) === undefined) return
    turn.step = at.step
    this.opened = 'broken'
  }

  /** Goes on with a step whose message is committed. */
  adopt(batch: CallBatch): void {
    this.request.open(batch.at)
    this.calls.open(batch)
  }

  composeNext(): ComposeNext {
    if (this.opened === 'refused') return 'refused'
    return this.opened === 'broken' ? 'fail' : this.request.composeNext()
  }

  startGrace(to: Receiver<StepEvents>): void {
    const { drainGraceMs } = this.core.settings
    if (drainGraceMs === Infinity) return
    const { activity } = this.core
    this.dropGrace = this.core.after(drainGraceMs, () => {
      if (this.core.activity === activity) to.send({ type: 'grace.ended' })
    })
  }

  stopGrace(): void {
    this.dropGrace?.()
    this.dropGrace = undefined
  }

  appendStepEnd(): void {
    const { core } = this
    const { turn, step } = this.turnOf()
    this.request.close()
    if (core.record({ type: 'step/end', data: { turn, step } }) === undefined) this.refusals += 1
    else this.refusals = 0
  }

  stepClosedNext(): StepClosedNext {
    if (this.refusals === 0) return 'ended'
    const turn = this.turnOf()
    if (turn.end.kind !== 'aborted') {
      turn.end = { kind: 'failed', failure: turnFailure(this.core.refusal) }
    }
    return this.refusals === 1 ? 'retry' : 'ended'
  }
}
