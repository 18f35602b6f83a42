/**
 * May this event follow this log? One incremental checker, used by every log on append, by tests and by `doctor`.
 *
 * @module
 */
import type { InboxList, NewEvent } from './event.ts'
import type { CallRef, MessageId, Outcome } from './message.ts'

/** A call of the open step that has no result yet. */
export interface OpenCall {
  readonly call: CallRef
  readonly name: string
  /** Does a `tool/call` exist? */
  readonly called: boolean
  readonly settled?: Outcome
}

/** What is open, pending and committed: the state of the enclosure rules. */
export class Ledger {
  /** Number of the last turn that started; 0 before the first. */
  lastTurn = 0
  openTurn: number | null = null
  /** Number of the last step of the last turn. */
  lastStep = 0
  openStep: number | null = null

  /** The list in which a message is pending. */
  pendingIn(_id: MessageId): InboxList | undefined {
    return undefined
  }
  isCommitted(_id: MessageId): boolean {
    return false
  }
  /** Calls of the open step without a result, in the model's order. */
  openCalls(): readonly OpenCall[] {
    return []
  }
  /** @throws EnclosureError when `event` may not follow; DUPLICATE_ID for an id that is pending or committed. */
  check(_event: NewEvent): void {}
  /** Takes an event that {@link check} has passed. */
  apply(_event: NewEvent): void {}
}
