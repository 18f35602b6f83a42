/**
 * Random commands of every kind, at every place from which somebody may call.
 *
 * What can be judged at the call is judged here: receipts, answers, and who throws.
 *
 * @module
 */
import type { InboxList } from '../src/events/event.ts'
import { AgentDisposedError, TurnwiseError } from '../src/errors.ts'
import type { Dice } from './fuzz-chance.ts'
import type { World } from './fuzz-world.ts'
import { fuzzCancel } from './fuzz-cancel.ts'
import { compact, faulty, follow, maintain } from './fuzz-visits.ts'

const VERBS = {
  followup: 8,
  steer: 5,
  inject: 4,
  send: 4,
  injectTurn: 2,
  cancel: 6,
  abort: 2,
  remove: 2,
  replace: 2,
  move: 2,
  splice: 2,
  clear: 0.7,
  approve: 3,
  maintenance: 2,
  compact: 2,
  run: 2,
  whenIdle: 4,
  dispose: 0.3,
  subscribe: 1,
  record: 0.7,
  faulty: 0.7,
} as const

type Verb = keyof typeof VERBS

/** Perhaps issues a command. @param where - names the place; `outside` is not inside any callback. */
export function command(world: World, where: string, eager = false): void {
  if (world.silent) return
  const name = world.chance.name(`at ${where}`)
  if (world.off.has(name)) return
  const dice = world.chance.dice(name)
  const targeted = where === world.theme.target
  if (!dice.chance(targeted ? 0.4 : usual(world, eager))) return
  const verb = dice.weighted(verbs(world, targeted && dice.chance(0.7) ? 12 : 1))
  world.trace.push(`${name} ${verb}`)
  issue(world, verb, dice)
}

const usual = (world: World, eager: boolean): number => (eager ? 0.8 : world.intensity)

function issue(world: World, verb: Verb, dice: Dice): void {
  world.budget -= 1
  world.count(`verb ${verb}`)
  const before = world.log.length
  try {
    DO[verb](world, dice)
  } catch (error) {
    refused(world, verb, error, before)
  }
}

function verbs({ theme }: World, endings: number): Record<Verb, number> {
  const scale = theme.endings * endings
  return {
    ...VERBS,
    cancel: VERBS.cancel * scale,
    abort: VERBS.abort * scale,
    dispose: VERBS.dispose * Math.min(scale, 2),
    approve: VERBS.approve * theme.approvals,
  }
}

/** What a verb may throw at a living agent, beside what the log refuses with. */
const THROWS: { readonly [verb in Verb]?: readonly string[] } = {
  approve: ['APPROVAL_CLOSED'],
  maintenance: ['AGENT_BUSY'],
  faulty: ['INVALID_MESSAGE', 'INVALID_OPTION'],
}

const nameOf = (error: unknown): string =>
  error instanceof TurnwiseError ? error.code : (error as Error).name

/** Verbs that throw by nature of their arguments; all others throw only for a disposed agent. */
function refused(world: World, verb: Verb, error: unknown, before: number): void {
  const name = nameOf(error)
  world.count(`threw ${verb} ${name}`)
  if (error instanceof AgentDisposedError) {
    world.law(world.disposing, `${verb} threw AGENT_DISPOSED on a living agent`)
    world.law(world.log.length === before, `${verb} was refused and wrote something`)
    return
  }
  const allowed = ['DUPLICATE_ID', 'FuzzRefusal', ...(THROWS[verb] ?? [])]
  world.law(allowed.includes(name), `${verb} threw ${String(error).slice(0, 140)}`)
}

const LISTS: readonly InboxList[] = ['next-turn', 'next-step']

/** A pending id, or one that is not. */
function pendingId(world: World, dice: Dice): string {
  const { nextTurn, nextStep } = world.agent.inbox
  const all = [...nextStep, ...nextTurn].map((entry) => entry.message.id)
  return all.length > 0 && dice.chance(0.9) ? dice.pick(all) : 'nobody'
}

function receipt(world: World, verb: string, id: string, position: number): void {
  world.receipts.push({ id, verb, position })
}

const message = (world: World, dice: Dice) => {
  const id = world.anyId(dice)
  return { id, content: `say ${id}` }
}

