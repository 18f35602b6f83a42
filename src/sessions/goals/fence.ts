/**
 * The gate of a goal service: asked in front of all other `preStep` gates, it looks again when they have answered.
 *
 * F1 A message with the source of a goal enters only as the reserved round, and only while nothing has changed since.
 * F2 What was claimed beside a round that is turned away goes back to its list, wake flags and all.
 * F3 A rewritten round keeps its source: what counts rounds reads it.
 *
 * @module
 */
import type { Agent } from '../../actors/agent-handle.ts'
import type { PreStepDecision } from '../../actors/gates.port.ts'
import type { Message, MessageId, MessageInput } from '../../events/message.ts'
import type { Reservation } from './reservation.ts'

/** What the fence asks whoever reserves rounds. */
export interface Reservations {
  readonly agent: Agent
  readonly reservation: Reservation | null
  /** May the reserved round enter now? */
  readonly fits: boolean
  /** The fence has turned a turn away. */
  turnedAway(turn: number): void
}

/** By whom a turn was turned away. */
export const FENCE = 'goal'

interface Question {
  readonly batch: readonly Message[]
  readonly turn: number
  readonly signal: AbortSignal
}

/** The gate. */
export function fenceOf(rounds: Reservations) {
  return async function goal(
    question: Question,
    next: () => Promise<PreStepDecision>,
  ): Promise<PreStepDecision> {
    const { batch, turn, signal } = question
    const posted = batch.filter(({ source }) => source.kind === 'goal')
    if (posted.length === 0) return next()
    const own = posted.find(({ id }) => id === rounds.reservation?.id)
    if (own === undefined || posted.length > 1) {
      rounds.reservation?.giveBack()
      const forged = posted.filter((message) => message !== own)
      return turnAway(rounds, turn, 'forged', forged)
    }
    if (!rounds.fits) return turnAway(rounds, turn, 'stale', [own])
    const decision = await next()
    // Nobody waits for the answer after an abort: what becomes of the round stands in the end of its turn.
    if (signal.aborted) return decision
    if (!rounds.fits) return turnAway(rounds, turn, 'stale', [own])
    return admit(rounds, own, decision)
  }
}

/** Notes what the gates behind say of the round. */
function admit(
  { reservation }: Reservations,
  own: Message,
  decision: PreStepDecision,
): PreStepDecision {
  if (decision.kind !== 'enter') {
    note(reservation, decision.reason)
    return decision
  }
  const isOwn = (message: MessageInput): boolean =>
    typeof message === 'object' && 'id' in message && message.id === own.id
  if (!decision.messages.some(isOwn)) note(reservation, 'its message was left out')
  const messages = decision.messages.map((message) =>
    message !== own && isOwn(message) ? { ...(message as Message), source: own.source } : message,
  )
  return decision.messages.every((message, i) => message === messages[i])
    ? decision
    : { kind: 'enter', messages }
}

const note = (reservation: Reservation | null, why: string): void => {
  if (reservation !== null) reservation.rejected = why
}

function turnAway(
  rounds: Reservations,
  turn: number,
  why: 'forged' | 'stale',
  dropped: readonly Message[],
): PreStepDecision {
  rounds.turnedAway(turn)
  const gone = new Set<MessageId>(dropped.map(({ id }) => id))
  const claimed = rounds.agent.log.read().findLast(({ type }) => type === 'inbox/claimed')
  const ids = claimed?.type === 'inbox/claimed' ? claimed.data : { nextStep: [], nextTurn: [] }
  const restore = [...ids.nextStep, ...ids.nextTurn].filter((id) => !gone.has(id))
  const reason =
    why === 'forged' ? 'no goal has sent this round' : 'the goal, or the queue, has changed since'
  return { kind: 'reject', by: FENCE, reason, restore }
}
