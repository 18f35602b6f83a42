/**
 * Draws a machine as a Mermaid state diagram, from the machine itself, so that the picture cannot drift.
 *
 * Nested states are drawn side by side under their full names, because Mermaid draws no edge between the insides of two
 * states. Where several states choose among the same ways, they lead into one choice. It never runs the machine.
 *
 * @module
 */
import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate'

export interface MermaidOptions {
  /** Tag whose states are drawn with a dashed border. Default `cancel-window`. */
  readonly mark?: string
}

/** From one state, on one event: where it may lead, first match first. */
interface Fork {
  readonly from: string
  readonly event: string
  readonly ways: readonly Way[]
}
interface Way {
  readonly to: string
  readonly guard: string
}

/** As many ways make a choice of their own worth drawing. */
const MANY = 3

/** Mermaid's ids hold letters, digits and underscores. */
const idOf = (node: AnyStateNode): string => node.path.join('_').replaceAll(/\W/g, '_')

const isLeaf = (node: AnyStateNode): boolean => Object.keys(node.states).length === 0

const leavesOf = (node: AnyStateNode): AnyStateNode[] =>
  isLeaf(node) ? [node] : Object.values(node.states).flatMap(leavesOf)

const nodesOf = (node: AnyStateNode): AnyStateNode[] => [
  node,
  ...Object.values(node.states).flatMap(nodesOf),
]

/** The state in which entering `node` ends. */
function restingIn(node: AnyStateNode): AnyStateNode {
  const [first] = isLeaf(node) ? [] : (node.initial.target ?? [])
  return first === undefined ? node : restingIn(first)
}

const guardOf = ({ guard }: AnyTransitionDefinition): string => {
  if (guard === undefined) return ''
  return typeof guard === 'string' ? guard : 'type' in guard ? guard.type : 'guard'
}

const wayOf = (transition: AnyTransitionDefinition): Way[] =>
  (transition.target ?? []).map((to) => ({ to: idOf(restingIn(to)), guard: guardOf(transition) }))

/** A final state is left by nothing; a transition without a target leads nowhere. */
function forksOf(node: AnyStateNode): Fork[] {
  const lists = new Map(node.transitions)
  if (node.always !== undefined) lists.set('always', node.always)
  return leavesOf(node)
    .filter(({ type }) => type !== 'final')
    .flatMap((leaf) =>
      [...lists].map(([event, list]) => ({ from: idOf(leaf), event, ways: list.flatMap(wayOf) })),
    )
    .filter(({ ways }) => ways.length > 0)
}

/** Ids of the choices that several forks share, by their ways. */
function choicesAmong(forks: readonly Fork[]): Map<string, { id: string; ways: readonly Way[] }> {
  const many = forks.filter(({ ways }) => ways.length >= MANY)
  const shared = many.filter((fork, i) => many.findIndex((other) => sameWays(fork, other)) < i)
  const choices = new Map<string, { id: string; ways: readonly Way[] }>()
  for (const { ways } of shared) {
    const key = keyOf(ways)
    if (!choices.has(key)) choices.set(key, { id: `choice${choices.size + 1}`, ways })
  }
  return choices
}

const keyOf = (ways: readonly Way[]): string => JSON.stringify(ways)
const sameWays = (a: Fork, b: Fork): boolean => keyOf(a.ways) === keyOf(b.ways)

/** One edge for each pair of states, with everything that leads from one to the other. */
function edges(pairs: readonly (readonly [from: string, to: string, label: string])[]): string[] {
  const labels = new Map<string, string[]>()
  for (const [from, to, label] of pairs) {
    const pair = `${from} --> ${to}`
    labels.set(pair, [...(labels.get(pair) ?? []), label])
  }
  // A colon would end the label early.
  return [...labels].map(([pair, all]) => `${pair}: ${all.join(', ').replaceAll(':', ' ')}`)
}

function linesOf(forks: readonly Fork[]): string[] {
  const choices = choicesAmong(forks)
  const direct = forks.flatMap(({ from, event, ways }) => {
    const choice = choices.get(keyOf(ways))
    if (choice !== undefined) return [[from, choice.id, event] as const]
    return ways.map(
      ({ to, guard }) => [from, to, guard === '' ? event : `${event} [${guard}]`] as const,
    )
  })
  const chosen = [...choices.values()].flatMap(({ id, ways }) =>
    ways.map(({ to, guard }) => [id, to, guard === '' ? 'otherwise' : guard] as const),
  )
  const declared = [...choices.values()].map(({ id }) => `state ${id} <<choice>>`)
  return [...declared, ...edges([...direct, ...chosen])]
}

/** The diagram as text: one state and one edge a line, in the order of the definition. */
export function machineMermaid(machine: AnyStateMachine, options: MermaidOptions = {}): string {
  const { mark = 'cancel-window' } = options
  const leaves = leavesOf(machine.root)
  const marked = leaves.filter(({ tags }) => tags.includes(mark)).map(idOf)
  const lines = [
    ...leaves.map((node) => `state "${node.path.join('.')}" as ${idOf(node)}`),
    `[*] --> ${idOf(restingIn(machine.root))}`,
    ...linesOf(nodesOf(machine.root).flatMap(forksOf)),
    ...leaves.filter(({ type }) => type === 'final').map((node) => `${idOf(node)} --> [*]`),
    ...(marked.length === 0
      ? []
      : ['classDef marked stroke-dasharray: 4 3', `class ${marked.join(', ')} marked`]),
  ]
  return ['stateDiagram-v2', ...lines.map((line) => `  ${line}`)].join('\n')
}