const DO: { readonly [verb in Verb]: (world: World, dice: Dice) => void } = {
  followup(world, dice) {
    const position = world.log.length
    receipt(world, 'followup', world.agent.followup(message(world, dice)), position)
  },
  steer(world, dice) {
    const position = world.log.length
    receipt(world, 'steer', world.agent.steer(message(world, dice)), position)
  },
  inject(world, dice) {
    const position = world.log.length
    receipt(world, 'inject', world.agent.inject(message(world, dice)), position)
  },
  send(world, dice) {
    const position = world.log.length
    const options = { target: dice.pick(LISTS), wake: dice.chance(0.5) }
    receipt(world, 'send', world.agent.send(message(world, dice), options), position)
  },
  injectTurn(world, dice) {
    const position = world.log.length
    world.injectedAt = position
    const id = world.agent.inject(message(world, dice), { turn: true })
    receipt(world, 'injectTurn', id, position)
  },
  cancel: (world, dice) => {
    fuzzCancel(world, dice)
  },
  abort(world, dice) {
    world.agent.abort(dice.pick(['user', 'parent', 'hook'] as const), {
      restoreClaimed: dice.chance(0.3),
    })
  },
  remove(world, dice) {
    world.agent.inbox.remove(pendingId(world, dice))
  },
  replace(world, dice) {
    const id = pendingId(world, dice)
    const by = dice.chance(0.2) ? { id, content: 'same id' } : message(world, dice)
    world.agent.inbox.replace(id, by)
  },
  move(world, dice) {
    const index = dice.pick([0, 1, -1, Infinity, Number.NaN])
    world.agent.inbox.move(pendingId(world, dice), dice.pick(LISTS), index)
  },
  splice(world, dice) {
    const messages = Array.from({ length: dice.below(3) }, () => message(world, dice))
    const start = dice.pick([0, 1, -1, Infinity, -Infinity, Number.NaN])
    world.agent.inbox.splice(dice.pick(LISTS), start, dice.below(3), messages)
  },
  clear(world) {
    world.agent.inbox.clear()
  },
  approve(world, dice) {
    const call = dice.chance(0.9) ? (openQuestion(world, dice) ?? 'nothing') : 'nothing'
    world.agent.approve(call, dice.chance(0.7) ? 'allow' : 'deny')
  },
  maintenance: (world, dice) => {
    maintain(world, dice, command)
  },
  compact: (world, dice) => {
    compact(world, dice, command)
  },
  run(world, dice) {
    const input = message(world, dice)
    const timeout = dice.chance(0.2) ? { timeoutMs: 1 + dice.below(30) } : {}
    const how = dice.chance(0.3) ? ({ concurrentRuns: 'reject' } as const) : {}
    const promise = world.agent.run(input, { ...timeout, ...how })
    world.promise('run', promise, (error) => isCode(error, RUN_CODES) || isRefusal(error))
  },
  whenIdle(world) {
    const promise = world.agent.whenIdle()
    world.promise('whenIdle', promise, (error) => isCode(error, ['SELF_WAIT']))
  },
  dispose(world, dice) {
    world.disposing = true
    const promise = world.agent.dispose({ keepInbox: dice.chance(0.5) })
    world.promise(
      'dispose',
      promise,
      (error) => isCode(error, ['SELF_WAIT']) || String(error).includes('disk full'),
    )
  },
  subscribe(world, dice) {
    follow(world, dice.below(world.log.length + 1), command)
  },
  record(world, dice) {
    world.agent.record({ type: 'fuzz/note', data: { n: dice.below(9) }, optional: true })
  },
  faulty: (world, dice) => {
    faulty(world, dice)
  },
}

const RUN_CODES = [
  'RUN_IN_PROGRESS',
  'RUN_TIMEOUT',
  'AGENT_DISPOSED',
  'DUPLICATE_ID',
  'SELF_WAIT',
] as const

const isRefusal = (error: unknown): boolean => (error as Error | null)?.name === 'FuzzRefusal'

const isCode = (error: unknown, codes: readonly string[]): boolean =>
  error instanceof TurnwiseError && codes.includes(error.code)

function openQuestion(world: World, dice: Dice): string | undefined {
  const open = new Set<string>()
  for (const event of world.log.read()) {
    if (event.type === 'approval/asked') open.add(event.data.call.key)
    if (event.type === 'approval/decided') open.delete(event.data.call.key)
  }
  return open.size === 0 ? undefined : dice.pick([...open])
}
