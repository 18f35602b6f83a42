/**
 * Every edge of a model with a shortest path to it, as plain data.
 *
 * @module
 */
import { TurnwiseError } from '../../errors.ts'
import type { LifecycleModel } from './model.ts'
import type { Remembered } from './remembered.ts'
import { checkModel } from './check-model.ts'
import { foresee, type Standing, startOf, stateOf } from './standing.ts'

/** A shortest way to one edge of a model, and the edge. */
export interface Path<State extends string = string, Event extends string = string> {
  /** The state in which the edge starts. */
  readonly from: State
  /** The state in which it ends. */
  readonly to: State
  /** The moves from a new agent on; the edge is the last one. */
  readonly moves: readonly Event[]
}

/** Which paths are made. */
export interface PathsOptions<State extends string = string, Event extends string = string> {
  /** Only paths whose last move is one of these, or starts or ends in one of these states. Default: all. */
  readonly only?: readonly (State | Event)[]
  /** At most so many, the shortest. Default: all. */
  readonly limit?: number
  /** Standings, states with what is remembered in them, beyond which a model counts as unbounded. Default 100 000. */
  readonly maxStandings?: number
}

const keyOf = ({ state, remembered }: Standing): string => JSON.stringify([state, remembered])

/**
 * The paths of `model`, shortest first: one for each move that is possible in each standing, those included that change
 * nothing.
 *
 * @throws TurnwiseError INVALID_OPTION for a model that contradicts itself or remembers without bound, and for names in
 *   `only` that it does not have.
 */
export function pathsOf<State extends string, Event extends string, Memory extends Remembered>(
  model: LifecycleModel<State, Event, Memory>,
  options: PathsOptions<NoInfer<State>, NoInfer<Event>> = {},
): Path<State, Event>[] {
  const { only = [], limit = Number.POSITIVE_INFINITY, maxStandings = 100_000 } = options
  checkModel(model)
  checkNames(model, only)
  const wanted = new Set<string>(only)
  const paths: Path<State, Event>[] = []
  for (const path of edgesOf(model, maxStandings)) {
    if (paths.length >= limit) break
    if (isWanted(path, wanted)) paths.push(path)
  }
  return paths
}

/** Is its last move, or a state that this leads from or to, among the names? Without names every path is wanted. */
const isWanted = ({ from, to, moves }: Path, names: ReadonlySet<string>): boolean =>
  names.size === 0 || [from, to, ...moves.slice(-1)].some((name) => names.has(name))

/** Breadth first: whatever is found first is found by a shortest path. */
function* edgesOf<State extends string, Event extends string, Memory extends Remembered>(
  model: LifecycleModel<State, Event, Memory>,
  maxStandings: number,
): Generator<Path<State, Event>> {
  const start = startOf(model)
  const known = new Set([keyOf(start)])
  const open: { readonly at: Standing<State, Memory>; readonly moves: readonly Event[] }[] = [
    { at: start, moves: [] },
  ]
  // The list grows while it is walked.
  for (const { at, moves } of open) {
    for (const move of Object.keys(stateOf(model, at.state).on) as Event[]) {
      const to = foresee(model, at, move)?.to
      if (to === undefined) continue
      const path = { from: at.state, to: to.state, moves: [...moves, move] }
      yield path
      const key = keyOf(to)
      if (known.has(key)) continue
      if (known.size >= maxStandings) throw unbounded(model.name, maxStandings)
      known.add(key)
      open.push({ at: to, moves: path.moves })
    }
  }
}

const unbounded = (name: string, most: number): TurnwiseError =>
  new TurnwiseError(
    'INVALID_OPTION',
    `expected the model "${name}" to remember a bounded number of things, found more than ${most} standings; no path was made. Bound what its changes count, or raise "maxStandings".`,
  )

function checkNames(
  {
    name,
    states,
    moves,
  }: { readonly name: string; readonly states: object; readonly moves: object },
  only: readonly string[],
): void {
  const lost = only.find((each) => !(each in states) && !(each in moves))
  if (lost === undefined) return
  throw new TurnwiseError(
    'INVALID_OPTION',
    `expected states and moves of the model "${name}", found "${lost}"; no path was made. Its states are: ${Object.keys(states).join(', ')}. Its moves are: ${Object.keys(moves).join(', ')}.`,
  )
}
