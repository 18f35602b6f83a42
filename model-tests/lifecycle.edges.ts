/**
 * Every edge of the lifecycle model with a shortest path to it.
 *
 * @module
 */
import type { AnyMachineSnapshot, AnyStateMachine } from 'xstate'
import { explore } from './graph.ts'
import { ANSWERS, COMMANDS, type LifecycleEvent } from './lifecycle.words.ts'

export interface Edge {
  /** State of the model in which it starts. */
  readonly from: string
  /** Events from the start of the agent, the edge last. */
  readonly path: readonly LifecycleEvent[]
}

const key = ({ value, context }: AnyMachineSnapshot): string => JSON.stringify([value, context])

/** The edges of `model`, those that change nothing included. */
export function edgesOf(model: AnyStateMachine): Edge[] {
  const events = [...COMMANDS, ...ANSWERS].map((type) => ({ type }))
  const { adjacency, paths } = explore(model, events, key)
  return adjacency.flatMap(({ state, transitions }) => {
    const to = paths.get(key(state)) ?? []
    const known = new Set(ownEvents(state))
    return Object.values(transitions)
      .map(({ event }) => event.type as LifecycleEvent)
      .filter((type) => known.has(type) && (state.can({ type }) || isNoop(state, type)))
      .map((type) => ({
        from: String(state.value),
        path: [...to.map((sent) => sent.type as LifecycleEvent), type],
      }))
  })
}

const nodesIn = (state: AnyMachineSnapshot): AnyStateMachine['root'][] =>
  // eslint-disable-next-line no-underscore-dangle -- XState's name
  (state as unknown as { _nodes: AnyStateMachine['root'][] })._nodes

/** Events that the state names. */
const ownEvents = (state: AnyMachineSnapshot): string[] =>
  nodesIn(state).flatMap((node) => [...node.transitions.keys()])

/** The state names the event and says that nothing follows from it. */
const isNoop = (state: AnyMachineSnapshot, type: string): boolean =>
  nodesIn(state).some((node) =>
    (node.transitions.get(type) ?? []).some(
      ({ guard, target, actions }) =>
        guard === undefined && target === undefined && actions.length === 0,
    ),
  )
