/**
 * How rude code waits: not at all, some microtasks, a macrotask, some time, until the abort, or as long as it pleases.
 *
 * @module
 */
import { macrotask } from '../src/testing/virtual-clock.ts'
import type { Dice } from './fuzz-chance.ts'
import type { World } from './fuzz-world.ts'

const WAITS = {
  none: 8,
  microtasks: 6,
  macrotask: 2,
  time: 2,
  abort: 1,
  slowAbort: 0.5,
  deaf: 0.4,
} as const

/** Some microtasks. */
export async function microtasks(n: number): Promise<void> {
  for (let i = 0; i < n; i += 1) await Promise.resolve()
}

type Wait = (world: World, dice: Dice, signal: AbortSignal) => Promise<void>

const HOW: { readonly [way in keyof typeof WAITS]: Wait } = {
  none: async () => {},
  microtasks: (_, dice) => microtasks(1 + dice.below(5)),
  macrotask: () => macrotask(),
  time: (world, dice) => world.pause(1 + dice.below(40)),
  abort: (world, _, signal) => Promise.race([aborted(signal), world.untilCalm()]),
  async slowAbort(world, dice, signal) {
    await Promise.race([aborted(signal), world.untilCalm()])
    await world.pause(1 + dice.below(15))
  },
  deaf: (world) => world.untilCalm(),
}

/** Waits in one of the ways; a deaf one ends when the world is calm. */
export async function rudeWait(world: World, dice: Dice, signal: AbortSignal): Promise<void> {
  if (world.calm) return
  const { rudeness } = world.theme
  const way = dice.weighted({
    ...WAITS,
    time: WAITS.time * rudeness,
    abort: WAITS.abort * rudeness,
    slowAbort: WAITS.slowAbort * rudeness,
    deaf: WAITS.deaf * rudeness,
  })
  if (way !== 'none') await HOW[way](world, dice, signal)
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
