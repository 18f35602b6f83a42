/**
 * The three charts as data, for whoever draws them: read from the live machines, which it never runs.
 *
 * @module
 */
import type { AnyStateMachine, AnyStateNode } from 'xstate'
import { lifecycleMachines } from '../lifecycle-machines.ts'
import { machineMermaid } from '../mermaid.ts'
import type { Chart, ChartState, ChartTransition } from './wire.ts'

/** Agent, turn and step. */
export const charts = (): readonly Chart[] => lifecycleMachines.map(chartOf)

function chartOf(machine: AnyStateMachine): Chart {
  const nodes = nodesBelow(machine.root)
  return {
    id: machine.id as Chart['id'],
    mermaid: machineMermaid(machine),
    states: nodes.map(stateOf),
    transitions: [machine.root, ...nodes].flatMap(waysOf),
  }
}

const nodesBelow = (node: AnyStateNode): AnyStateNode[] =>
  Object.values(node.states).flatMap((child) => [child, ...nodesBelow(child)])

const pathOf = (node: AnyStateNode): string => node.path.join('.')

function stateOf(node: AnyStateNode): ChartState {
  const { description } = node
  const window = /^W\d\d/.exec(description ?? '')?.[0]
  return {
    path: pathOf(node),
    tags: node.tags,
    ...(window !== undefined && { window }),
    ...(description !== undefined && { description }),
    compound: Object.keys(node.states).length > 0,
    initial: node.parent?.initial.target?.includes(node) === true,
    final: node.type === 'final',
  }
}

function waysOf(node: AnyStateNode): ChartTransition[] {
  return [...node.transitions].flatMap(([event, list]) =>
    list.flatMap(({ target, guard }) =>
      (target ?? []).map((to) => ({
        from: pathOf(node),
        event,
        to: pathOf(to),
        ...(typeof guard === 'string' && { guard }),
      })),
    ),
  )
}
