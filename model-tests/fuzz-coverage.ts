/**
 * Which windows the cancels of a simulation really hit. Counting only: judging is done by the log.
 *
 * @module
 */
import type { InspectionEvent } from 'xstate'
import type { World } from './fuzz-world.ts'

type Nodes = readonly { readonly description?: string; readonly key: string }[]

/** The active nodes of a snapshot, outermost first: XState's own list, read for counting only. */
const nodesOf = (snapshot: object): Nodes | undefined =>
  (snapshot as { readonly [key: string]: unknown })['_nodes'] as Nodes | undefined

/** An inspector that remembers where turn and step stand. */
export function watchCoverage(world: World): (event: InspectionEvent) => void {
  world.standing.clear()
  return (event) => {
    if (event.type !== '@xstate.snapshot') return
    const nodes = nodesOf(event.snapshot)
    if (nodes !== undefined && 'id' in event.actorRef)
      world.standing.set(String(event.actorRef.id), nodes)
  }
}

/** A cancel was recorded: counts the window it was applied in. */
export function countWindow(world: World, turn: number | null): void {
  const hit = turn === null ? 'late' : 'hit'
  const standing = world.agent.status === 'running' ? standingOf(world) : undefined
  if (standing === undefined) {
    world.count(`window ${hit} at rest`)
    return
  }
  const window = /^W\d\d/.exec(standing.at(-1)?.description ?? '')?.[0] ?? 'W--'
  const path = standing.map((node) => node.key).join('.')
  world.count(`window ${hit} ${window} ${path}`)
}

/** The nodes of the turn, or of its step while one is open. */
function standingOf({ standing }: World): Nodes | undefined {
  const turn = standing.get('turn') as Nodes | undefined
  return turn?.at(-1)?.key === 'stepping' ? (standing.get('step') as Nodes | undefined) : turn
}
