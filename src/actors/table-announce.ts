/**
 * Tells XState and its inspectors what a table does, in the words and the order of the stock macrostep.
 *
 * @module
 */
import { spawnChild, stopChild } from 'xstate'
import type { AnyActorRef } from 'xstate'
import type {
  ActionArgs,
  AnyEvent,
  BuiltInAction,
  Scope,
  TableSnapshot,
  TransitionRef,
} from './table-xstate.ts'

const RUNNING = 1

/** Are custom actions run at once? Otherwise they wait for the start of the actor. */
export const isRunning = ({ self }: Scope): boolean =>
  // eslint-disable-next-line no-underscore-dangle -- XState's name
  (self as unknown as { readonly _processingStatus: number })._processingStatus === RUNNING

/** Tells inspectors that an action is about to run. */
export function announceAction(scope: Scope, type: string, params: unknown): void {
  // eslint-disable-next-line no-underscore-dangle -- XState's name
  scope.system._sendInspectionEvent({
    type: '@xstate.action',
    actorRef: scope.self,
    action: { type, params },
  })
}

/** Tells inspectors of a microstep. */
export function announceMicrostep(
  scope: Scope,
  event: AnyEvent,
  snapshot: TableSnapshot,
  transitions: readonly TransitionRef[],
): void {
  // eslint-disable-next-line no-underscore-dangle -- XState's name
  scope.system._sendInspectionEvent({
    type: '@xstate.microstep',
    actorRef: scope.self,
    event,
    snapshot,
    _transitions: transitions,
  })
}

const spawning = spawnChild('any') as unknown as BuiltInAction
const stopping = stopChild('any') as unknown as BuiltInAction

/** A child to start, as inspectors see it. */
export interface Spawned {
  readonly id: string
  readonly src: string
  readonly systemId: string | undefined
  readonly actorRef: AnyActorRef
  readonly input: unknown
}

/** Starts the child after the move, unless it was stopped by then. */
export function announceSpawn(scope: Scope, info: ActionArgs, child: Spawned): void {
  scope.actionExecutor({
    type: spawning.type,
    info,
    params: child,
    exec: () => {
      spawning.execute(scope, child)
    },
  })
}

/** Unregisters `child` at once and stops it after the move; undefined stops nothing but is announced. */
export function announceStop(scope: Scope, info: ActionArgs, child: AnyActorRef | undefined): void {
  scope.actionExecutor({
    type: stopping.type,
    info,
    params: child,
    exec: () => {
      stopping.execute(scope, child)
    },
  })
}
