/**
 * The end of a turn: the sealed error, `turn/end`, what goes back to the inbox, and what a refusing log leaves behind.
 *
 * @module
 */
import type { TurnReason } from '../events/message.ts'
import type { ClosingHost } from '../machines/ports.ts'
import type { ClosedNext } from '../machines/turn.gates.ts'
import { hasWakingWork } from '../projections/inbox.ts'
import type { Core } from './core.ts'
import { turnFailure } from './failures.ts'
import { insert, type Insertion, lengthOf } from './inbox-desk.ts'
import { RESTORED, restorations } from './restoring.ts'
import type { TurnRecord } from './turn-record.ts'

/** The host of the closing part of a turn. */
export class ClosingDesk implements ClosingHost {
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

  sealError(): void {
    const { core, turn } = this
    if (core.activity !== undefined) core.activity.sealed = true
    this.announce(turn.turn, core.log.ledger.lastTurn === turn.turn ? turn.step : 0)
  }

  private announce(turn: number, step: number): void {
    const { failure, announced } = this.turn
    if (failure === undefined || announced) return
    this.turn.announced = true
    this.core.notify({
      type: 'error',
      turn,
      step,
      error: { code: failure.code, message: failure.message },
    })
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

  /** The policy that holds back what would go on by itself. */
  private parks({ kind }: TurnReason): 'blocked' | 'error' | 'loop' | undefined {
    const { continueAfter } = this.core.settings
    if (!hasWakingWork(this.core.state.inbox)) return undefined
    if ((kind === 'blocked' || kind === 'error') && !continueAfter[kind]) return kind
    return this.isBarrenLoop ? 'loop' : undefined
  }

  /** Is this one turn too many without a model request? */
  private get isBarrenLoop(): boolean {
    const { state, settings } = this.core
    if (this.turn.injection !== undefined || state.progress === 'request') return false
    return state.barren + 1 >= settings.maxBarrenTurns
  }

  closedNext(): ClosedNext {
    const { turn, core } = this
    if (turn.refusals === 0) return this.closed()
    if (turn.refusals > 1) {
      turn.abandoned = true
      turn.failure = turnFailure(core.refusal)
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
