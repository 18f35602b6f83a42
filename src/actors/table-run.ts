/**
 * Runs a table: one macrostep for one event, as `createActor` asks for it.
 *
 * It owns no queue, no child and no clock: effects go through the scope that XState hands in, in XState's order, so
 * that a custom action runs at once (or when the actor starts), and sends, starts and stops wait for the end.
 *
 * R1 A snapshot that was answered is never changed; one that nothing changed is answered again.
 * R2 A throw leaves through the caller: XState turns it into the error of the actor.
 *
 * @module
 */
import { perform } from './table-perform.ts'
import { announceMicrostep, announceStop } from './table-announce.ts'
import type { Microstep } from './table-perform.ts'
import type { Candidate, Completion, Leaf, Plan, Table } from './table-plan.ts'
import { EVENT_CHILD_ERROR, EVENT_INIT, EVENT_STATE_DONE, EVENT_STOP } from './table-xstate.ts'
import type {
  AnyEvent,
  Children,
  Context,
  Scope,
  TableSnapshot,
  TransitionRef,
} from './table-xstate.ts'

/** Makes and reads the snapshots of one machine. */
export interface Snapshots {
  readonly of: (leaf: Leaf, context: Context, children: Children) => TableSnapshot
  readonly leafOf: (snapshot: TableSnapshot) => Leaf
}

const NO_TRANSITION: readonly TransitionRef[] = []
const NO_CHILDREN: Children = Object.freeze({})

/** The runner of one table. */
export class TableRun {
  readonly #table: Table
  readonly #snapshots: Snapshots

  constructor(table: Table, snapshots: Snapshots) {
    this.#table = table
    this.#snapshots = snapshots
  }

  /** The snapshot an actor begins with; its status is `error` when something threw. */
  begin(scope: Scope, input: unknown): TableSnapshot {
    const { initial, chart } = this.#table
    const from = this.#snapshots.of(initial.leaf, {}, NO_CHILDREN)
    try {
      const { context = {} } = chart.config
      from.context =
        typeof context === 'function'
          ? { ...context({ input, self: scope.self, spawn: refuseSpawn }) }
          : context
      return this.#settle(
        this.#run(initial, initial.leaf, from, { type: EVENT_INIT, input }, scope),
      )
    } catch (error) {
      const { root } = chart
      const tags = new Set(root.tags)
      return { ...from, status: 'error', output: undefined, error, _nodes: [root], tags }
    }
  }

  /** The snapshot that `event` leads to. */
  next(from: TableSnapshot, event: AnyEvent, scope: Scope): TableSnapshot {
    if (event.type === EVENT_STOP) return this.#end(from, 'stopped', event, scope)
    const leaf = this.#snapshots.leafOf(from)
    const candidate = select(leaf, from, event)
    if (candidate === undefined) {
      if (event.type.startsWith(EVENT_CHILD_ERROR)) return this.#end(from, 'error', event, scope)
      announceMicrostep(scope, event, from, NO_TRANSITION)
      return from
    }
    const taken = this.#run(candidate.plan, leaf, from, event, scope)
    announceMicrostep(scope, event, taken.snapshot, candidate.selected)
    const rests = taken.raised === undefined && taken.snapshot.status === 'active'
    return rests ? taken.snapshot : this.#settle(taken)
  }

  #run(plan: Plan, leaf: Leaf, from: TableSnapshot, event: AnyEvent, scope: Scope): Microstep {
    const to = plan.leaf ?? leaf
    const same = to === leaf && !plan.changes
    const snapshot = same ? from : this.#snapshots.of(to, from.context, from.children)
    const { self, system } = scope
    const args = { context: snapshot.context, event, self, system }
    const step: Microstep = { snapshot, event, scope, args, raised: undefined, late: undefined }
    for (const block of plan.blocks) perform(block, step)
    if (plan.completion !== undefined) complete(plan.completion, step, this.#table)
    return step
  }

  /** Takes what completed states raise until nothing is raised; stops the children of a machine that is over. */
  #settle(begun: Microstep): TableSnapshot {
    let step = begun
    for (let count = 1; step.snapshot.status === 'active'; count++) {
      refuseEndless(this.#table, count)
      const { snapshot, raised, scope } = step
      if (raised === undefined) return snapshot
      const leaf = this.#snapshots.leafOf(snapshot)
      const candidate = select(leaf, snapshot, raised)
      if (candidate === undefined) step.raised = undefined
      else step = this.#run(candidate.plan, leaf, snapshot, raised, scope)
      announceMicrostep(scope, raised, step.snapshot, candidate?.selected ?? NO_TRANSITION)
    }
    stopChildren(step)
    return step.snapshot
  }

  #end(
    from: TableSnapshot,
    status: 'stopped' | 'error',
    event: AnyEvent,
    scope: Scope,
  ): TableSnapshot {
    const { self, system } = scope
    const args = { context: from.context, event, self, system }
    stopChildren({ snapshot: from, event, scope, args, raised: undefined, late: undefined })
    const ended = this.#snapshots.of(this.#snapshots.leafOf(from), from.context, NO_CHILDREN)
    ended.status = status
    if (status === 'error') ended.error = event['error']
    announceMicrostep(scope, event, ended, NO_TRANSITION)
    return ended
  }
}

/** The first candidate whose guard lets it; a guard that throws does so as it does in XState. */
function select(leaf: Leaf, snapshot: TableSnapshot, event: AnyEvent): Candidate | undefined {
  const candidates = leaf.on.get(event.type)
  if (candidates === undefined) return undefined
  const args = { context: snapshot.context, event }
  for (const candidate of candidates) {
    const { guard, guardName, node } = candidate
    try {
      if (guard === undefined || guard(snapshot, args)) return candidate
    } catch (error) {
      throw new Error(
        `Unable to evaluate guard ${guardName}in transition for event '${event.type}' in state node '${node.id}':\n${(error as Error).message}`,
        { cause: error },
      )
    }
  }
  return undefined
}

/** Reaching a final state raises the event of its parent, or ends the machine with its output and last exits. */
function complete({ node, of, exits }: Completion, step: Microstep, { chart }: Table): void {
  const { snapshot, event, scope } = step
  const args = { context: snapshot.context, event, self: scope.self }
  const own = node === chart.root ? undefined : node.output
  const output = typeof own === 'function' ? own(args) : own
  if (of !== undefined) {
    step.raised = { type: EVENT_STATE_DONE + of.id, output }
    return
  }
  const done = { type: EVENT_STATE_DONE + node.id, output }
  const whole = chart.root.output
  snapshot.status = 'done'
  snapshot.output = typeof whole === 'function' ? whole({ ...args, event: done }) : whole
  perform(exits, step)
}

function stopChildren({ snapshot, scope, args }: Microstep): void {
  for (const child of Object.values(snapshot.children)) announceStop(scope, args, child)
}

function refuseEndless({ chart }: Table, count: number): void {
  const { maxIterations } = chart.options
  if (count <= maxIterations) return
  throw new Error(
    `Infinite loop detected: machine '${chart.id}' took more than ${maxIterations} microsteps for one event`,
  )
}

function refuseSpawn(): never {
  throw new Error('a machine that runs as a table cannot spawn from its context; invoke the child')
}
