/**
 * Reaches a state: agents cannot be copied, so every run starts anew and makes all its moves again.
 *
 * @module
 */
import { type Enabled, enabled } from './moves.ts'
import { fingerprint } from './fingerprint.ts'
import { judge, runOf } from './judge.ts'
import type { Breach, ExploredRun, ExploreOptions, Move } from './options.ts'
import { perform } from './perform.ts'
import { type Plan, planOf } from './plan.ts'
import { World } from './world.ts'

/** Makes `moves` on a new agent. @param watch - the places of the last one are wanted, all of them. */
export async function reach(plan: Plan, moves: readonly Move[], watch = false): Promise<World> {
  const world = new World(plan)
  for (const [i, move] of moves.entries())
    await perform(world, move, watch && i === moves.length - 1)
  return world
}

/** A state that was reached, without the run that is there. */
export interface Reached {
  readonly breaches: readonly Breach[]
  readonly bare: string
  readonly whole: string
  readonly enabled: Enabled
  readonly places: readonly string[]
  readonly appends: readonly string[]
}

/** Reaches a state and looks at it. */
export async function look(plan: Plan, moves: readonly Move[], watch: boolean): Promise<Reached> {
  const world = await reach(plan, moves, watch)
  const run = runOf(world)
  const breaches = judge(world, run)
  return {
    breaches,
    ...fingerprint(world, run),
    enabled: enabled(world),
    places: world.places.names,
    appends: world.places.appends,
  }
}

/** What a replay found. */
export interface Replayed extends ExploredRun {
  readonly breaches: readonly Breach[]
}

/**
 * Makes the moves of a counterexample again.
 *
 * @throws TurnwiseError INVALID_OPTION for a move that cannot be made: the run has become another one.
 */
export async function replay(options: ExploreOptions, moves: readonly Move[]): Promise<Replayed> {
  const unheard: unknown[] = []
  const hear = (error: unknown): void => void unheard.push(error)
  process.on('unhandledRejection', hear)
  try {
    const world = await reach(planOf(options), moves)
    const run = runOf(world)
    return { ...run, breaches: [...judge(world, run), ...unheard.map(rejection)] }
  } finally {
    process.off('unhandledRejection', hear)
  }
}

/** Nobody has heard of an error. */
export const rejection = (error: unknown): Breach => ({
  invariant: 'I-NOREJECT',
  rule: 'rejection',
  seq: null,
  message: String(error),
})
