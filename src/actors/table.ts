/**
 * Runs a machine from a table: the same definition, the same actors, a cheaper macrostep.
 *
 * XState computes at every event which states are left and entered, walks the charts for eventless transitions, and
 * copies its snapshot after every action: 60 % of the time of a turn. All of it follows from the definition alone, so
 * here it is computed once per machine, and an event becomes a look-up and a list of actions. Mailboxes, parents and
 * children, inspection, done and error events stay XState's: only the logic that `createActor` runs is replaced.
 *
 * The stock machine is the reference. `test/actors/table*.test.ts` hold both to the same actions, snapshots, inspection
 * events and errors, on hand-written and on generated machines; to judge a doubt, run the stock machine.
 *
 * - Runs: atomic, compound and final states, guards, custom actions, `assign`, `sendTo` without delay, `sendParent`,
 *   `forwardTo`, `invoke` with `onDone` and `onError`, internal, external and reentering transitions, output.
 * - Refuses at compile time, by name: `always`, `after`, parallel and history states, `raise`, `enqueueActions`,
 *   `spawnChild`, `stopChild`, `emit`, `log`, `cancel`, delayed sends, wildcards, `onSnapshot`, routes.
 * - Differs on purpose: an `assign` that answers undefined leaves the context as it is (XState copies it), values and
 *   tags of snapshots are shared, and a snapshot cannot be restored: an agent is rebuilt from its log.
 *
 * What it leans on inside XState is listed in `table-xstate.ts`.
 *
 * @module
 */
import { StateMachine } from 'xstate'
import type { AnyActorLogic, AnyStateMachine } from 'xstate'
import { planTable } from './table-plan.ts'
import type { Leaf } from './table-plan.ts'
import { TableRun } from './table-run.ts'
import type { Snapshots } from './table-run.ts'
import { nodesOf } from './table-xstate.ts'
import type { AnyEvent, Chart, ChartNode, Scope, TableSnapshot } from './table-xstate.ts'

const compiled = new WeakMap<AnyStateMachine, AnyStateMachine>()

/**
 * The logic that runs `machine`, and the machines it invokes, from tables. Compiled once per machine.
 *
 * @throws Error naming machine, state and feature, when the machine uses what the table does not run.
 */
export function tableLogic<M extends AnyStateMachine>(machine: M): M {
  const known = compiled.get(machine)
  if (known !== undefined) return known as M
  const logic = Object.assign(Object.create(StateMachine.prototype) as M, machine)
  // Known before it is complete, because a machine may invoke itself.
  compiled.set(machine, logic)
  compiled.set(logic, logic)
  try {
    return Object.assign(logic, overrides(machine as unknown as Chart, logic))
  } catch (error) {
    compiled.delete(machine)
    throw error
  }
}

function overrides(chart: Chart, logic: AnyStateMachine): object {
  const table = planTable(chart, childLogic)
  const run = new TableRun(table, snapshotsOf(chart, logic, table.leaves))
  return {
    getInitialSnapshot: (scope: Scope, input: unknown) => run.begin(scope, input),
    transition: (from: TableSnapshot, event: AnyEvent, scope: Scope) =>
      run.next(from, event, scope),
    restoreSnapshot: () => {
      throw new Error(
        `machine '${chart.id}' runs as a table, which restores no snapshot; rebuild it from its log`,
      )
    },
  }
}

/** Machines run from tables as well; any other logic is XState's own business. */
const childLogic = (logic: AnyActorLogic): AnyActorLogic =>
  logic instanceof StateMachine ? tableLogic(logic as AnyStateMachine) : logic

function snapshotsOf(
  chart: Chart,
  machine: AnyStateMachine,
  leaves: ReadonlyMap<ChartNode, Leaf>,
): Snapshots {
  const value = [...leaves.values()][0]?.value
  const { matches, hasTag, can, getMeta, toJSON } = chart.resolveState({ value, context: {} })
  const historyValue = Object.freeze({})
  const byNodes = new Map([...leaves.values()].map((leaf) => [leaf.nodes, leaf]))
  const byNode = (nodes: readonly ChartNode[]): Leaf | undefined => {
    const resting = nodes.find((node) => leaves.has(node))
    return resting && leaves.get(resting)
  }
  return {
    of: ({ nodes, value: at, tags }, context, children) => ({
      status: 'active',
      output: undefined,
      error: undefined,
      machine,
      context,
      _nodes: nodes,
      value: at,
      tags,
      children,
      historyValue,
      matches,
      hasTag,
      can,
      getMeta,
      toJSON,
    }),
    leafOf: (snapshot) => {
      const nodes = nodesOf(snapshot)
      const leaf = byNodes.get(nodes) ?? byNode(nodes)
      if (leaf === undefined) throw new Error(`a snapshot of another machine than '${chart.id}'`)
      return leaf
    },
  }
}
