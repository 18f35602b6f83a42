/**
 * What the table reads of XState beyond its documented API: the list to check when XState is upgraded.
 *
 * Verified with xstate 5.33.3. Only names stand here; what calls them is `table-announce.ts`.
 *
 * X1 State nodes carry the definition in resolved form: {@link ChartNode}.
 * X2 Built-in actions are functions with `type` and `resolve`; `assign` keeps its `assignment`, `sendTo` (and
 *    `sendParent`, `forwardTo`) has `resolve`, `retryResolve` and `execute`, and `stopChild` and `spawnChild` have an
 *    `execute` that takes the actor.
 * X3 Built-in guards (`and`, `or`, `not`, `stateIn`) have `check`.
 * X4 A snapshot is a plain object that an actor may spread, so it has its methods as own properties.
 * X5 `scope.actionExecutor` announces an action to inspectors and runs it at once, or at the start of the actor. While
 *    an actor is running (`_processingStatus` 1) custom actions are announced and called here: that saves two closures.
 * X6 `scope.system._sendInspectionEvent` tells inspectors of actions and microsteps.
 *
 * @module
 */
import type { AnyActorLogic, AnyActorRef } from 'xstate'

/** An event as an actor gets it. */
export interface AnyEvent {
  readonly type: string
  readonly [field: string]: unknown
}

export type Context = Record<string, unknown>
export type Children = Record<string, AnyActorRef | undefined>

/** What an action, or an expression in one, is given. */
export interface ActionArgs {
  readonly context: Context
  readonly event: AnyEvent
  readonly self: AnyActorRef
  readonly system: unknown
}
export type GuardArgs = Pick<ActionArgs, 'context' | 'event'>

/** Something that is either a value or computed when it is needed. */
export type Mapped<A> =
  | ((args: A, params?: unknown) => unknown)
  | object
  | string
  | number
  | undefined

/** The implementation of a custom action. */
export type CustomAction = (args: ActionArgs, params: unknown) => void

/** A built-in action: see X2. */
export interface BuiltInAction {
  readonly type: string
  readonly resolve: (
    scope: Scope,
    snapshot: TableSnapshot,
    args: ActionArgs,
    params: unknown,
    action: BuiltInAction,
    extra: { readonly deferredActorIds: readonly string[] },
  ) => readonly [unknown, object]
  readonly retryResolve: (scope: Scope, snapshot: TableSnapshot, params: object) => void
  readonly execute: (scope: Scope, params: unknown) => void
  readonly assignment?: Mapped<ActionArgs>
  readonly delay?: unknown
}

/** An action as a definition names it. */
export type ActionRef =
  | string
  | CustomAction
  | BuiltInAction
  | { readonly type: string; readonly params?: Mapped<GuardArgs> }

/** A built-in guard: see X3. */
export interface BuiltInGuard {
  readonly check: (snapshot: TableSnapshot, args: GuardArgs, guard: BuiltInGuard) => boolean
}
export type GuardFunction = (args: GuardArgs, params: unknown) => boolean

/** A guard as a definition names it. */
export type GuardRef =
  | string
  | GuardFunction
  | BuiltInGuard
  | { readonly type: string; readonly params?: Mapped<GuardArgs> }

export interface InvokeRef {
  readonly id: string
  readonly src: string
  readonly systemId?: string
  readonly input?: Mapped<Omit<ActionArgs, 'system'>>
  readonly onSnapshot?: unknown
}

export interface TransitionRef {
  readonly source: ChartNode
  readonly target: readonly ChartNode[] | undefined
  readonly actions: readonly ActionRef[]
  readonly guard: GuardRef | undefined
  readonly reenter: boolean
}

/** A state of a machine: see X1. */
export interface ChartNode {
  readonly id: string
  readonly key: string
  readonly type: 'atomic' | 'compound' | 'parallel' | 'final' | 'history'
  readonly parent: ChartNode | undefined
  readonly states: { readonly [key: string]: ChartNode }
  readonly initial: {
    readonly target: readonly ChartNode[]
    readonly actions: readonly ActionRef[]
  }
  readonly entry: readonly ActionRef[]
  readonly exit: readonly ActionRef[]
  readonly invoke: readonly InvokeRef[]
  readonly transitions: ReadonlyMap<string, readonly TransitionRef[]>
  readonly always: readonly TransitionRef[] | undefined
  readonly after: readonly unknown[]
  readonly tags: readonly string[]
  readonly output: Mapped<Omit<ActionArgs, 'system'>>
  readonly config: { readonly route?: unknown; readonly invoke?: unknown }
}

/** A machine as the table reads it. */
export interface Chart {
  readonly id: string
  readonly root: ChartNode
  readonly config: { readonly context?: Context | ((args: object) => Context) }
  readonly options: { readonly maxIterations: number }
  readonly implementations: {
    readonly actions: { readonly [name: string]: CustomAction | BuiltInAction | undefined }
    readonly guards: { readonly [name: string]: GuardRef | undefined }
    readonly actors: { readonly [name: string]: AnyActorLogic | undefined }
  }
  resolveState(config: { readonly value: unknown; readonly context: Context }): TableSnapshot
}

/** A machine snapshot: the fields of XState's own, in its order. */
export interface TableSnapshot {
  status: 'active' | 'done' | 'error' | 'stopped'
  output: unknown
  error: unknown
  readonly machine: unknown
  context: Context
  readonly _nodes: readonly ChartNode[]
  readonly value: unknown
  readonly tags: ReadonlySet<string>
  children: Children
  readonly historyValue: object
  readonly matches: unknown
  readonly hasTag: unknown
  readonly can: unknown
  readonly getMeta: unknown
  readonly toJSON: unknown
}

/** The scope of an actor: what its logic may do besides answering with a snapshot. See X5. */
export interface Scope {
  readonly self: AnyActorRef
  readonly system: { readonly _sendInspectionEvent: (event: object) => void }
  readonly actionExecutor: (action: {
    readonly type: string
    readonly info: ActionArgs
    readonly params: unknown
    readonly exec: (args: ActionArgs, params: never) => void
  }) => void
}

export const EVENT_STOP = 'xstate.stop'
export const EVENT_INIT = 'xstate.init'
/** Events of failed children start with this, followed by the id of the child. */
export const EVENT_CHILD_ERROR = 'xstate.error.actor'
/** Sent when a compound state completes, followed by its id. */
export const EVENT_STATE_DONE = 'xstate.done.state.'

export const isBuiltIn = (action: object): action is BuiltInAction => 'resolve' in action
export const isBuiltInGuard = (guard: object): guard is BuiltInGuard => 'check' in guard

/** The active states of a snapshot; snapshots that rest in the same state share the list. */
// eslint-disable-next-line no-underscore-dangle -- XState's name
export const nodesOf = (snapshot: TableSnapshot): readonly ChartNode[] => snapshot._nodes
