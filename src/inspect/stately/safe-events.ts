/**
 * What of a machine may be seen: inspection events with everything taken out that is live, large or private.
 *
 * R1 Contexts never go out: they hold the host, and with it settings and keys of the program.
 * R2 Of an event go its type and its word; of an error its name. Everything else only where it was asked for, bounded.
 * R3 Definitions keep the order of their states.
 *
 * @module
 */
import type { AnyStateMachine, InspectionEvent } from 'xstate'
import type { Json } from '../../events/json.ts'
import { machineDefinition } from '../definition.ts'
import { bounded } from './bounded.ts'

/** An actor as far as it is shown. */
export interface SafeActor {
  readonly sessionId: string
  readonly id: string
  readonly parentId: string | undefined
  /** JSON of its machine. */
  readonly definition: string
}

/** A snapshot as far as it is shown. */
export interface SafeSnapshot {
  readonly status: string
  readonly value?: Json
  readonly context: Json
  readonly error?: Json
  readonly children: object
  readonly historyValue: object
}

/** Longest word of an event that is shown without being asked for. */
const WORD = 40

/** XState's actor references, as far as they are read. */
interface Ref {
  readonly sessionId: string
  readonly id?: string
  readonly _parent?: { readonly sessionId: string }
  readonly logic?: unknown
}

const definitions = new WeakMap<object, string>()

/** The definition of what an actor runs; one text for each machine. */
function definitionOf(logic: unknown, id: string): string {
  if (typeof logic !== 'object' || logic === null || !('root' in logic)) {
    return JSON.stringify({ id })
  }
  const known =
    definitions.get(logic) ?? JSON.stringify(machineDefinition(logic as AnyStateMachine))
  definitions.set(logic, known)
  return known
}

/** The actor of an inspection event. */
export function safeActor({ actorRef }: InspectionEvent): SafeActor {
  const ref = actorRef as unknown as Ref
  const id = ref.id ?? ref.sessionId
  return {
    sessionId: ref.sessionId,
    id,
    // eslint-disable-next-line no-underscore-dangle -- XState's name
    parentId: ref._parent?.sessionId,
    definition: definitionOf(ref.logic, id),
  }
}

/** An event: its type and its word, or all of it within bounds. */
export function safeEvent(event: { readonly type: string }, reveal: boolean): { type: string } {
  const { next } = event as { readonly next?: unknown }
  if (reveal && !event.type.startsWith('xstate.')) {
    return { ...(bounded(event) as object), type: event.type }
  }
  return typeof next === 'string' && next.length <= WORD
    ? ({ type: event.type, next } as { type: string })
    : { type: event.type }
}

/** A snapshot: where the machine stands, and the name of an error. */
export function safeSnapshot(snapshot: unknown, reveal: boolean): SafeSnapshot {
  const { status, value, error } = (snapshot ?? {}) as {
    readonly status?: string
    readonly value?: unknown
    readonly error?: unknown
  }
  return {
    status: status ?? 'active',
    ...(value !== undefined && { value: bounded(value) }),
    context: {},
    ...(error !== undefined && { error: reveal ? bounded(error) : nameOf(error) }),
    children: {},
    historyValue: {},
  }
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error)
