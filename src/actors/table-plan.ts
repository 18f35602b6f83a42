/**
 * Compiles a chart into its table: for every state it can rest in and every event it knows, what to do in which order.
 *
 * It must not run anything. What the table cannot run is refused here, once, and never misread later.
 *
 * The order of a plan is SCXML's as XState has it: exits from the inside out (each stops its children), actions of
 * the transition, entries from the outside in (actions, children, actions of the initial transition).
 *
 * @module
 */
import { actOf, guardOf, nameOf, spawnsOf } from './table-acts.ts'
import type { Act, ChildLogic, Guard } from './table-acts.ts'
import { refuse, refuseTarget, refuseUnsupported } from './table-limits.ts'
import { nodesOf } from './table-xstate.ts'
import type { Chart, ChartNode, TransitionRef } from './table-xstate.ts'

/** Acts done together, and the children among them, to which the acts before may already send. */
export interface Block {
  readonly acts: readonly Act[]
  readonly spawns: readonly string[]
}

/** What a final state completes: the compound state `of`, or the machine, with its last exits. */
export interface Completion {
  readonly node: ChartNode
  readonly of: ChartNode | undefined
  readonly exits: Block
}

/** What one transition does from one resting state. */
export interface Plan {
  readonly blocks: readonly Block[]
  /** Where it rests afterwards; undefined for a transition without target. */
  readonly leaf: Leaf | undefined
  readonly completion: Completion | undefined
  /** Can it change anything of the snapshot but the state? */
  readonly changes: boolean
}

/** A transition that may be taken, if its guard lets it. */
export interface Candidate {
  readonly node: ChartNode
  readonly guard: Guard | undefined
  /** How the guard is called in an error. */
  readonly guardName: string
  readonly plan: Plan
  /** As inspectors see it. */
  readonly selected: readonly TransitionRef[]
}

/** A state the machine can rest in, with everything about it that never changes. */
export interface Leaf {
  /** From the state itself up to the root. */
  readonly path: readonly ChartNode[]
  readonly nodes: readonly ChartNode[]
  readonly value: unknown
  readonly tags: ReadonlySet<string>
  /** Candidates of each event, the innermost state first. */
  readonly on: ReadonlyMap<string, readonly Candidate[]>
}

/** Everything there is to know about a machine before it runs. */
export interface Table {
  readonly chart: Chart
  readonly leaves: ReadonlyMap<ChartNode, Leaf>
  readonly initial: Plan & { readonly leaf: Leaf }
}

interface Draft extends Leaf {
  readonly on: Map<string, Candidate[]>
}

/**
 * Compiles `chart`.
 *
 * @throws Error naming machine, state and feature, when the chart uses what the table does not run.
 */
export function planTable(chart: Chart, child: ChildLogic): Table {
  const leaves = new Map<ChartNode, Draft>()
  for (const node of allNodes(chart.root)) {
    refuseUnsupported(chart, node)
    if (node.type !== 'compound') leaves.set(node, draftLeaf(chart, node))
  }
  const planner = new Planner(chart, child, leaves)
  for (const leaf of leaves.values()) planner.fill(leaf)
  return { chart, leaves, initial: planner.initial() }
}

/** Turns transitions into plans. */
class Planner {
  readonly #chart: Chart
  readonly #child: ChildLogic
  readonly #leaves: ReadonlyMap<ChartNode, Draft>

  constructor(chart: Chart, child: ChildLogic, leaves: ReadonlyMap<ChartNode, Draft>) {
    this.#chart = chart
    this.#child = child
    this.#leaves = leaves
  }

