/**
 * What agents are made on behalf of: a factory, a scope, a parent, the registry itself. When it ends, they end first.
 *
 * D1 From the moment it ends nothing can be added: what is being created is given up and rolled back.
 * D2 It has ended only when all of that has settled.
 *
 * @module
 */
import type { Agent } from '../actors/agent-handle.ts'
import { runOutside } from '../actors/initiator.ts'

/** Agents that end together. */
export class Household {
  private readonly ending = new AbortController()
  private readonly creations = new Set<Promise<unknown>>()
  private readonly agents = new Set<Agent>()
  private ended: Promise<void> | undefined

  /** Aborts when it ends, with the reason that creations are refused with. */
  get signal(): AbortSignal {
    return this.ending.signal
  }

  get isEmpty(): boolean {
    return this.creations.size + this.agents.size === 0
  }

  /** Counts a creation in until it has settled. */
  await(creation: Promise<unknown>): void {
    const over = (): void => {
      this.creations.delete(creation)
    }
    this.creations.add(creation)
    creation.then(over, over)
  }

  add(agent: Agent): void {
    this.agents.add(agent)
  }

  drop(agent: Agent): void {
    this.agents.delete(agent)
  }

  /**
   * Ends it: gives creations up, suspends agents, and waits for both.
   *
   * @throws what an agent could not write, after all have ended.
   */
  end(reason: Error): Promise<void> {
    this.ended ??= runOutside(() => this.empty(reason))
    return this.ended
  }

  private async empty(reason: Error): Promise<void> {
    this.ending.abort(reason)
    const failures: unknown[] = []
    while (!this.isEmpty) {
      const agents = [...this.agents]
      const disposals = agents.map((agent) => agent.dispose({ keepInbox: true }))
      const settled = await Promise.allSettled(disposals)
      for (const agent of agents) this.agents.delete(agent)
      failures.push(...settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : [])))
      await Promise.allSettled(this.creations)
    }
    if (failures.length > 1) throw new AggregateError(failures, 'several agents could not be ended')
    if (failures.length === 1) throw failures[0]
  }
}
