/**
 * The three charts in one picture: the states of an ordinary run and the ways between them, from the machines themselves.
 *
 * L1 A way stands for every path of the machine that passes no other shown state. Ways that an abort takes are left out
 *    (states in which one may arrive are marked), and so is a way that other shown ways already lead. The chart above
 *    begins a chart anew; that is no way of its own.
 * L2 What a state records or asks is read from its entry actions.
 *
 * @module
 */
import type { AnyStateMachine, AnyStateNode } from 'xstate'
import { agentMachine } from '../machines/agent.machine.ts'
import { stepMachine } from '../machines/step.machine.ts'
import { turnMachine } from '../machines/turn.machine.ts'

/** A state of the picture. */
export interface LifecycleState {
  readonly name: string
  /** What it records or asks, in a few words; empty where it does neither. */
  readonly does: string
  /** It is, or holds, a window in which a cancel has its own way out. */
  readonly window: boolean
}

/** A way from one state of the picture to another. */
export interface LifecycleWay {
  readonly from: string
  readonly to: string
}

/** One chart of the picture. */
export interface LifecycleChart {
  readonly id: 'agent' | 'turn' | 'step'
  /** The first one is the first to be entered. */
  readonly states: readonly LifecycleState[]
  readonly ways: readonly LifecycleWay[]
}

/** States of an ordinary run, in its order. The turn runs in `running`, the step in `stepping`. */
const SHOWN = {
  agent: ['idle', 'running', 'disposing', 'disposed', 'maintenance'],
  turn: ['opening', 'claiming', 'gating', 'stepping', 'continuing', 'stopping', 'closing'],
  step: ['opening', 'streaming', 'backingOff', 'noting', 'committing', 'calling', 'closing'],
} as const

/** An abort, or the order of the chart above to begin anew. */
const LEFT_OUT = /\.(?:abort|cancel|open)$/

/** Agent, turn and step, outermost first. */
export const lifecycleCharts = (): readonly LifecycleChart[] => [
  chartOf('agent', agentMachine),
  chartOf('turn', turnMachine),
  chartOf('step', stepMachine),
]

function chartOf(id: LifecycleChart['id'], machine: AnyStateMachine): LifecycleChart {
  const names: readonly string[] = SHOWN[id]
  const nodes = nodesOf(machine.root)
  const states = names.map((name) => {
    const node = nodes.find((each) => shownName(each, names) === name)
    if (node === undefined) throw new Error(`expected a state ${name} in the chart ${id}`)
    return stateOf(node, name)
  })
  return { id, states, ways: reduced(waysOf(nodes, names), names) }
}

const nodesOf = (node: AnyStateNode): AnyStateNode[] =>
  Object.values(node.states).flatMap((child) => [child, ...nodesOf(child)])

const isLeaf = (node: AnyStateNode): boolean => Object.keys(node.states).length === 0

/** The outermost state around `node` that is shown. */
function shownName(node: AnyStateNode, names: readonly string[]): string | undefined {
  const above = node.parent === undefined ? undefined : shownName(node.parent, names)
  return above ?? (node.parent !== undefined && names.includes(node.key) ? node.key : undefined)
}

function stateOf(node: AnyStateNode, name: string): LifecycleState {
  const inside = [node, ...nodesOf(node)] as const
  return {
    name,
    does: doneIn(inside),
    window: inside.some(({ tags }) => tags.includes('cancel-window')),
  }
}

/** The first and the last event that is recorded inside; otherwise what the state itself asks or starts. */
function doneIn([node, ...below]: readonly [AnyStateNode, ...AnyStateNode[]]): string {
  const entries = [node, ...below].flatMap(({ entry }) => entry).map(nameOf)
  const recorded = entries.flatMap((name) => /^append (\w+\/\w+)/.exec(name)?.[1] ?? [])
  const [first] = recorded
  const last = recorded.findLast((event) => first?.split('/')[0] === event.split('/')[0])
  if (first !== undefined) return first === last ? first : `${first}, ${last}`
  const acts = node.entry.flatMap((action) => /^(?:ask|start) (.+)/.exec(nameOf(action))?.[1] ?? [])
  return acts.find((act) => act !== node.key) ?? ''
}

const nameOf = (action: unknown): string =>
  typeof action === 'string' ? action : ((action as { readonly type?: string }).type ?? '')

