/**
 * What a session needs of the version of the protocol that it is driven by: who takes prompts, and who hears of cancels.
 *
 * @module
 */
import type { Agent, AgentStatus } from '../../actors/agent-handle.ts'
import type { StoredEvent } from '../../events/event.ts'
import type { AdmissionOptions } from './admission.ts'
import type { OutputQueue } from './output-queue.ts'
import type { ClientQuestion } from './permission.ts'
import type { Teller, Told } from './told.ts'

/** The client at the other end, in the words of its version. */
export interface Client {
  tell(sessionId: string, told: Told): Promise<void>
  /** @returns the answer as it came. */
  ask(sessionId: string, question: ClientQuestion, signal: AbortSignal): Promise<unknown>
}

/** What a desk works with. */
export interface DeskParts {
  readonly agent: Agent
  readonly queue: OutputQueue<Told>
  readonly teller: Teller
  readonly options: AdmissionOptions
}

/** Takes prompts of one session. */
export interface Desk {
  /** Begins the prompt, before anything is waited for. @returns what its request is answered with. */
  prompt(blocks: readonly unknown[], request: AbortSignal): Promise<object>
  /** The client cancels what it may cancel. */
  cancel(): void
  /** Hears every event of the session, once and in order. */
  see(event: StoredEvent): void
  status(status: AgentStatus): void
  /** Something could not be told. */
  outputFailed(error: unknown): void
  /** The agent ends: nothing that this desk has promised to take back stays behind. */
  ending(): void
  /** Where the session stands now, for a client that has just come. */
  snapshot(): readonly Told[]
}
