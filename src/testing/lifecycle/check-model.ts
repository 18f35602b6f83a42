/**
 * Does a model make sense? Asked before it is walked, so that a slip of a name is told as one.
 *
 * @module
 */
import { TurnwiseError } from '../../errors.ts'
import type { LifecycleModel, ModelState } from './model.ts'
import type { Remembered } from './remembered.ts'
import { branchesOf } from './standing.ts'

type AnyState = ModelState<string, string, never>

/** @throws TurnwiseError INVALID_OPTION that names the first contradiction. */
export function checkModel<State extends string, Event extends string, Memory extends Remembered>(
  model: LifecycleModel<State, Event, Memory>,
): void {
  const states = new Map<string, AnyState>(Object.entries(model.states))
  const moves = new Set(Object.keys(model.moves))
  const problem =
    (states.has(model.initial) ? undefined : `no state "${model.initial}" to begin in`) ??
    [...states].map(([name, state]) => problemOf(name, state, states, moves)).find(Boolean)
  if (problem === undefined) return
  throw new TurnwiseError(
    'INVALID_OPTION',
    `expected states and moves of the model "${model.name}" to be defined, found ${problem}; no path was made. Define it, or correct the name.`,
  )
}

function problemOf(
  name: string,
  { on, unsettled }: AnyState,
  states: ReadonlyMap<string, AnyState>,
  moves: ReadonlySet<string>,
): string | undefined {
  for (const [move, way] of Object.entries(on)) {
    if (!moves.has(move)) return `the move "${move}" in the state "${name}", which nothing makes`
    const lost = branchesOf(way).find(({ to }) => to !== undefined && !states.has(to))
    if (lost !== undefined) return `a way from "${name}" by "${move}" to no state, "${lost.to}"`
  }
  return unsettled === undefined || unsettled in on
    ? undefined
    : `the state "${name}" unsettled until "${unsettled}", which is not possible there`
}
