/**
 * The round that was sent and has not ended: what is known of it, event by event.
 *
 * @module
 */
import type { StoredEvent } from '../../events/event.ts'
import type { MessageId } from '../../events/message.ts'
import type { GoalState } from '../../projections/goal.ts'

/** What became of a reservation: it goes on, somebody took it back, its agent goes. */
export type Fate = 'open' | 'cancelled' | 'disposed'

/** One reserved round. */
export class Reservation {
  readonly id: MessageId
  readonly goal: string
  readonly revision: number
  readonly round: number
  /** The turn that claimed it, or opened for it. */
  turn: number | undefined
  /** Other work was queued behind it before a turn claimed it. */
  overtaken = false
  /** A gate behind the fence let it not enter. */
  rejected: string | undefined
  private claimed = false

  constructor(id: MessageId, { id: goal, revision, started }: GoalState) {
    this.id = id
    this.goal = goal
    this.revision = revision
    this.round = started + 1
  }

  /** Is it still the round that `state` calls for? */
  fits(state: GoalState | null): boolean {
    return (
      !this.overtaken &&
      state?.phase === 'active' &&
      state.id === this.goal &&
      state.revision === this.revision
    )
  }

  /** It goes back to its list: a turn has nothing to do with it any more. */
  giveBack(): void {
    this.turn = undefined
    this.claimed = false
  }

  /**
   * Takes one event in.
   *
   * @param isNext - would a turn that opens now claim it first?
   */
  see(event: StoredEvent, isNext: () => boolean): Fate {
    if (event.type === 'inbox/claimed') this.onClaimed(event)
    else if (event.type === 'inbox/inserted') this.onInserted(event)
    else if (event.type === 'turn/start' && isNext()) this.turn = event.data.turn
    return this.fateIn(event)
  }

  private onClaimed({ data }: StoredEvent<'inbox/claimed'>): void {
    const isClaimed = data.nextTurn.includes(this.id) || data.nextStep.includes(this.id)
    // What a later step of its own turn claims is no news of it.
    if (this.claimed && !isClaimed) return
    this.claimed = isClaimed
    this.turn = isClaimed ? data.turn : undefined
  }

  /** Work of others that waits behind a round nobody has claimed goes first. */
  private onInserted({ data }: StoredEvent<'inbox/inserted'>): void {
    if (this.claimed || data.mark !== undefined || !data.wake) return
    if (data.message.source.kind !== 'goal') this.overtaken = true
  }

  private fateIn(event: StoredEvent): Fate {
    if (event.type === 'inbox/discarded') return this.afterDiscard(event)
    if (event.type === 'cancel/requested') return this.afterCancel(event)
    return event.type === 'inbox/replaced' && event.data.ids.includes(this.id)
      ? 'cancelled'
      : 'open'
  }

  private afterDiscard({ data }: StoredEvent<'inbox/discarded'>): Fate {
    if (!data.ids.includes(this.id)) return 'open'
    return data.reason === 'disposed' ? 'disposed' : 'cancelled'
  }

  /** One that keeps the inbox takes a queued round back too; a round that is claimed ends with its turn. */
  private afterCancel({ data }: StoredEvent<'cancel/requested'>): Fate {
    const hitsTurn = data.turn !== null || this.turn !== undefined
    return hitsTurn || data.cause.kind === 'disposed' ? 'open' : 'cancelled'
  }
}
