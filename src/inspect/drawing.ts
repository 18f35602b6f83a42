/**
 * A machine as something that can be drawn: the states it can rest in, and every way between two of them.
 *
 * Nested states stand side by side under their full names, because few languages draw an edge between the insides of two
 * states. Where several states choose among the same ways, they lead into one choice. It never runs the machine.
 *
 * @module
 */
import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate'

/** A state that the machine can rest in. */
export interface DrawnState {
  /** Letters, digits and underscores. */
  readonly id: string
  /** Names of the state and those around it, joined by dots. */
  readonly name: string
  readonly tags: readonly string[]
  readonly final: boolean
}

/** What leads from one state, or choice, to another. */
export interface DrawnEdge {
  readonly from: string
  readonly to: string
  /** Events with their guards, or guards alone behind a choice. */
  readonly labels: readonly string[]
}

/** What is to be drawn, in the order of the definition. */
export interface Drawing {
  readonly id: string
  readonly states: readonly DrawnState[]
  readonly initial: string
  /** Ids of the choices. */
  readonly choices: readonly string[]
  readonly edges: readonly DrawnEdge[]
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
function edgesOf(
  pairs: readonly (readonly [from: string, to: string, label: string])[],
): DrawnEdge[] {
  const edges = new Map<string, DrawnEdge & { readonly labels: string[] }>()
  for (const [from, to, label] of pairs) {
    const edge = edges.get(`${from} ${to}`) ?? { from, to, labels: [] }
    edge.labels.push(label)
    edges.set(`${from} ${to}`, edge)
  }
  return [...edges.values()]
}

/** Reads a machine. */
export function drawingOf(machine: AnyStateMachine): Drawing {
  const forks = nodesOf(machine.root).flatMap(forksOf)
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
  return {
    id: machine.id,
    states: leavesOf(machine.root).map((node) => ({
      id: idOf(node),
      name: node.path.join('.'),
      tags: node.tags,
      final: node.type === 'final',
    })),
    initial: idOf(restingIn(machine.root)),
    choices: [...choices.values()].map(({ id }) => id),
    edges: edgesOf([...direct, ...chosen]),
  }
}
