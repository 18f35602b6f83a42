/**
 * The explorer: every interleaving of what an agent waits for and what may be commanded, up to a stated bound, on the
 * real agent.
 *
 * X1 The search goes breadth first: the first counterexample of a rule is a shortest one, counted in moves.
 * X2 It is a function of its options: real time only decides where it stops.
 * X3 A state is what `fingerprint` says. What is left out there may hide a breach that only shows by it.
 * X4 A move that changes nothing but a budget leads nowhere new: with less left, less can happen.
 *
 * @module
 */
import { counterexampleOf } from './counterexample.ts'
import { variants } from './moves.ts'
import type { Counterexample, Exploration, ExploreLimits, ExploreOptions, Move } from './options.ts'
import { type Plan, planOf } from './plan.ts'
import { look, type Reached, rejection } from './replay.ts'
import { type Node, States } from './states.ts'

/** States that are expanded together, and runs that share one macrotask. */
const BATCH = 24
const LANES = 96

const LIMITS = {
  maxStates: 10_000,
  maxDepth: Infinity,
  maxMoves: Infinity,
  seconds: Infinity,
  counterexamples: 1,
}

/** One move to make. */
interface Task {
  readonly node: Node | undefined
  readonly path: readonly Move[]
  readonly watch: boolean
}

interface Made extends Task {
  readonly reached: Reached
}

/** One search. */
class Search {
  readonly states = new States()
  readonly counterexamples: Counterexample[] = []
  moves = 0
  private readonly options: ExploreOptions & ExploreLimits
  private readonly limits: typeof LIMITS
  private readonly plan: Plan
  private readonly started = performance.now()
  private readonly rules = new Set<string>()
  private told = 0
  private unheard: unknown[] = []
  /** A state was left as it is because of its depth. */
  private cut = false

  constructor(options: ExploreOptions & ExploreLimits) {
    this.options = options
    this.limits = { ...LIMITS, ...options }
    this.plan = planOf(options)
  }

  get seconds(): number {
    return (performance.now() - this.started) / 1000
  }

  async run(): Promise<Exploration['ended']> {
    const hear = (error: unknown): void => void this.unheard.push(error)
    process.on('unhandledRejection', hear)
    try {
      await this.commit(await this.makeAll([{ node: undefined, path: [], watch: false }]))
      for (;;) {
        const ended = this.ended()
        if (ended !== undefined) return ended
        await this.expand(this.states.take(BATCH))
        this.tell()
      }
    } finally {
      process.off('unhandledRejection', hear)
    }
  }

  private ended(): Exploration['ended'] | undefined {
    const { counterexamples, states, limits } = this
    if (counterexamples.length >= limits.counterexamples) return 'found'
    if (states.left === 0) return this.cut ? 'maxDepth' : 'exhausted'
    if (states.size >= limits.maxStates) return 'maxStates'
    if (this.moves >= limits.maxMoves) return 'maxMoves'
    return this.seconds >= limits.seconds ? 'seconds' : undefined
  }

  private async expand(nodes: readonly Node[]): Promise<void> {
    const { maxDepth } = this.limits
    const plain: Task[] = []
    for (const node of nodes) {
      if (node.depth >= maxDepth) {
        this.cut ||= node.enabled.moves.length > 0
        continue
      }
      const path = this.states.pathTo(node.id)
      const watch = node.enabled.inside.length > 0 || node.enabled.refusals
      for (const move of node.enabled.moves) plain.push({ node, path: [...path, move], watch })
    }
    let made = await this.makeAll(plain)
    while (made.length > 0) {
      await this.commit(made)
      made = await this.makeAll(made.flatMap((each) => this.inside(each)))
    }
  }

  /** The same move again, once for everything more that may happen inside it. */
  private inside({ node, path, watch, reached }: Made): Task[] {
    const move = path.at(-1)
    if (!watch || node === undefined || move === undefined || reached.breaches.length > 0) return []
    const nested = (this.plan.budgets.get('inside') ?? 0) > 1
    return variants(this.plan, node.enabled, move, reached).map((variant) => ({
      node,
      path: path.with(path.length - 1, variant),
      watch: nested && variant.refuse === undefined,
    }))
  }

  /** Makes moves side by side: runs share nothing but the macrotasks in which they come to rest. */
  private async makeAll(tasks: readonly Task[]): Promise<Made[]> {
    const made: Made[] = []
    let next = 0
    const lane = async (): Promise<void> => {
      while (next < tasks.length) {
        const at = next
        next += 1
        const task = tasks[at] as Task
        made[at] = { ...task, reached: await look(this.plan, task.path, task.watch) }
      }
    }
    this.unheard = []
    await Promise.all(Array.from({ length: Math.min(LANES, tasks.length) }, lane))
    this.moves += tasks.length
    return this.unheard.length === 0 ? made : this.attribute(made)
  }

  /** Somebody was rejected unheard: one after another they tell who. */
  private async attribute(made: readonly Made[]): Promise<Made[]> {
    const told: Made[] = []
    for (const each of made) {
      this.unheard = []
      const reached = await look(this.plan, each.path, each.watch)
      const breaches = [...reached.breaches, ...this.unheard.map(rejection)]
      told.push({ ...each, reached: { ...reached, breaches } })
    }
    return told
  }

  private async commit(made: readonly Made[]): Promise<void> {
    for (const { node, path, reached } of made) {
      if (reached.breaches.length > 0) await this.breach(path, reached)
      else if (reached.bare !== node?.bare) {
        const { whole, bare, enabled } = reached
        this.states.add(whole, node, path.at(-1), { bare, enabled })
      }
    }
  }

  /** What follows a breach is not judged: a run that has gone wrong may go on in any way. */
  private async breach(path: readonly Move[], { breaches }: Reached): Promise<void> {
    const fresh = breaches.filter(({ rule }) => !this.rules.has(rule))
    if (fresh.length === 0) return
    for (const { rule } of fresh) this.rules.add(rule)
    this.counterexamples.push(
      await counterexampleOf(this.plan, path, breaches, this.options.source),
    )
  }

  private tell(): void {
    const { onProgress } = this.options
    const { seconds, states, moves } = this
    if (onProgress === undefined || seconds - this.told < 1) return
    this.told = seconds
    onProgress({ states: states.size, moves, depth: states.depth, waiting: states.left, seconds })
  }
}

/**
 * Explores the real agent.
 *
 * @throws TurnwiseError INVALID_OPTION; ScriptPhraseError for a word of the model that cannot be read; whatever `agent` and
 *   `create` throw.
 */
export async function explore(options: ExploreOptions & ExploreLimits = {}): Promise<Exploration> {
  const search = new Search(options)
  const ended = await search.run()
  const { states, moves, seconds, counterexamples } = search
  return {
    states: states.size,
    moves,
    depth: states.depth,
    seconds,
    ended,
    exhausted: ended === 'exhausted',
    counterexamples,
    *paths() {
      for (let id = 0; id < states.size; id += 1) yield states.pathTo(id)
    },
  }
}
