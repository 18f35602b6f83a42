/**
 * What a chart can do, read from its definition: every transition from every state it can rest in, with all that it
 * performs on the way.
 *
 * It runs nothing. Which states are left and entered follows XState: exits from the inside out, actions of the
 * transition, entries from the outside in, down to the state in which the machine rests again.
 *
 * @module
 */
import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate'

/** One transition from one resting state. */
export interface Move {
  readonly from: AnyStateNode
  readonly event: string
  readonly acts: readonly Act[]
}

/** Something a move performs: a named action, or the start of a child. */
export type Act =
  | { readonly kind: 'action'; readonly name: string }
  | { readonly kind: 'invoke'; readonly src: string; readonly machine: AnyStateMachine | undefined }

/** Every state of `machine`, the root first. */
export function nodesOf(machine: AnyStateMachine): AnyStateNode[] {
  const below = (node: AnyStateNode): AnyStateNode[] => [
    node,
    ...Object.values(node.states).flatMap(below),
  ]
  return below(machine.root)
}

/** Transitions that stand in `node` itself. */
export const transitionsOf = (node: AnyStateNode): AnyTransitionDefinition[] =>
  [...node.transitions.values()].flat()

/** How a state is called in a finding. */
export const nameOf = (node: AnyStateNode): string => node.path.join('.') || node.id

/** Name of an action or guard as it stands in the chart; empty where plain code stands there instead. */
export function refName(ref: unknown): string {
  if (typeof ref === 'string') return ref
  const named = (typeof ref === 'object' || typeof ref === 'function') && ref !== null
  return named && 'type' in ref && typeof ref.type === 'string' ? ref.type : ''
}

const actions = (refs: readonly unknown[]): Act[] =>
  refs.map((ref) => ({ kind: 'action', name: refName(ref) }))

function invokesOf(machine: AnyStateMachine, node: AnyStateNode): Act[] {
  return node.invoke.map(({ src }) => {
    const name = typeof src === 'string' ? src : refName(src)
    const logic: unknown = machine.implementations.actors[name]
    const isMachine = typeof logic === 'object' && logic !== null && 'root' in logic
    return {
      kind: 'invoke',
      src: name,
      machine: isMachine ? (logic as AnyStateMachine) : undefined,
    }
  })
}

/** From the state itself up to the root. */
function pathOf(node: AnyStateNode): AnyStateNode[] {
  const path = [node]
  for (let at = node.parent; at !== undefined; at = at.parent) path.push(at)
  return path
}

const isWithin = (node: AnyStateNode, of: AnyStateNode): boolean => pathOf(node).includes(of)

/** From `node` down through initial states, with the actions of the initial transitions. */
function descent(machine: AnyStateMachine, node: AnyStateNode): Act[] {
  const own = [...actions(node.entry), ...invokesOf(machine, node)]
  const { initial, states } = node
  const first = Object.keys(states).length === 0 ? undefined : initial.target?.[0]
  if (first === undefined) return own
  return [...own, ...actions(initial.actions), ...descent(machine, first)]
}

/** What the machine performs when it starts. */
export const startOf = (machine: AnyStateMachine): Act[] => descent(machine, machine.root)

/** The state that stays active all through `transition`. */
function domainOf({ source, target, reenter }: AnyTransitionDefinition): AnyStateNode | undefined {
  const to = target?.[0]
  if (to === undefined) return undefined
  if (!reenter && isWithin(to, source)) return source
  return pathOf(source)
    .slice(1)
    .find((node) => node !== to && isWithin(to, node))
}

function actsOf(
  machine: AnyStateMachine,
  from: AnyStateNode,
  transition: AnyTransitionDefinition,
): Act[] {
  const to = transition.target?.[0]
  const own = actions(transition.actions)
  if (to === undefined) return own
  const domain = domainOf(transition)
  const below = (node: AnyStateNode): boolean => domain === undefined || !isWithin(domain, node)
  const left = pathOf(from).filter((node) => node !== domain && below(node))
  const entered = pathOf(to)
    .filter((node) => node !== domain && below(node))
    .toReversed()
  const on = entered
    .slice(0, -1)
    .flatMap((node) => [...actions(node.entry), ...invokesOf(machine, node)])
  // The target itself stays where it is its own domain: only what is below it starts again.
  const last =
    entered.length === 0 ? descent(machine, to).slice(to.entry.length) : descent(machine, to)
  return [...left.flatMap((node) => actions(node.exit)), ...own, ...on, ...last]
}

/** Every move of `machine`. */
export function movesOf(machine: AnyStateMachine): Move[] {
  const leaves = nodesOf(machine).filter((node) => Object.keys(node.states).length === 0)
  return leaves.flatMap((from) =>
    pathOf(from).flatMap((node) =>
      transitionsOf(node).map((transition) => ({
        from,
        event: transition.eventType,
        acts: actsOf(machine, from, transition),
      })),
    ),
  )
}

/** Names of the states that `machine` can rest in. */
export const restingStates = (machine: AnyStateMachine): string[] =>
  nodesOf(machine)
    .filter((node) => Object.keys(node.states).length === 0)
    .map(nameOf)
