/**
 * The three charts as data, for whoever draws them: read from the live machines, which it never runs.
 *
 * @module
 */
import type { AnyStateMachine, AnyStateNode } from 'xstate'
import { agentMachine } from '../../machines/agent.machine.ts'
import { stepMachine } from '../../machines/step.machine.ts'
import { turnMachine } from '../../machines/turn.machine.ts'
import { machineMermaid } from '../mermaid.ts'
import type { Chart, ChartState, ChartTransition } from './wire.ts'

/** Agent, turn and step. */
export const charts = (): readonly Chart[] => [
  chartOf('agent', agentMachine),
  chartOf('turn', turnMachine),
  chartOf('step', stepMachine),
]

function chartOf(id: Chart['id'], machine: AnyStateMachine): Chart {
  const nodes = nodesBelow(machine.root)
  return {
    id,
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
