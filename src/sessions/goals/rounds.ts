/**
 * What lets a goal go on: it reserves one round after another, at quiescence, while the process is armed.
 *
 * R1 A round is sent only after a checkpoint has succeeded and a second look found everything at rest, as it was.
 * R2 The next round follows from the log, never from how a prompt went; a message id only tells whose turn it was.
 * R3 Whatever goes wrong disarms, and nothing is tried again by itself. Only a cancel of its own round, a cap, and a
 *    round that could not be sent or was not let in, change the goal.
 * R4 What ends a round is judged at the idle that follows it.
 *
 * @module
 */
import type { Agent, LiveNotice } from '../../actors/agent-handle.ts'
import type { ServiceDoor } from '../../actors/service-door.ts'
import { AgentDisposedError, causeChain } from '../../errors.ts'
import type { StoredEvent } from '../../events/event.ts'
import { goal, type GoalState } from '../../projections/goal.ts'
import { fenceOf, type Reservations } from './fence.ts'
import type { Disarmed } from './goal-port.ts'
import { Passes, type PassOwner } from './passes.ts'
import { Reservation } from './reservation.ts'
import { roundEnd, type RoundsOwner, type Verdict } from './round-end.ts'
import { withdrawRounds } from './withdraw-rounds.ts'

/** Actor of everything that a goal service does by itself. */
export const GOAL_ACTOR = 'goal'

/** Rounds in a row that are turned away as stale, before nothing more is tried. */
const MAX_STALE = 25

/** The rounds of one agent. */
export class Rounds implements Reservations, PassOwner {
  readonly agent: Agent
  reservation: Reservation | null = null
  /** Null while armed. */
  disarmed: Disarmed | null = 'never armed'
  private readonly door: ServiceDoor
  private readonly owner: RoundsOwner
  private readonly passes: Passes
  /** What the goal of a round comes to at the next idle. */
  private verdict: { readonly goal: string; readonly of: Verdict } | undefined
  /** The goal it was armed for. */
  private armedFor: string | undefined
  private stale = 0
  /** The turn that the fence has turned away. */
  private turnedAwayIn = 0
  private unloaded = false
  private readonly undos: (() => void)[]
  private readonly atEnd: (() => void)[] = []

  constructor(agent: Agent, door: ServiceDoor, owner: RoundsOwner) {
    this.agent = agent
    this.door = door
    this.owner = owner
    this.passes = new Passes(agent, door, this)
    this.undos = [
      door.gateFirst(fenceOf(this)),
      agent.listen((notice) => {
        this.hear(notice)
      }),
      agent.subscribe({ from: agent.log.length }, (event) => {
        this.see(event)
      }),
    ]
  }

  get state(): GoalState | null {
    return this.agent.read(goal)
  }

  /** Shall another round be sent? */
  get ready(): boolean {
    const { disarmed, reservation, door } = this
    const free = disarmed === null && reservation === null && !door.disposing
    return free && this.state?.phase === 'active'
  }

  failed(why: 'checkpoint' | 'error', error: unknown): void {
    this.disarm(why)
    this.door.diagnose(error)
  }

  get fits(): boolean {
    return this.disarmed === null && this.reservation?.fits(this.state) === true
  }

  arm(): void {
    if (this.unloaded) return
    this.release()
    this.disarmed = null
    this.armedFor = this.state?.id
    this.stale = 0
    this.passes.go()
  }

  disarm(why: Disarmed): void {
    this.disarmed ??= why
  }

  turnedAway(turn: number): void {
    this.turnedAwayIn = turn
  }

  /** No round starts or enters any more. @returns resolves when the one that runs has ended. */
  async unload(): Promise<void> {
    this.unloaded = true
    this.disarmed = 'unloaded'
    const { reservation, agent, door } = this
    if (reservation !== null && reservation.turn !== undefined) {
      const over = new Promise<void>((resolve) => {
        this.atEnd.push(resolve)
      })
      const { turn } = reservation
      if (!door.disposing)
        agent.cancel(
          { kind: 'hook', by: GOAL_ACTOR },
          { turn, keepInbox: true, resume: true, restoreClaimed: true, actor: GOAL_ACTOR },
        )
      await over
    }
    this.withdraw()
    for (const undo of this.undos.splice(0)) undo()
  }