/** Leaves that are entered from `leaf` by itself. */
function nextOf(leaf: AnyStateNode): AnyStateNode[] {
  const found: AnyStateNode[] = []
  for (let node: AnyStateNode | undefined = leaf; node !== undefined; node = node.parent) {
    for (const [event, list] of node.transitions) {
      if (!LEFT_OUT.test(event))
        found.push(...list.flatMap(({ target }) => target ?? []).map(resting))
    }
  }
  return found
}

function resting(node: AnyStateNode): AnyStateNode {
  const [first] = isLeaf(node) ? [] : (node.initial.target ?? [])
  return first === undefined ? node : resting(first)
}

/** From each shown state to the shown states that can be next. */
function waysOf(
  nodes: readonly AnyStateNode[],
  names: readonly string[],
): Map<string, Set<string>> {
  const ways = new Map(names.map((name) => [name, new Set<string>()]))
  for (const leaf of nodes.filter(isLeaf)) {
    const from = shownName(leaf, names)
    if (from !== undefined) for (const to of reachedFrom(leaf, names)) ways.get(from)?.add(to)
  }
  return ways
}

function reachedFrom(leaf: AnyStateNode, names: readonly string[]): Set<string> {
  const reached = new Set<string>()
  const seen = new Set<AnyStateNode>()
  const left = nextOf(leaf)
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    const name = shownName(node, names)
    if (name !== undefined) reached.add(name)
    else if (!seen.has(node)) left.push(...nextOf(node))
    seen.add(node)
  }
  return reached
}

/** Leaves out ways that others lead: forwards those with a way around, backwards those behind the farthest one. */
function reduced(
  ways: ReadonlyMap<string, ReadonlySet<string>>,
  names: readonly string[],
): LifecycleWay[] {
  const place = (name: string): number => names.indexOf(name)
  const isForward = (from: string, to: string): boolean => place(to) > place(from)
  const ahead = (from: string): string[] =>
    [...(ways.get(from) ?? [])].filter((to) => isForward(from, to))
  const leads = (from: string, to: string): boolean =>
    ahead(from).some((next) => next === to || leads(next, to))
  return names.flatMap((from) => {
    const forward = ahead(from).filter((to) => !ahead(from).some((next) => leads(next, to)))
    const back = [...(ways.get(from) ?? [])].filter((to) => place(to) < place(from))
    const [farthest] = back.toSorted((a, b) => place(a) - place(b))
    return [...forward, ...(farthest === undefined ? [] : [farthest])].map((to) => ({ from, to }))
  })
}

/** What runs inside a state of the chart above. */
const INSIDE: { readonly [name: string]: LifecycleChart['id'] } = {
  running: 'turn',
  stepping: 'step',
}

/** The picture as a Mermaid diagram, the charts inside each other. */
export function lifecycleMermaid(): string {
  const charts = new Map(lifecycleCharts().map((chart) => [chart.id, chart]))
  const windows = [...charts.values()].flatMap(({ id, states }) =>
    states.filter(({ window }) => window).map(({ name }) => `${id}_${name}`),
  )
  return [
    'stateDiagram-v2',
    ...linesOf('agent', charts, '  '),
    '  classDef window stroke-dasharray: 4 3',
    `  class ${windows.join(', ')} window`,
  ].join('\n')
}

function linesOf(
  id: LifecycleChart['id'],
  charts: ReadonlyMap<string, LifecycleChart>,
  indent: string,
): string[] {
  const { states, ways } = charts.get(id) ?? { states: [], ways: [] }
  const [first] = states
  const ended = states.filter(({ name }) => !ways.some(({ from }) => from === name))
  return [
    ...states.flatMap(({ name, does }) => stateLines(`${id}_${name}`, name, does, charts)),
    `[*] --> ${id}_${first?.name}`,
    ...ways.map(({ from, to }) => `${id}_${from} --> ${id}_${to}`),
    ...ended.map(({ name }) => `${id}_${name} --> [*]`),
  ].map((line) => indent + line)
}

function stateLines(
  id: string,
  name: string,
  does: string,
  charts: ReadonlyMap<string, LifecycleChart>,
): string[] {
  const inside = INSIDE[name]
  if (inside !== undefined) {
    return [`state "${name}" as ${id} {`, ...linesOf(inside, charts, '  '), '}']
  }
  return [`state "${name}" as ${id}`, ...(does === '' ? [] : [`${id} : ${does}`])]
}
