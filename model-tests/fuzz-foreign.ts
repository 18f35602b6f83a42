/**
 * What every piece of foreign code looks at when it is called: nothing new may start in an aborted or closed turn.
 *
 * @module
 */
import { command } from './fuzz-commands.ts'
import type { World } from './fuzz-world.ts'

/** Where foreign code is called. */
interface At {
  readonly turn: number
  readonly step: number
  readonly signal: AbortSignal
}

/** Foreign code was entered. @param drains - this kind may also run while an aborted turn drains. */
export function entered(world: World, what: string, at: At, drains = false): void {
  world.count(`called ${what}`)
  if (!drains && at.signal.aborted) world.problem(`${what} was called with an aborted signal`)
  if (!drains && world.abortedTurns.has(at.turn))
    world.problem(`${what} was called after the cancel of its turn`)
  if (world.log.ledger.openTurn !== at.turn) world.problem(`${what} was called outside its turn`)
  world.handed(at.turn, at.signal)
  if (world.takes('abort listener', 0.25)) {
    at.signal.addEventListener('abort', () => {
      command(world, 'abort listener')
    })
  }
}