  private hear(notice: LiveNotice): void {
    if (notice.type === 'error') this.disarm('error')
    else if (notice.type === 'agent/disposed') this.close()
    else if (notice.type === 'status' && notice.status === 'idle') this.settle()
    else if (notice.type === 'inserted' && this.unloaded) this.withdraw()
  }

  private close(): void {
    this.disarm('disposed')
    this.reservation = null
    for (const end of this.atEnd.splice(0)) end()
  }

  /** Judges what has ended, and goes on. */
  private settle(): void {
    const { verdict } = this
    this.verdict = undefined
    const isSame = this.state?.id === verdict?.goal
    if (verdict !== undefined && isSame && !this.door.disposing) this.owner.conclude(verdict.of)
    if (this.disarmed !== null) this.release()
    this.passes.go()
  }

  private see(event: StoredEvent): void {
    if (event.type === 'goal/change') this.onChange()
    const { reservation } = this
    const isNext = (): boolean => this.agent.inbox.nextTurn[0]?.message.id === reservation?.id
    const fate = reservation?.see(event, isNext) ?? 'open'
    if (fate !== 'open' && reservation !== null) this.end(fate, reservation)
    if (event.type === 'turn/end') this.onTurnEnd(event)
  }

  /** Another goal has to be armed anew. */
  private onChange(): void {
    const { state, armedFor } = this
    if (state?.phase !== 'active' || state.id !== armedFor) this.disarm('phase')
  }

  private onTurnEnd({ data }: StoredEvent<'turn/end'>): void {
    const { reservation } = this
    const { kind } = data.reason
    if (reservation?.turn === data.turn) this.onRoundEnd(reservation, data)
    else if (kind !== 'completed' && kind !== 'blocked') this.disarm(kind)
    if (reservation?.turn !== data.turn) return
    for (const end of this.atEnd.splice(0)) end()
  }

  private onRoundEnd(reservation: Reservation, data: StoredEvent<'turn/end'>['data']): void {
    const { reason, turn } = data
    this.reservation = null
    this.stale = turn === this.turnedAwayIn ? this.stale + 1 : 0
    if (this.stale >= MAX_STALE) this.disarm('stale')
    if (this.stale > 0) return
    const end = roundEnd(reason, reservation.rejected)
    if (end.kind === 'failed') this.disarm(end.why)
    else if (end.kind === 'rejected')
      this.verdict = {
        goal: reservation.goal,
        of: { phase: 'blocked', code: 'prompt-rejected', reason: end.why },
      }
    else if (end.kind !== 'over') this.end(end.kind, reservation)
  }

  /** Somebody has taken the round back: the goal is paused at the next idle. */
  private end(fate: 'cancelled' | 'disposed', { goal: id }: Reservation): void {
    if (!this.unloaded && fate === 'cancelled') {
      this.verdict = { goal: id, of: { phase: 'paused', code: 'cancelled' } }
      this.settleSoon()
    }
    this.disarm(fate === 'disposed' ? 'disposed' : 'aborted')
    this.withdraw()
    this.reservation = null
  }

  /** A round that waits behind a queue which was parked, or a log that refused its turn, is sent anew once it may be. */
  private release(): void {
    if (this.reservation === null || this.reservation.turn !== undefined) return
    this.reservation = null
    this.withdraw()
  }

  private withdraw(): void {
    withdrawRounds(this.agent, this.door, GOAL_ACTOR)
  }

  /** A round that is taken back while nothing runs has no idle that follows it. */
  private settleSoon(): void {
    const release = this.door.hold()
    void this.door
      .whenCalm()
      .then(() => {
        this.settle()
      })
      .finally(release)
  }

  /** Reserves the next round of the goal, and sends it. */
  send(): void {
    const { agent, owner } = this
    const state = this.state as GoalState
    const round = state.started + 1
    if (round > owner.maxGoalRounds) {
      return owner.conclude({ phase: 'blocked', code: 'round-limit' })
    }
    this.withdraw()
    const content = owner.prompt(state, round)
    const source = { kind: 'goal', goal: state.id, revision: state.revision, round } as const
    const reservation = new Reservation(agent.options.ids?.() ?? crypto.randomUUID(), state)
    this.reservation = reservation
    try {
      agent.followup({ id: reservation.id, content, source }, { actor: GOAL_ACTOR })
    } catch (error) {
      this.reservation = null
      if (error instanceof AgentDisposedError) this.disarm('disposed')
      else owner.conclude({ phase: 'blocked', code: 'queue-failed', reason: causeChain(error) })
    }
  }
}
