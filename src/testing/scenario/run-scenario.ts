/**
 * Runs one case in the notation of the scenarios on the real product and says what differs.
 *
 * S1 Only model, tools and clock are stubs: mailbox, machines, log and projections are the product's own.
 * S2 A phrase that nobody can read is reported in `notUnderstood`, and the case does not count as passed.
 *
 * @module
 */
import { createAgent } from '../../actors/agent.ts'
import { createMemoryLog } from '../../log/memory-log.ts'
import { settle } from '../virtual-clock.ts'
import { judgeAll, see } from './expectations.ts'
import { isFolded, runFolded } from './folded.ts'
import { hintsOf } from './hints.ts'
import type { GateName } from './moment.ts'
import { countedGate } from './observe.ts'
import { readHook } from './parse-hooks.ts'
import { readOptions } from './parse-options.ts'
import { gateNamed } from './parse-place.ts'
import { readTool } from './parse-tools.ts'
import { parseVerbs } from './parse-verbs.ts'
import { parseWhen } from './parse-when.ts'
import { Performer, type Planned } from './perform.ts'
import type { Scenario, ScenarioResult } from './scenario.ts'
import type { Setup } from './setup.ts'
import { readModel, Stage, type Looks, type Product } from './stage.ts'
import { World } from './world.ts'

/** Other parts of the product, for trying a scenario on them. */
export type ScenarioOptions = Partial<Product>

function plan(scenario: Scenario, unread: string[]): Planned[] {
  return (scenario.commands ?? []).flatMap((command) => {
    const text = `${String(command.when)}: ${String(command.do)}`
    const when = parseWhen(String(command.when))
    const { verbs, unread: parts } = parseVerbs(String(command.do))
    unread.push(...parts.map((part) => `do ${JSON.stringify(part)}`))
    if (when === undefined) unread.push(`when ${JSON.stringify(String(command.when))}`)
    return when === undefined ? [] : [{ text, when, verbs }]
  })
}

/** Commands that are issued inside something, which hooks do not repeat, and doors that commands open. */
function commandedKeys(planned: readonly Planned[]): ReadonlySet<string> {
  const keys = planned.flatMap(({ when, verbs }) =>
    verbs
      .filter((verb) => when.kind === 'inside' || verb.key.startsWith('release'))
      .map((verb) => verb.key),
  )
  return new Set(keys)
}

/** What has to be looked at for the commands and the expectation. */
function looks(scenario: Scenario, planned: readonly Planned[], setup: Setup): Looks {
  const gates = new Set<GateName>(setup.gates.keys())
  const places = planned.flatMap(({ when }) => (when.kind === 'inside' ? [when.place] : []))
  for (const place of places) if (place.gate !== undefined) gates.add(place.gate)
  const observed = scenario.expect?.['observed']
  for (const key of Object.keys(observed ?? {})) {
    const gate = countedGate(key) ?? (/^tool(?:Pre|Post)$/.test(key) ? gateNamed(key) : undefined)
    if (gate !== undefined) gates.add(gate)
    if (key === 'gateCalls' && setup.gates.size === 0) gates.add('preStep')
  }
  return {
    gates,
    aborts: places.some((place) => place.kind === 'abort'),
    assembly: places.some((place) => place.kind === 'assembly'),
  }
}

function emptySetup(scenario: Scenario, world: World, planned: readonly Planned[]): Setup {
  return {
    world,
    hints: hintsOf(scenario),
    commanded: commandedKeys(planned),
    gates: new Map(),
    assemblies: [],
    refusals: [],
    tools: new Map(),
    onAgent: [],
    options: {},
    unread: [],
    contexts: [],
    noRoute: false,
  }
}

/** Sessions that commands or expectations name. */
function sessionsOf(scenario: Scenario, planned: readonly Planned[]): string[] {
  const log = (scenario.expect?.['log'] ?? []) as unknown[]
  const status = scenario.expect?.['status']
  const named = [
    's1',
    ...planned.flatMap(({ verbs }) => verbs.map((verb) => verb.session)),
    ...log.flatMap((line) => /^(s\d) /.exec(String(line))?.[1] ?? []),
    ...(typeof status === 'object' && status !== null ? Object.keys(status) : []),
  ]
  return [...new Set(named)].toSorted()
}

