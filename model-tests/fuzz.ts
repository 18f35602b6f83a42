/**
 * Seeded simulation of whole sessions: an agent with random options among rude models, tools, gates and logs, and
 * commands from everywhere, also from inside every callback.
 *
 * The judges look at the log, the live notices and what was promised, never at the state of a machine. The same seed
 * always does the same; {@link SimulateOptions.off} leaves single decisions out, to cut a failure down.
 *
 * @module
 */
import { createAgent } from '../src/actors/agent.ts'
import type { StoredEvent } from '../src/events/event.ts'
import { command } from './fuzz-commands.ts'
import type { Dice } from './fuzz-chance.ts'
import { watchCoverage } from './fuzz-coverage.ts'
import { judgeLog } from './fuzz-judge-log.ts'
import { judgeNotices } from './fuzz-judge-notices.ts'
import { judgeDiagnostic } from './fuzz-judge-diagnostics.ts'
import { judgeRest } from './fuzz-judge-rest.ts'
import { watchLive } from './fuzz-judge-live.ts'
import { judgeRequests } from './fuzz-judge-requests.ts'
import { FuzzLog } from './fuzz-log.ts'
import { fuzzLogPlan, fuzzOptions } from './fuzz-options.ts'
import { fuzzTheme } from './fuzz-theme.ts'
import { follow } from './fuzz-visits.ts'
import { microtasks } from './fuzz-wait.ts'
import { World, type WorldOptions } from './fuzz-world.ts'

export type SimulateOptions = WorldOptions

/** What one seed did. */
export interface Simulation {
  readonly problems: readonly string[]
  /** Commands and refusals, in order. */
  readonly trace: readonly string[]
  readonly log: readonly StoredEvent[]
  /** Names of all decisions that were taken. */
  readonly decisions: readonly string[]
  /** How often each thing happened. */
  readonly coverage: ReadonlyMap<string, number>
}

/** Simulates the session of `seed`. */
export async function simulate(seed: number, options: SimulateOptions = {}): Promise<Simulation> {
  const world = new World(seed, options)
  const dice = world.chance.dice('world')
  world.theme = fuzzTheme(dice)
  world.budget = 4 + dice.below(36)
  world.intensity = dice.pick([0, 0.03, 0.12, 0.4])
  const lives = dice.chance(0.15) ? 2 : 1
  for (let life = 0; life < lives; life += 1) {
    await live(world, life, life === lives - 1)
    // A log whose last turn could not be closed must be repaired first.
    if (world.problems.size > 0 || world.log.ledger.openTurn !== null) break
  }
  return {
    problems: [...world.problems],
    trace: world.trace,
    log: world.log.read(),
    decisions: world.chance.names,
    coverage: world.coverage,
  }
}

async function live(world: World, life: number, last: boolean): Promise<void> {
  const dice = world.chance.dice(`life ${life}`)
  const { mode, plan } = fuzzLogPlan(world, dice)
  const before = life === 0 ? [] : world.log.read()
  world.begin()
  world.log = new FuzzLog(world, mode, plan, before)
  const options = fuzzOptions(world, dice)
  world.options = options
  world.strict = (options.durability ?? 'strict') === 'strict'
  world.agent = createAgent({
    ...options,
    log: world.log,
    clock: world.agentClock,
    onDiagnostic: (diagnostic) => {
      world.diagnostics.push(diagnostic)
      world.count(`diagnostic ${diagnostic.kind}`)
      judgeDiagnostic(world, diagnostic)
      command(world, 'diagnostic')
    },
    ...(world.stock ? { inspect: watchCoverage(world) } : {}),
  })
  watchLive(world)
  follow(world, 0, command)
  await act(world)
  await comeToRest(world, dice.chance(0.7) || !last)
  judgeRest(world)
  judgeNotices(world)
  judgeRequests(world)
  judgeLog(world)
}

/** Commands from outside, between which things happen. */
async function act(world: World): Promise<void> {
  const dice = world.chance.at('act')
  const rounds = 3 + dice.below(14)
  for (let round = 0; round < rounds; round += 1) {
    for (let i = dice.below(world.theme.pace); i >= 0; i -= 1) command(world, 'outside', true)
    if (dice.chance(0.3)) {
      queueMicrotask(() => {
        command(world, 'microtask', true)
      })
    }
    if (dice.chance(0.2)) {
      world.clock.after(dice.below(30), () => {
        command(world, 'timer', true)
      })
    }
    await pass(world, dice)
  }
}

/** Something passes: microtasks, a macrotask, or time. */
async function pass(world: World, dice: Dice): Promise<void> {
  const pace = dice.weighted({ microtasks: 4, macrotask: 5, time: 4, next: 3 })
  if (pace === 'microtasks') return microtasks(1 + dice.below(6))
  if (pace === 'macrotask') return world.macrotask()
  if (pace === 'time') await world.clock.advance(1 + dice.below(25))
  else await world.clock.advanceToNext()
  world.epoch += 2
}

/** Nobody commands any more: the agent must come to rest, by itself or by one cancel, and be disposable. */
async function comeToRest(world: World, dispose: boolean): Promise<void> {
  const { agent } = world
  await passTime(world, 12)
  world.becomeCalm()
  await passTime(world, 40)
  if (agent.status === 'running' || agent.activity !== 'idle') {
    world.count('needed a cancel')
    agent.cancel('user')
    await passTime(world, 40)
  }
  if (agent.status === 'running' || agent.activity !== 'idle')
    world.problem('does not come to rest')
  if (dispose || world.disposing) await disposeOf(world)
  await passTime(world, 10)
}

async function disposeOf(world: World): Promise<void> {
  let settled = false
  world.disposing = true
  world.agent.dispose({ keepInbox: true }).then(
    () => {
      settled = true
    },
    (error: unknown) => {
      settled = true
      if (!String(error).includes('disk full')) world.problem(`dispose rejected: ${String(error)}`)
    },
  )
  await passTime(world, 20)
  if (!settled) world.problem('dispose does not converge')
}

/** Lets at most `timers` timers fire, and a good deal of macrotasks pass. */
async function passTime(world: World, timers: number): Promise<void> {
  const { agent } = world
  for (let i = 0; i < timers; i += 1) {
    for (let j = 0; j < 3; j += 1) await world.macrotask()
    const fired = await world.clock.advanceToNext()
    if (!fired && agent.status !== 'running' && agent.activity === 'idle') return
  }
}
