/**
 * Resolves the names in a chart, once: actions, guards and invoked logics become things that can be called.
 *
 * It must not call them. A name without implementation, and a built-in that the table does not run, is refused.
 *
 * @module
 */
import type { AnyActorLogic } from 'xstate'
import { refuse } from './table-limits.ts'
import { isBuiltIn, isBuiltInGuard } from './table-xstate.ts'
import type {
  ActionArgs,
  ActionRef,
  BuiltInAction,
  Chart,
  ChartNode,
  CustomAction,
  GuardArgs,
  GuardRef,
  InvokeRef,
  Mapped,
  TableSnapshot,
} from './table-xstate.ts'

/** What each kind of act needs. */
interface Acts {
  custom: { readonly type: string; readonly run: CustomAction; readonly params: Mapped<GuardArgs> }
  assign: { readonly assignment: Assignment; readonly params: Mapped<GuardArgs> }
  send: { readonly action: BuiltInAction; readonly params: Mapped<GuardArgs> }
  spawn: { readonly invoke: InvokeRef; readonly logic: AnyActorLogic }
  stop: { readonly child: string }
}

/** An act of one kind. */
export type ActOf<K extends keyof Acts> = { [Kind in K]: { readonly kind: Kind } & Acts[Kind] }[K]

/** One thing to do. */
export type Act = ActOf<keyof Acts>

/** A change of context: one function for all of it, or a value or a function for each key. */
export type Assignment =
  | ((args: ActionArgs, params: unknown) => object | undefined)
  | readonly (readonly [key: string, value: unknown])[]

export type Guard = (snapshot: TableSnapshot, args: GuardArgs) => boolean

/** Answers the logic to run for a logic that a chart invokes. */
export type ChildLogic = (logic: AnyActorLogic) => AnyActorLogic

/** The act that `ref` names in `node`. */
export function actOf(chart: Chart, node: ChartNode, ref: ActionRef): Act {
  const name = nameOf(ref)
  const found = typeof ref === 'function' ? ref : chart.implementations.actions[name]
  if (found === undefined) {
    return refuse(chart, node, `the action '${name}', which is not implemented`)
  }
  const params = paramsOf(ref)
  return isBuiltIn(found)
    ? builtInAct(chart, node, found, params)
    : { kind: 'custom', type: name, run: found, params }
}

function builtInAct(
  chart: Chart,
  node: ChartNode,
  action: BuiltInAction,
  params: Mapped<GuardArgs>,
): Act {
  if (action.type === 'xstate.assign') {
    return { kind: 'assign', assignment: assignmentOf(action), params }
  }
  if (action.type !== 'xstate.sendTo') {
    return refuse(chart, node, `the built-in action ${action.type}`)
  }
  if (action.delay !== undefined) return refuse(chart, node, 'sendTo with a delay')
  return { kind: 'send', action, params }
}

/** The acts that start the children of `node`. */
export function spawnsOf(chart: Chart, node: ChartNode, child: ChildLogic): Act[] {
  const given = [node.config.invoke].flat() as readonly { src: string | AnyActorLogic }[]
  return node.invoke.map((invoke, i) => {
    const src = given[i]?.src
    const logic = typeof src === 'string' ? chart.implementations.actors[src] : src
    if (logic === undefined) {
      return refuse(chart, node, `the actor '${invoke.src}', which is not implemented`)
    }
    return { kind: 'spawn', invoke, logic: child(logic) }
  })
}

/** The guard that `ref` names in `node`. */
export function guardOf(chart: Chart, node: ChartNode, ref: GuardRef): Guard {
  const named = typeof ref === 'string' || 'type' in ref
  const found = named ? chart.implementations.guards[nameOf(ref)] : ref
  if (found === undefined) {
    return refuse(chart, node, `the guard '${nameOf(ref)}', which is not implemented`)
  }
  // A guard may be another name; XState drops the parameters of the first one, and so must this.
  if (typeof found !== 'function') return guardOf(chart, node, found)
  if (isBuiltInGuard(found)) return (snapshot, args) => found.check(snapshot, args, found)
  const params = paramsOf(ref)
  if (typeof params === 'function') return (_, args) => found(args, params(args))
  return (_, args) => found(args, params)
}

/** How `ref` is called in errors and for inspectors. */
export function nameOf(ref: ActionRef | GuardRef): string {
  if (typeof ref === 'string') return ref
  if (typeof ref === 'function') return ref.name || '(anonymous)'
  return 'type' in ref ? ref.type : ''
}

const paramsOf = (ref: ActionRef | GuardRef): Mapped<GuardArgs> =>
  typeof ref === 'object' && 'params' in ref ? ref.params : undefined

function assignmentOf({ assignment }: BuiltInAction): Assignment {
  return typeof assignment === 'function'
    ? (assignment as Exclude<Assignment, readonly unknown[]>)
    : Object.entries(assignment as object)
}
