/**
 * What services of this library (goals, children) have put into an agent: gates, holds, listeners, endings.
 *
 * It holds lists and decides nothing. The way in is `service-door.ts`.
 *
 * @module
 */
import type { Cause } from '../events/message.ts'
import type { GateLists } from './read-options.ts'

type PreStep = GateLists['preStep'][number]

/** The entries of one agent. */
export class Services {
  /** Asked in front of the agent's own `preStep` gates, the first one installed outermost. */
  preStep: readonly PreStep[] = []
  /** Told of every cancel that is not aimed at a turn of the past, right after the signal was aborted. */
  onCancel: readonly ((cause: Cause) => void)[] = []
  /** What lives inside the agent and ends before it. */
  endings: readonly (() => Promise<void> | undefined)[] = []
  /** Reasons why the agent, although idle, is about to go on. */
  holds = 0

  /** Ends everything that lives inside, all at once. @returns what there is to wait for. */
  end(): readonly Promise<void>[] {
    return this.endings.map((end) => end()).filter((one) => one !== undefined)
  }

  /** Tells of a cancel. Its listeners belong to this library and never throw. */
  cancelled(cause: Cause): void {
    for (const listener of this.onCancel) listener(cause)
  }
}
