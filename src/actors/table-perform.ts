/**
 * Performs the acts of a plan, one after another, on the snapshot that a microstep makes.
 *
 * It must not decide anything: which acts, and in which order, stands in the table.
 *
 * @module
 */
import { createActor } from 'xstate'
import { announceAction, announceSpawn, announceStop, isRunning } from './table-announce.ts'
import type { Act, ActOf } from './table-acts.ts'
import type { Block } from './table-plan.ts'
import type {
  ActionArgs,
  AnyEvent,
  BuiltInAction,
  GuardArgs,
  Mapped,
  Scope,
  TableSnapshot,
} from './table-xstate.ts'

/** A send whose target may still be the name of a child that the same block starts. */
interface LateSend {
  readonly action: BuiltInAction
  readonly message: object
}

/** A microstep under way. */
export interface Microstep {
  /** What it makes; changed in place until it is answered. */
  readonly snapshot: TableSnapshot
  readonly event: AnyEvent
  readonly scope: Scope
  /** Given to actions; made anew when the context changed, because an action may keep it. */
  args: ActionArgs
  /** What a completed state raised: the next event, before any that is sent. */
  raised: AnyEvent | undefined
  late: LateSend[] | undefined
}

/** Performs all acts of `block`. */
export function perform({ acts, spawns }: Block, step: Microstep): void {
  for (const act of acts) performOne(act, step, spawns)
  if (step.late === undefined) return
  for (const { action, message } of step.late) {
    action.retryResolve(step.scope, step.snapshot, message)
  }
  step.late = undefined
}

function performOne(act: Act, step: Microstep, spawns: readonly string[]): void {
  switch (act.kind) {
    case 'custom':
      return custom(act, step)
    case 'assign':
      return assign(act, step)
    case 'send':
      return send(act, step, spawns)
    case 'spawn':
      return spawn(act, step)
    case 'stop':
      return stop(act.child, step)
  }
}

const paramsFor = (params: Mapped<GuardArgs>, args: ActionArgs): unknown =>
  typeof params === 'function' ? params(args) : params

function custom({ type, run, params }: ActOf<'custom'>, { scope, args }: Microstep): void {
  const given = paramsFor(params, args)
  if (!isRunning(scope)) scope.actionExecutor({ type, info: args, params: given, exec: run })
  else {
    announceAction(scope, type, given)
    run(args, given)
  }
}

/** Every part of an assignment sees the context as it was before it. */
function assign({ assignment, params }: ActOf<'assign'>, step: Microstep): void {
  const { snapshot, args } = step
  const { context, event, self, system } = args
  const seen = { context, event, self, system, spawn: refuseSpawn }
  const extra = paramsFor(params, args)
  if (typeof assignment === 'function') {
    const changes = assignment(seen, extra)
    if (changes === undefined) return
    snapshot.context = { ...context, ...changes }
  } else {
    const changed = { ...context }
    for (const [key, value] of assignment) {
      changed[key] = typeof value === 'function' ? (value(seen, extra) as unknown) : value
    }
    snapshot.context = changed
  }
  step.args = { context: snapshot.context, event, self, system }
}

function send({ action, params }: ActOf<'send'>, step: Microstep, spawns: readonly string[]): void {
  const { snapshot, scope, args } = step
  const extra = { deferredActorIds: spawns }
  const [, message] = action.resolve(scope, snapshot, args, paramsFor(params, args), action, extra)
  const exec = (): void => {
    action.execute(scope, message)
  }
  scope.actionExecutor({ type: action.type, info: args, params: message, exec })
  if (spawns.length === 0) return
  step.late ??= []
  step.late.push({ action, message })
}

function spawn({ invoke, logic }: ActOf<'spawn'>, { snapshot, scope, args }: Microstep): void {
  const { id, src, systemId } = invoke
  const { context, event, self } = args
  const input: unknown =
    typeof invoke.input === 'function' ? invoke.input({ context, event, self }) : invoke.input
  const actorRef = createActor(logic, {
    id,
    src,
    parent: self,
    input,
    ...(systemId && { systemId }),
  })
  snapshot.children = { ...snapshot.children, [id]: actorRef }
  announceSpawn(scope, args, { id, systemId, actorRef, src, input })
}

function stop(id: string, { snapshot, scope, args }: Microstep): void {
  const { [id]: child, ...others } = snapshot.children
  if (child !== undefined) snapshot.children = others
  announceStop(scope, args, child)
}

function refuseSpawn(): never {
  throw new Error(
    'a machine that runs as a table cannot spawn from an assignment; invoke the child',
  )
}
