/**
 * The graph of one chart: its states, and every event with every word from each of them. Here alone `@xstate/graph` is
 * imported.
 *
 * Actions are left out: what a chart does is held elsewhere; here it is only asked where it can get.
 *
 * @module
 */
import { getAdjacencyMap, getShortestPaths } from '@xstate/graph'
import type { AnyMachineSnapshot, AnyStateMachine } from 'xstate'
import { leafOf } from '../test/machines/play.ts'

/** An event as a graph sends it. */
export interface Sent {
  readonly type: string
  readonly next?: string
}

export interface Edge {
  readonly from: string
  readonly event: Sent
  readonly to: string
}

export interface Graph {
  readonly states: readonly string[]
  /** Transitions that are taken; events that a state does not know are left out. */
  readonly edges: readonly Edge[]
  /** A shortest way to each state. */
  readonly paths: ReadonlyMap<string, readonly Sent[]>
}

/** `machine` with actions that do nothing. */
const stubbed = (machine: AnyStateMachine): AnyStateMachine =>
  machine.provide({
    actions: Object.fromEntries(
      Object.keys(machine.implementations.actions).map((name) => [name, () => {}]),
    ),
  } as never)

/** One state with everything that follows from it. */
export interface Explored {
  readonly state: AnyMachineSnapshot
  readonly transitions: Readonly<Record<string, { event: Sent; state: AnyMachineSnapshot }>>
}
interface Path {
  readonly state: AnyMachineSnapshot
  readonly steps: readonly { readonly event: Sent }[]
}

/** Explores `machine` from its start by `events`; states are the same where `key` says the same. */
export function explore(
  machine: AnyStateMachine,
  events: readonly Sent[],
  key: (state: AnyMachineSnapshot) => string,
): { adjacency: readonly Explored[]; paths: ReadonlyMap<string, readonly Sent[]> } {
  const options = {
    events: events.map((event) => ({ ...event })),
    input: { host: {} },
    serializeState: key,
  } as never
  const adjacency = Object.values(getAdjacencyMap(machine, options)) as unknown as Explored[]
  const shortest = getShortestPaths(machine, options) as unknown as readonly Path[]
  // The first event of a path is the start of the machine itself.
  const paths = shortest.map(
    ({ state, steps }) => [key(state), steps.slice(1).map(({ event }) => event)] as const,
  )
  return { adjacency, paths: new Map(paths) }
}

/** The graph of a chart whose context does not matter. */
export function graphOf(machine: AnyStateMachine, events: readonly Sent[]): Graph {
  const { adjacency, paths } = explore(stubbed(machine), events, ({ value }) => leafOf(value))
  const edges = adjacency.flatMap(({ state: from, transitions }) =>
    Object.values(transitions)
      .filter(({ event }) => from.can(event))
      .map(({ event, state: to }) => ({ from: leafOf(from.value), event, to: leafOf(to.value) })),
  )
  return { states: [...paths.keys()], edges, paths }
}

/** States from which `home` cannot be reached. */
export function strandedFrom({ states, edges }: Graph, home: string): string[] {
  const safe = new Set([home])
  for (let before = 0; before < safe.size;) {
    before = safe.size
    for (const { from, to } of edges) if (safe.has(to)) safe.add(from)
  }
  return states.filter((state) => !safe.has(state))
}