  initial(): Table['initial'] {
    const leaf = this.#restingIn(this.#chart.root)
    return { ...this.#plan([], leaf.path.toReversed(), new Set(leaf.path), leaf), leaf }
  }

  fill(leaf: Draft): void {
    for (const node of leaf.path) {
      for (const [event, transitions] of node.transitions) {
        const candidates = leaf.on.get(event) ?? []
        leaf.on.set(event, candidates)
        for (const transition of transitions) {
          candidates.push(this.#candidate(leaf, node, transition))
        }
      }
    }
  }

  #candidate(leaf: Draft, node: ChartNode, transition: TransitionRef): Candidate {
    const { guard } = transition
    return {
      node,
      guard: guard === undefined ? undefined : guardOf(this.#chart, node, guard),
      guardName: guard === undefined || typeof guard === 'function' ? '' : `'${nameOf(guard)}' `,
      plan: this.#transition(leaf, node, transition),
      selected: [transition],
    }
  }

  #transition(leaf: Draft, source: ChartNode, { target, actions, reenter }: TransitionRef): Plan {
    const own = actions.map((ref) => actOf(this.#chart, source, ref))
    const to = target?.[0]
    if (to === undefined) return this.#plan(own, [], new Set(), undefined)
    refuseTarget(this.#chart, source, target ?? [], reenter)
    const within = domain(source, to, reenter)
    const exits = leaf.path.filter((node) => isInside(node, within))
    const rest = this.#restingIn(to)
    const enters = rest.path.filter((node) => isInside(node, within)).toReversed()
    // Initial transitions act where the descent begins and below it, never above.
    const descent = new Set(rest.path.slice(0, rest.path.indexOf(to) + 1))
    return this.#plan([...exits.flatMap((node) => this.#exit(node)), ...own], enters, descent, rest)
  }

  #plan(
    before: readonly Act[],
    enters: readonly ChartNode[],
    descent: ReadonlySet<ChartNode>,
    leaf: Leaf | undefined,
  ): Plan {
    const entries = enters.map((node) => ({
      acts: this.#entry(node, descent.has(node)),
      spawns: node.invoke.map(({ id }) => id),
    }))
    const blocks = joined([{ acts: before, spawns: [] }, ...entries])
    const completion = enters.length === 0 ? undefined : this.#completion(leaf?.path ?? [])
    const changes = completion !== undefined || blocks.some(changesSnapshot)
    return { blocks, leaf, completion, changes }
  }

  #completion(path: readonly ChartNode[]): Completion | undefined {
    const [node, parent] = path
    if (node?.type !== 'final') return undefined
    if (parent?.parent !== undefined) return { node, of: parent, exits: { acts: [], spawns: [] } }
    const acts = path.flatMap((each) => each.exit.map((ref) => actOf(this.#chart, each, ref)))
    return { node, of: undefined, exits: { acts, spawns: [] } }
  }

  #restingIn(node: ChartNode): Draft {
    const below = node.type === 'compound' ? node.initial.target[0] : undefined
    if (below !== undefined) return this.#restingIn(below)
    return this.#leaves.get(node) ?? refuse(this.#chart, node, 'a state without an inner one')
  }

  #exit(node: ChartNode): Act[] {
    return [
      ...node.exit.map((ref) => actOf(this.#chart, node, ref)),
      ...node.invoke.map(({ id }): Act => ({ kind: 'stop', child: id })),
    ]
  }

  #entry(node: ChartNode, descends: boolean): Act[] {
    const initial = descends ? node.initial.actions : []
    return [
      ...node.entry.map((ref) => actOf(this.#chart, node, ref)),
      ...spawnsOf(this.#chart, node, this.#child),
      ...initial.map((ref) => actOf(this.#chart, node, ref)),
    ]
  }
}

/** The state that stays active throughout a transition; undefined when even the root is left and entered again. */
function domain(source: ChartNode, target: ChartNode, reenter: boolean): ChartNode | undefined {
  if (!reenter && (target === source || isInside(target, source))) return source
  let at = target.parent
  while (at !== undefined && !isInside(source, at)) at = at.parent
  return at
}

/** Is `node` a proper descendant of `ancestor`? Everything is inside of undefined, as the root is. */
function isInside(node: ChartNode, ancestor: ChartNode | undefined): boolean {
  let at = node.parent
  while (at !== undefined && at !== ancestor) at = at.parent
  return at === ancestor
}

function* allNodes(node: ChartNode): Generator<ChartNode> {
  yield node
  for (const inner of Object.values(node.states)) yield* allNodes(inner)
}

const up = (node: ChartNode): ChartNode[] =>
  node.parent === undefined ? [node] : [node, ...up(node.parent)]

function draftLeaf(chart: Chart, node: ChartNode): Draft {
  const path = up(node)
  const inner = path.slice(0, -1)
  const value = inner.reduce<unknown>(
    (below, { key }) => (below === undefined ? key : { [key]: below }),
    undefined,
  )
  const rest = chart.resolveState({ value: value ?? {}, context: {} })
  return { path, nodes: nodesOf(rest), value: rest.value, tags: rest.tags, on: new Map() }
}

/** Merges neighbours; a block that spawns stands alone, because only its own acts may send to its children. */
function joined(blocks: readonly Block[]): readonly Block[] {
  const result: Block[] = []
  for (const block of blocks) {
    const last = result.at(-1)
    if (block.acts.length === 0) continue
    if (last === undefined || last.spawns.length + block.spawns.length > 0) result.push(block)
    else result[result.length - 1] = { acts: [...last.acts, ...block.acts], spawns: [] }
  }
  return result
}

const changesSnapshot = ({ acts }: Block): boolean =>
  acts.some(({ kind }) => kind !== 'custom' && kind !== 'send')
