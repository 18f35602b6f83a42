/**
 * Random cancels, held to their receipts: they never fail, and what they answer is what they did.
 *
 * @module
 */
import type { CancelOptions, CancelReceipt, CauseInput } from '../src/actors/agent-handle.ts'
import type { StoredEvent } from '../src/events/event.ts'
import type { Dice } from './fuzz-chance.ts'
import type { World } from './fuzz-world.ts'

function randomOptions(world: World, dice: Dice): CancelOptions {
  const { lastTurn } = world.log.ledger
  return {
    ...(dice.chance(0.35) ? { keepInbox: true } : {}),
    ...(dice.chance(0.2) ? { resume: true } : {}),
    ...(dice.chance(0.2) ? { restoreClaimed: true } : {}),
    ...(dice.chance(0.15) ? { turn: Math.max(0, lastTurn - dice.below(2)) } : {}),
    actor: world.newId('canceller'),
  }
}

const randomCause = (world: World, dice: Dice): CauseInput =>
  dice.chance(0.3)
    ? { kind: 'hook', note: world.newId('cause') }
    : dice.pick(['user', 'parent', 'hook'] as const)

/** Issues a cancel with random options. */
export function fuzzCancel(world: World, dice: Dice): void {
  const { agent, log, refused, disposing } = world
  const options = randomOptions(world, dice)
  const before = log.length
  const running = log.ledger.openTurn
  const receipt = agent.cancel(randomCause(world, dice), options)
  world.count(`cancel ${receipt.effect}`)
  if (receipt.effect === 'queued') return
  world.law(!disposing || receipt.effect === 'none', 'cancel had an effect after dispose')
  if (world.refused !== refused) return
  const own = (event: StoredEvent): boolean =>
    'actor' in event.data && event.data.actor === options.actor
  matches(world, receipt, log.read(before).filter(own))
  // A turn that the log refused to close stays open there while the agent rests.
  if (!world.faithful || receipt.effect !== 'aborted' || running === null) return
  stillOpen(world, running, options)
}

/** The events that close step and turn come in a later microtask. */
function stillOpen(world: World, turn: number, options: CancelOptions): void {
  const { log, agent } = world
  world.law(log.ledger.openTurn === turn, 'the turn closed in the microtask of its cancel')
  world.law(agent.status === 'running', 'the agent rests in the microtask of a cancel')
  world.law((options.turn ?? turn) === turn, 'a cancel hit another turn than it named')
}

function matches(
  world: World,
  { effect, discarded, turn }: CancelReceipt,
  written: readonly StoredEvent[],
): void {
  if (effect === 'none') {
    world.law(written.length === 0, 'a cancel without effect was recorded')
    return
  }
  const request = written.find((event) => event.type === 'cancel/requested')
  if (request === undefined) {
    world.problem(`a cancel with effect ${effect} was not recorded`)
    return
  }
  const same =
    request.data.discarded.join() === discarded.join() && (request.data.turn ?? undefined) === turn
  world.law(same, 'the receipt of a cancel differs from its record')
}
