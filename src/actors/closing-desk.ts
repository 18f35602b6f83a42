/**
 * The end of a turn: the sealed error, `turn/end`, what goes back to the inbox, and what a refusing log leaves behind.
 *
 * @module
 */
import type { NewEvent } from '../events/event.ts'
import type { TurnReason } from '../events/message.ts'
import type { ClosingHost } from '../machines/ports.ts'
import type { ClosedNext } from '../machines/turn.gates.ts'
import { hasWakingWork } from '../projections/inbox.ts'
import type { ActivityRecord } from './activity.ts'
import type { Core } from './core.ts'
import { turnFailure } from './failures.ts'
import { insert, type Insertion, insertionOf, lengthOf, notifyInserted } from './inbox-desk.ts'
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

  /**
   * `turn/end` and what goes back to the inbox are one group: a cancel of an observer finds it pending, and a crash
   * loses nothing. Where the log refuses an insertion, the turn ends without it. A turn that never opened has no end.
   */
  appendTurnEnd(): void {
    const { core, turn } = this
    if (turn.abandoned) return
    core.activity?.compaction?.cut()
    const back = this.goingBack()
    const end = this.turnEnd(back.some((insertion) => insertion.wake))
    const whole = core.record([end, ...back.map(insertionOf)]) !== undefined
    if (!whole && !this.endsWithout(end)) {
      turn.refusals += 1
      return
    }
    turn.refusals = 0
    turn.left = whole ? [] : back
    // The turn is over: whatever is asked from here on is not aimed at it.
    const { activity } = core
    core.activity = undefined
    if (whole) this.givenBack(back, activity)
  }

  /** Was only an insertion refused? Then the turn ends without it. */
  private endsWithout(end: NewEvent): boolean {
    const { core } = this
    return (core.log.refusedAt ?? 0) > 0 && core.record(end) !== undefined
  }

  private givenBack(back: readonly Insertion[], activity: ActivityRecord | undefined): void {
    const { core, turn } = this
    const holds = activity?.holdsRestored === true && core.state.inbox.parksRestored === null
    if (holds) core.parkLive('cancel', turn.restore)
    for (const insertion of back) notifyInserted(core, insertion)
  }

  /** @param wakes - waking messages go back to the inbox behind it. */
  private turnEnd(wakes: boolean): NewEvent {
    const { core, turn } = this
    const reason = this.reason()
    const parks = wakes || hasWakingWork(core.state.inbox) ? this.parks(reason) : undefined
    const uncommitted = [...(core.log.ledger.turn?.claimed ?? [])]
    return {
      type: 'turn/end',
      data: { turn: turn.turn, reason, uncommitted, ...(parks === undefined ? {} : { parks }) },
    }
  }

  /** Claimed messages that are given back, or the message of an injection turn that was cut before its commit. */
  private goingBack(): Insertion[] {
    const { core, turn } = this
    if (core.activity?.restoreClaimed === true && turn.step === 0) {
      turn.restore = turn.claimed.map(({ entry }) => entry.message.id)
    }
    return [...restorations(turn), ...this.lostInjection()]
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
    if (turn.abandoned) return 'abandon'
    if (turn.refusals === 0) return turn.left.length > 0 ? 'restore' : 'done'
    if (turn.refusals > 1) {
      turn.abandoned = true
      turn.failure = turnFailure(core.refusal)
      return 'abandon'
    }
    if (turn.announced || core.activity?.cause !== undefined) return 'retry'
    turn.failure = turnFailure(core.refusal)
    return 'error'
  }

  /** An injection turn was cut before its message was committed: the message waits as ordinary context. */
  private lostInjection(): Insertion[] {
    const { core } = this
    const message = this.turn.injection?.message
    if (message === undefined || core.log.ledger.isCommitted(message.id)) return []
    const index = lengthOf(core, 'next-step')
    return [{ target: 'next-step', index, message, wake: false, actor: RESTORED }]
  }

  /** One by one: each that the log takes is saved. The lists may have changed since the turn ended. */
  appendRestored(): void {
    const { core, turn } = this
    for (const insertion of turn.left.splice(0)) {
      try {
        const index = Math.min(insertion.index, lengthOf(core, insertion.target))
        insert(core, { ...insertion, index })
      } catch (error) {
        core.diagnose('append', error)
      }
    }
  }

  /** The log refused to open or to close the turn: nothing was claimed, or the turn stays open until the log heals. */
  reportAbandoned(): void {
    const { core, turn } = this
    core.activity = undefined
    core.parkLive('log')
    const open = core.log.ledger.openTurn === turn.turn
    this.announce(open ? turn.turn : 0, open ? turn.step : 0)
    turn.left = this.lostInjection()
    this.appendRestored()
  }
}
