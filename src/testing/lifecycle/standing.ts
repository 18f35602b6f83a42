/**
 * One step of a model: where a move leads, by the model alone.
 *
 * @module
 */
import type { Branch, LifecycleModel, ModelState, Move, Way } from './model.ts'
import type { Change, Remembered } from './remembered.ts'

/** Where a model says that an agent stands, and what it remembers. */
export interface Standing<State extends string = string, Memory extends Remembered = Remembered> {
  readonly state: State
  readonly remembered: Memory
}

/** A move as a model foresees it. */
export interface Foreseen<State extends string, Memory extends Remembered> {
  readonly to: Standing<State, Memory>
  /** What the move answers. */
  readonly says: string
  readonly tells: readonly string[]
}

/** The branches of a way. */
export function branchesOf<State extends string, Memory>(
  way: Way<State, Memory> | undefined,
): readonly Branch<State, Memory>[] {
  if (way === undefined) return []
  if (typeof way === 'string') return [{ to: way }]
  return Array.isArray(way)
    ? (way as readonly Branch<State, Memory>[])
    : [way as Branch<State, Memory>]
}

/** The changes of a branch. */
export const changesOf = <Memory>({
  do: changes = [],
}: Branch<string, Memory>): readonly Change<Memory>[] =>
  typeof changes === 'function' ? [changes] : changes

/** A state of a model by its name. */
export const stateOf = <State extends string, Event extends string, Memory extends Remembered>(
  { states }: LifecycleModel<State, Event, Memory>,
  name: State,
): ModelState<State, Event, Memory> =>
  (states as Record<string, ModelState<State, Event, Memory>>)[name] as ModelState<
    State,
    Event,
    Memory
  >

/** How a move of a model is made. */
export const moveOf = <Event extends string>(
  { moves }: { readonly moves: { readonly [Name in Event]: Move } },
  name: Event,
): Move => (moves as Record<string, Move>)[name] as Move

/** Where an agent stands that was just made. */
export const startOf = <State extends string, Memory extends Remembered>({
  initial,
  remembers,
}: LifecycleModel<State, string, Memory>): Standing<State, Memory> => ({
  state: initial,
  remembered: remembers,
})

/** What `move` leads to. @returns undefined where it is not possible. */
export function foresee<State extends string, Event extends string, Memory extends Remembered>(
  model: LifecycleModel<State, Event, Memory>,
  { state, remembered }: Standing<State, Memory>,
  move: Event,
): Foreseen<State, Memory> | undefined {
  const ways = stateOf(model, state).on as Readonly<Record<string, Way<State, Memory>>>
  const branch = branchesOf(ways[move]).find((each) => each.if?.(remembered) ?? true)
  if (branch === undefined) return undefined
  const { to = state, says = '', tells = [] } = branch
  let after = remembered
  for (const change of changesOf(branch)) after = { ...after, ...change(after) }
  return {
    to: { state: to, remembered: after },
    says: typeof says === 'string' ? says : says(remembered),
    tells,
  }
}
