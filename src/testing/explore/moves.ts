/**
 * Which moves can be made: those of a quiet run, and what may happen inside each of them.
 *
 * @module
 */
import { approvals } from '../../projections/approvals.ts'
import { fold } from '../../projections/projection.ts'
import type { Move } from './options.ts'
import { APPROVAL } from './perform.ts'
import type { Plan } from './plan.ts'
import type { World } from './world.ts'

/** What may be done in a state: whole moves, and commands that are left for the inside of one. */
export interface Enabled {
  readonly moves: readonly Move[]
  readonly inside: readonly string[]
  readonly refusals: boolean
}

const kept = new Map<string, Move>()

/** Equal moves are one object: there are few of them, and every state holds some. */
export function shared(move: Move): Move {
  const key = JSON.stringify(move)
  const known = kept.get(key)
  if (known === undefined) kept.set(key, move)
  return known ?? move
}

function settlements(world: World): Move[] {
  return world.decisions.waiting.flatMap(({ label, pending }) =>
    pending.answers
      .filter(
        (answer) => world.left(`${pending.name}=${answer}`, pending.times[answer] ?? Infinity) > 0,
      )
      .map((answer) => shared({ settle: label, answer })),
  )
}

/** Open questions about calls: they are asked in the log, and answered by a command. */
export function questions({ log, openTurn }: World): readonly string[] {
  if (openTurn === null || !log.read().some(({ type }) => type === 'approval/asked')) return []
  return fold(approvals, log.read()).open.map(({ call }) => `${APPROVAL}${call.key}`)
}

const answers = (world: World): Move[] =>
  questions(world).flatMap((settle) =>
    ['allow', 'deny'].map((answer) => shared({ settle, answer })),
  )

function timers(world: World): Move[] {
  if (world.clock.waiting === 0) return []
  // What ends must end: a disposal may wait for as many timers as it needs.
  const free = world.seen.disposals.length > 0
  return free || world.left('timer') > 0 ? [shared({ timer: true })] : []
}

/** What can be done with a quiet run. */
export function enabled(world: World): Enabled {
  const { plan, agent } = world
  const left = plan.commands.filter((name) => world.left(name) > 0)
  const inside = world.left('inside') > 0 ? left.filter((name) => plan.inside.includes(name)) : []
  const commands = agent.status === 'disposed' ? [] : left
  return {
    moves: [
      ...settlements(world),
      ...answers(world),
      ...timers(world),
      ...commands.map((command) => shared({ command })),
    ],
    inside: world.left('throw') > 0 ? [...inside, 'throw'] : inside,
    refusals: world.left('refuse') > 0,
  }
}

/** Places at which a throw is the agent's to contain. */
const CONTAINED = /^(?:durable|told|gate|body|model|undo)\b/

/** A move that was made: what it came to, and what is left behind it. */
export interface MoveMade {
  readonly places: readonly string[]
  readonly appends: readonly string[]
  readonly enabled: Enabled
}

/** May the budget of the state before pay for `command` inside this move? What the move itself does is paid first. */
function affords(command: string, move: Move, before: Enabled, after: Enabled): boolean {
  if (!before.inside.includes(command)) return false
  const used = 'command' in move && move.command === command
  return !(used || move.inside !== undefined) || after.inside.includes(command)
}

/** What may happen inside `move` beside what happens there already, given what it came to: always behind that. */
export function variants(plan: Plan, before: Enabled, move: Move, made: MoveMade): Move[] {
  const { inside = [] } = move
  const last = inside.at(-1)
  const from = last === undefined ? 0 : made.places.indexOf(last.at) + 1
  const places = made.places
    .slice(from)
    .filter((at) => plan.places === undefined || plan.places.some((start) => at.startsWith(start)))
  const issued = places.flatMap((at) =>
    before.inside
      .filter((issue) => issue !== 'throw' || CONTAINED.test(at))
      .filter((issue) => affords(issue, move, before, made.enabled))
      .map((issue) => shared({ ...move, inside: [...inside, { at, issue }] })),
  )
  if (!before.refusals || move.refuse !== undefined || last !== undefined) return issued
  const refused = made.appends.filter(
    (type) => plan.refusals?.has(type.replace(/ #\d+$/, '')) !== false,
  )
  return [...issued, ...refused.map((type) => shared({ ...move, refuse: type }))]
}
