/**
 * Starts the root actor of an agent: from its table, or the stock machine where it is watched, so that an inspector sees
 * every part of it.
 *
 * @module
 */
import { type Actor, createActor, type InspectionEvent } from 'xstate'
import { agentMachine } from '../machines/agent.machine.ts'
import type { AgentDesk } from './agent-desk.ts'
import type { Core } from './core.ts'
import { contained } from './notices.ts'
import { tableLogic } from './table.ts'

/** The cause of everything that ends with the agent. */
export const DISPOSED = Object.freeze({ kind: 'disposed' } as const)

/** @param ended - called when the actor has reached its final state. */
export function startRoot(
  core: Core,
  desk: AgentDesk,
  inspect: ((event: InspectionEvent) => void) | undefined,
  ended: () => void,
): Actor<typeof agentMachine> {
  const options = { id: core.id, input: { host: desk } }
  const actor =
    inspect === undefined
      ? createActor(tableLogic(agentMachine), options)
      : createActor(agentMachine, { ...options, inspect: watching(core, inspect) })
  actor.subscribe({
    error: (error: unknown) => {
      // Unreachable unless an action of ours throws: the signal is the last thing that still reaches the effects.
      core.activity?.cancel.abort(DISPOSED)
      core.diagnose('command', error)
    },
    complete: ended,
  })
  actor.start()
  return actor
}

/** Shows `inspect` every event; what it throws is told. */
const watching =
  (core: Core, inspect: (event: InspectionEvent) => void) =>
  (event: InspectionEvent): void => {
    contained(
      () => {
        inspect(event)
      },
      (error) => {
        core.diagnose('inspect', error)
      },
    )
  }
