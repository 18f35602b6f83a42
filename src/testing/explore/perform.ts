/**
 * Makes one move of a run and waits until the agent is quiet: until nothing is left that needs no further move.
 *
 * @module
 */
import { TurnwiseError } from '../../errors.ts'
import { macrotask } from '../virtual-clock.ts'
import type { Move } from './options.ts'
import { Places } from './places.ts'
import type { World } from './world.ts'

/** Microtasks of a move at which a command may be issued. */
const TICKS = 40
/** Macrotasks after which a run that is not quiet will never be. */
const PATIENCE = 200

/** Name of the question about a call. */
export const APPROVAL = 'approval '

function apply(world: World, move: Move): void {
  if ('command' in move) {
    world.issue(move.command)
    world.wait()
  } else if ('timer' in move) {
    world.spend('timer')
    world.lateWrites()
    world.clock.fireNext()
  } else if (move.settle.startsWith(APPROVAL)) {
    world.agent.approve(move.settle.slice(APPROVAL.length), move.answer as 'allow' | 'deny')
  } else {
    world.settle(move.settle, move.answer)
  }
}

/** Gives every microtask that follows something a place of its own. */
async function ticks(world: World): Promise<void> {
  let { changes } = world
  for (let tick = 1; tick <= TICKS; tick += 1) {
    await Promise.resolve()
    if (world.changes === changes) continue
    world.visit(`tick ${tick}`)
    changes = world.changes
  }
}

/** Two macrotasks at least: what a callback of the first has set off runs before the second. */
async function quiet(world: World): Promise<void> {
  let still = 0
  for (let passed = 0; still < 2; passed += 1) {
    const { changes } = world
    await macrotask()
    still = world.changes === changes ? still + 1 : passed === 0 ? 1 : 0
    if (passed < PATIENCE) continue
    world.seen.faults.push(`the agent is not quiet after ${PATIENCE} macrotasks`)
    return
  }
}

/** How a move is written in messages. */
export function nameOf(move: Move): string {
  const made =
    'command' in move ? move.command : 'timer' in move ? 'timer' : `${move.settle}: ${move.answer}`
  const issued = (move.inside ?? []).map(({ at, issue }) => `, inside ${at}: ${issue}`)
  return `${made}${issued.join('')}${move.refuse === undefined ? '' : `, refused: ${move.refuse}`}`
}

/**
 * Makes a move.
 *
 * @param watch - every place inside it is wanted, microtasks too.
 * @throws TurnwiseError INVALID_OPTION when the move cannot be made, or what was to happen inside it did not.
 */
export async function perform(world: World, move: Move, watch: boolean): Promise<void> {
  world.places = new Places(move, watch)
  world.trace?.({ what: 'move', move })
  apply(world, move)
  world.visit('same tick')
  if (watch || move.inside?.some(({ at }) => at.startsWith('tick ')) === true) void ticks(world)
  await quiet(world)
  const { missing } = world.places
  if (missing === undefined) return
  throw new TurnwiseError(
    'INVALID_OPTION',
    `expected ${JSON.stringify(nameOf(move))} to come to all its places, but ${missing} never came; no further move was made. The run has become another one: explore again.`,
  )
}
