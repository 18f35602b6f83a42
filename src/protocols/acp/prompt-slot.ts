/**
 * One prompt of a client, from the moment it takes the slot of its session to the moment it lets go: what has happened to
 * it, and what it is answered with.
 *
 * It is a fold: it sends nothing, waits for nothing, and knows its turn only by the claim of its message.
 *
 * P1 Which turn it belongs to is decided by the last claim that names its message, or the one that took its place.
 * P2 Another turn decides nothing, however it ends.
 * P3 What holds counts in this order: a cancel of the client or the end of its session, an error of its own turn, a failure
 *    of the output, no turn, and only then success.
 *
 * @module
 */
import type { EventMap, StoredEvent } from '../../events/event.ts'
import type { MessageId, TurnReason } from '../../events/message.ts'

/** What a prompt is answered with. */
export type Verdict =
  | { readonly kind: 'stopped'; readonly stopReason: 'end_turn' | 'cancelled' }
  | { readonly kind: 'rejected'; readonly message: string; readonly code: string }

/** Success. */
const END_TURN: Verdict = { kind: 'stopped', stopReason: 'end_turn' }
export const CANCELLED: Verdict = { kind: 'stopped', stopReason: 'cancelled' }

/** One prompt. */
export class PromptSlot {
  private message: MessageId
  /** Aborts the admission when the client cancels. */
  readonly admission = new AbortController()
  /** Was its message handed to the agent? */
  sent = false
  /** Has the client its answer? */
  answered = false
  private cancelled = false
  private disposed = false
  private outputFailure: string | undefined
  private turn: number | undefined
  private reason: TurnReason | undefined

  constructor(id: MessageId) {
    this.message = id
  }

  /** Its message, as it stands now. */
  get id(): MessageId {
    return this.message
  }

  /** Did the client cancel it? */
  get isCancelled(): boolean {
    return this.cancelled
  }

  cancel(): void {
    this.cancelled = true
    this.admission.abort()
  }

  /** The first failure of the output counts. */
  outputFailed(message: string): void {
    this.outputFailure ??= message
  }

  /** The agent is gone. */
  agentDisposed(): void {
    this.disposed = true
  }

  /** Takes in what was recorded. @returns a rejection that need not wait for anything. */
  see({ type, data }: StoredEvent): Verdict | undefined {
    if (type === 'inbox/claimed') this.claimed(data)
    if (type === 'inbox/replaced' && data.ids.includes(this.message))
      this.message = data.messages[0]?.id ?? this.message
    return type === 'turn/end' ? this.turnEnded(data) : undefined
  }

  private turnEnded({ turn, reason }: EventMap['turn/end']): Verdict | undefined {
    if (reason.kind === 'aborted' && reason.cause.kind === 'disposed') this.disposed = true
    if (turn !== this.turn) return undefined
    this.reason = reason
    return reason.kind === 'error' && !this.cancelled ? failed(reason) : undefined
  }

  private claimed({ turn, nextTurn, nextStep }: EventMap['inbox/claimed']): void {
    if (!nextTurn.includes(this.id) && !nextStep.includes(this.id)) return
    this.turn = turn
    this.reason = undefined
  }

  /** What it comes to, at quiescence. */
  get verdict(): Verdict {
    if (this.cancelled || this.disposed) return CANCELLED
    const { turn, outputFailure: message } = this
    const error = turn === undefined ? undefined : errorOf(this.reason)
    if (error !== undefined) return error
    if (message !== undefined) return { kind: 'rejected', message, code: 'UNKNOWN' }
    return turn === undefined ? CANCELLED : END_TURN
  }
}

/** A turn whose end the log refused: nobody knows how it ended, so it did not succeed. */
const UNRECORDED = { message: 'its end could not be recorded', code: 'UNKNOWN' }

function errorOf(reason: TurnReason | undefined): Verdict | undefined {
  if (reason === undefined || reason.kind === 'interrupted') return failed(UNRECORDED)
  return reason.kind === 'error' ? failed(reason) : undefined
}

const failed = ({ message, code }: { message: string; code: string }): Verdict => ({
  kind: 'rejected',
  message: `turn failed: ${message}`,
  code,
})
