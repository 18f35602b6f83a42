/**
 * Which windows of the real charts a cancel hits when it is made on a shortest path into each state of the lifecycle
 * model.
 *
 * @module
 */
import type { ActorRefLike, AnyMachineSnapshot } from 'xstate'
import { createAgent } from '../src/actors/agent.ts'
import { lifecycleModel } from '../src/testing/lifecycle/lifecycle-model.ts'
import { pathsOf } from '../src/testing/lifecycle/paths.ts'
import { runPath } from '../src/testing/lifecycle/run-path.ts'
import { leafOf } from '../test/machines/play.ts'

const ABORTS = new Set(['turn.abort', 'step.abort'])

/** The states of the turn and step charts that a cancel met, with the window each of them is. */
export async function windowsHit(): Promise<string[]> {
  const met = new Set<string>()
  const inspect = (actor: ActorRefLike, type: string): void => {
    if (!ABORTS.has(type)) return
    const { value, machine } = actor.getSnapshot() as AnyMachineSnapshot
    const leaf = leafOf(value)
    const node = machine.getStateNodeById(`${machine.id}.${leaf}`)
    if (node.tags.includes('cancel-window')) met.add(`${node.description?.slice(0, 3)} ${leaf}`)
  }
  const first = new Map(
    pathsOf(lifecycleModel, { only: ['abort'] })
      .toReversed()
      .map((path) => [path.from, path]),
  )
  for (const path of first.values()) {
    // eslint-disable-next-line no-await-in-loop -- one path at a time
    await runPath(lifecycleModel, path, {
      agent: ({ options }) =>
        createAgent({
          ...options,
          inspect: (seen) => {
            if (seen.type === '@xstate.event') inspect(seen.actorRef, seen.event.type)
          },
        }),
    })
  }
  return [...met].toSorted()
}
