/**
 * What a model is shown of a session, entry by entry.
 *
 * @module
 */
import type { AssistantMessage, CallRef, Message, Outcome } from './message.ts'

/** The outcome of a call, as the model is shown it; it stands behind the message that holds the call. */
export interface ToolEntry {
  readonly role: 'tool'
  readonly call: CallRef
  readonly name: string
  readonly outcome: Outcome
}

/** One entry of the history, as the model is to see it. */
export type HistoryEntry = Message | AssistantMessage | ToolEntry
