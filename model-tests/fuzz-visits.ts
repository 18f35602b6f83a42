/**
 * Longer visits to an agent: maintenance, subscriptions, and calls with faulty arguments.
 *
 * @module
 */
import { TurnwiseError } from '../src/errors.ts'
import type { Dice } from './fuzz-chance.ts'
import { rudeWait } from './fuzz-wait.ts'
import type { World } from './fuzz-world.ts'

/** Perhaps issues a command from a place. */
type Command = (world: World, where: string) => void

/** Runs a maintenance task that calls back, waits and sometimes fails. */
export function maintain(world: World, dice: Dice, command: Command): void {
  const { agent } = world
  const fails = dice.chance(0.3)
  const promise = agent.runMaintenance(async (signal) => {
    world.count('maintenance ran')
    world.law(agent.activity === 'maintenance', 'maintenance runs beside something')
    const inTurn = world.log.ledger.openTurn !== null && world.faithful
    world.law(!inTurn, 'maintenance runs in a turn')
    world.handed(-1, signal)
    command(world, 'maintenance')
    await rudeWait(world, dice, signal)
    command(world, 'maintenance')
    if (fails) throw new Error('maintenance failed')
    return 'done'
  })
  world.promise('maintenance', promise, (error) =>
    error instanceof TurnwiseError
      ? error.code === 'AGENT_BUSY'
      : fails && (error as Error).message === 'maintenance failed',
  )
}

/** Replaces a range of the history, at rest or inside a gate, by a summary that waits, fails or is no message. */
export function compact(world: World, dice: Dice, command: Command): void {
  const { length } = world.log
  const from = dice.below(Math.max(length, 1))
  const range = { from, to: Math.min(from + dice.below(20), Math.max(from, length - 1)) }
  const way = dice.weighted({ summary: 6, fail: 1, bad: 0.5 })
  const promise = world.agent.compact(range, async (entries, signal) => {
    world.count(`summarize ${way}`)
    world.law(entries.length > 0, 'nothing was given to be summed up')
    command(world, 'summarize')
    await rudeWait(world, dice, signal)
    if (way === 'fail') throw new Error('no summary')
    return way === 'bad' ? (7 as never) : { id: world.newId('summary'), content: 'summed up' }
  })
  world.promise('compact', promise, (error) => excused(world, error))
}

const EXCUSES = ['AGENT_BUSY', 'AGENT_DISPOSED', 'INVALID_MESSAGE', 'no summary', 'FuzzRefusal']

const excused = (world: World, error: unknown): boolean =>
  EXCUSES.some((excuse) => `${codeOf(error)} ${String(error)}`.includes(excuse)) || !world.faithful

const codeOf = (error: unknown): string => (error instanceof TurnwiseError ? error.code : '')

/** Subscribes from a position and holds the subscription to order and completeness. */
export function follow(world: World, from: number, command: Command): void {
  let next = from
  const leave = world.agent.subscribe({ from }, (event) => {
    world.law(event.seq === next, 'a subscription is out of order')
    next = event.seq + 1
    command(world, 'subscriber')
  })
  world.followers.push({ leave, next: () => next })
}

/** Passes an argument that must be refused at the call, wherever it is made. */
export function faulty(world: World, dice: Dice): void {
  const { agent } = world
  const before = world.log.length
  const bad: readonly (() => unknown)[] = [
    () => agent.followup({ content: [{ type: 'text', text: 1 }] } as never),
    () => agent.steer(undefined as never),
    () => agent.send('x', { target: 'nowhere' as never }),
    () => agent.cancel('disposed' as never),
    () => agent.cancel('alien' as never),
    () => agent.inbox.append('next-turn', { content: [] as never, id: '' }),
  ]
  const disposed = world.disposing
  dice.pick(bad)()
  if (!disposed) world.problem('a faulty argument did not throw')
  if (world.log.length > before) world.problem('a faulty argument wrote something')
}