/** Does the expectation leave work running? */
const leavesWork = (scenario: Scenario, setup: Setup): boolean =>
  setup.hints.openTurn || scenario.expect?.['status'] === 'running'

/** Waits for the end: quiescence of every agent, or disposal. */
async function finish(scenario: Scenario, setup: Setup, performer: Performer): Promise<void> {
  const { world } = setup
  if (leavesWork(scenario, setup)) return settle()
  for (const run of world.agents.values()) {
    const calm = await world.settled(run.agent.whenIdle())
    if (!calm) performer.diffs.push(`${run.name} did not become quiescent`)
    const disposed = !run.disposing || (await world.until(() => run.agent.status === 'disposed'))
    if (!disposed) performer.diffs.push(`${run.name} was not disposed`)
  }
  for (const run of world.promises.values())
    await Promise.race([run.catch(() => undefined), settle()])
  return settle()
}

/** Work that still runs is cancelled, and open doors let go what waits. */
async function clean(world: World): Promise<void> {
  for (const run of world.agents.values()) run.agent.cancel('user')
  world.latches.openAll()
  await settle()
}

/**
 * Runs `scenario`.
 *
 * @param options - other makers of agents and logs; default: those of this library.
 */
export async function runScenario(
  scenario: Scenario,
  options: ScenarioOptions = {},
): Promise<ScenarioResult> {
  if (isFolded(scenario)) return runFolded(scenario)
  const world = new World()
  const unread: string[] = []
  const planned = plan(scenario, unread)
  const setup = emptySetup(scenario, world, planned)
  readOptions(scenario.setup?.options, setup)
  const performer = new Performer(world, planned)
  for (const hook of scenario.setup?.hooks ?? []) readHook(String(hook), setup)
  for (const tool of scenario.setup?.tools ?? []) readTool(String(tool), setup)
  const scripts = readModel(scenario, unread)
  const stage = new Stage(setup, product(options), looks(scenario, planned, setup), scripts)
  for (const name of sessionsOf(scenario, planned)) stage.open(name)
  try {
    await performer.perform()
    await finish(scenario, setup, performer)
  } catch (error) {
    performer.diffs.push(`the harness failed: ${String(error)}`)
  }
  return report(scenario, setup, performer, unread)
}

const product = (options: ScenarioOptions): Product => ({
  createAgent: options.createAgent ?? createAgent,
  createLog:
    options.createLog ??
    ((id, now) => createMemoryLog({ header: { id, formatVersion: 1, createdAt: now } })),
})

/** Commands that threw although nobody expects it. */
function unexpectedThrows(scenario: Scenario, world: World): string[] {
  const observed = JSON.stringify(scenario.expect?.['observed'] ?? {})
  if (/throws|rejects|results|answers/.test(observed)) return []
  return world.answers
    .filter((answered) => answered.threw !== undefined && !answered.stated)
    .filter((answered) => !/invalid|allow|deny|await/.test(answered.text))
    .map((answered) => `${answered.text} threw ${String(answered.threw)}`)
}

async function report(
  scenario: Scenario,
  setup: Setup,
  performer: Performer,
  unread: readonly string[],
): Promise<ScenarioResult> {
  const { world } = setup
  const seen = see(scenario, world)
  const verdicts = judgeAll(scenario, seen, world)
  const diffs = [
    ...performer.diffs,
    ...performer.missed.map((text) => `the moment of this command never came: ${text}`),
    ...verdicts.diffs,
    ...unexpectedThrows(scenario, world),
  ]
  const notUnderstood = [...unread, ...setup.unread, ...verdicts.notUnderstood]
  const events = Object.fromEntries([...world.agents].map(([name, run]) => [name, [...run.events]]))
  const diagnostics = [...world.agents.values()].flatMap((run) => run.diagnostics)
  const result: ScenarioResult = {
    id: scenario.id,
    title: scenario.title ?? '',
    ok: diffs.length === 0 && notUnderstood.length === 0,
    diffs,
    notUnderstood,
    unchecked: verdicts.unchecked,
    ...seen,
    log: [...seen.log],
    trace: [...seen.trace],
    statusTrace: [...seen.statusTrace],
    liveErrors: [...seen.liveErrors],
    observed: verdicts.observed,
    runs: Object.fromEntries(world.runs),
    diagnostics,
    events,
  }
  await clean(world)
  return result
}
