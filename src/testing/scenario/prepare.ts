/**
 * Reads a whole scenario and puts it on the stage: agents, hooks, tools, script, and the commands in their order.
 *
 * @module
 */
import { createAgent } from '../../actors/agent.ts'
import { createMemoryLog } from '../../log/memory-log.ts'
import type { Latches } from '../latches.ts'
import { installGoals, isGoalCase } from './goals/goal-case.ts'
import { hintsOf } from './hints.ts'
import type { GateName } from './moment.ts'
import { countedGate } from './observe.ts'
import { readHook } from './parse-hooks.ts'
import { readOptions } from './parse-options.ts'
import { gateNamed } from './parse-place.ts'
import { readTool } from './parse-tools.ts'
import { parseVerbs, readVerb } from './parse-verbs.ts'
import { parseWhen } from './parse-when.ts'
import { Performer, type Planned } from './perform.ts'
import { readModel } from './read-model.ts'
import type { Scenario } from './scenario.ts'
import type { ConfiguredAgent } from '../../sessions/registry-port.ts'
import { ScenarioHouse } from './sessions/house.ts'
import type { ScenarioStore } from './sessions/scenario-store.ts'
import type { Setup } from './setup.ts'
import { Stage, type Looks, type Product } from './stage.ts'
import { World } from './world.ts'

/** Other parts of the product, for trying a scenario on them. */
export type ScenarioOptions = Partial<Product>

function plan(scenario: Scenario, unread: string[]): Planned[] {
  const planned = (scenario.commands ?? []).flatMap((command) =>
    readCommand(String(command.when), String(command.do), unread),
  )
  const first = planned.find(({ when }) => when.kind !== 'inside')
  // A script that begins by waiting for something implies the prompt that sets it off.
  return first?.when.kind === 'reach'
    ? [...readCommand('idle', 'followup A', unread), ...planned]
    : planned
}

function readCommand(whenText: string, doText: string, unread: string[]): Planned[] {
  const when = parseWhen(whenText)
  const { verbs, unread: parts } = parseVerbs(doText)
  unread.push(...parts.map((part) => `do ${JSON.stringify(part)}`))
  if (when === undefined) unread.push(`when ${JSON.stringify(whenText)}`)
  return when === undefined ? [] : [{ text: `${whenText}: ${doText}`, when, verbs }]
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

/** Gates that the probe of the expectation looks at. */
function observedGates(observed: unknown, setup: Setup): GateName[] {
  const keys = Object.keys(observed ?? {})
  const counted = keys.map(
    (key) => countedGate(key) ?? (/^tool(?:Pre|Post)$/.test(key) ? gateNamed(key) : undefined),
  )
  const any = keys.includes('gateCalls') && setup.gates.size === 0 ? (['preStep'] as const) : []
  return [...counted.filter((gate) => gate !== undefined), ...any]
}

/** What has to be looked at for the commands and the expectation. */
function looks(scenario: Scenario, planned: readonly Planned[], setup: Setup): Looks {
  const places = planned.flatMap(({ when }) => (when.kind === 'inside' ? [when.place] : []))
  const named = places.map((place) => place.gate).filter((gate) => gate !== undefined)
  const kinds = new Set(places.map((place) => place.kind))
  return {
    gates: new Set([...named, ...observedGates(scenario.expect?.['observed'], setup)]),
    aborts: kinds.has('abort'),
    assembly: kinds.has('assembly'),
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
    houseHooks: [],
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

const product = (options: ScenarioOptions): Product => ({
  createAgent: options.createAgent ?? createAgent,
  createLog:
    options.createLog ??
    ((id, now) => createMemoryLog({ header: { id, formatVersion: 1, createdAt: now } })),
})

/** One process of several, or of a scenario about a registry. */
export interface Life {
  readonly store: ScenarioStore
  /** Can its sessions be resumed? */
  readonly stored: boolean
  /** No session is opened for it. */
  readonly bare: boolean
  /** Requests that earlier processes have made: the script goes on behind them. */
  readonly consumed: number
  readonly agents: readonly ConfiguredAgent[]
  /** Counts the processes from 1. */
  readonly process: number
  /** Doors: where an earlier process waited when it ended, nobody waits again. */
  readonly latches: Latches
}

/** The rest of the scripts, behind what earlier processes have asked for. */
function rest(scripts: ReturnType<typeof readModel>, consumed: number): typeof scripts {
  if (consumed === 0) return scripts
  const entries = [...scripts].map(([name, list]) => {
    const unrolled = list.flatMap(({ times = 1, ...entry }) =>
      Array.from({ length: Math.min(times, 64) }, () => entry),
    )
    return [name, unrolled.slice(consumed)] as const
  })
  return new Map(entries)
}

/** Opens the sessions; those of a process stand in its store and in its registry. */
function openAll(stage: Stage, names: readonly string[], life: Life | undefined): void {
  if (life === undefined) {
    for (const name of names) stage.open(name)
    return
  }
  const house = new ScenarioHouse(stage, life)
  stage.setup.world.house = house
  for (const name of names) {
    // Where no session exists yet, an agent of its own stands in for it until one does.
    if (life.bare) stage.open(name)
    else
      house.adopt(
        stage.open(name, (id, now) => life.store.make({ id, formatVersion: 1, createdAt: now })),
      )
  }
}

/** Reads everything into a stage with its agents, and the performer of the commands. */
export function prepare(
  scenario: Scenario,
  options: ScenarioOptions,
  unread: string[],
  life?: Life,
): Prepared {
  const world = new World(life?.latches)
  world.readCommand = readVerb
  const planned = plan(scenario, unread)
  const setup = emptySetup(scenario, world, planned)
  const performer = new Performer(world, planned, logOf(scenario).includes('error:SELF_WAIT'))
  readSetup(scenario, planned, setup)
  if (isGoalCase(scenario)) installGoals(scenario, setup)
  const scripts = rest(readModel(scenario, unread), life?.consumed ?? 0)
  const stage = new Stage(setup, product(options), looks(scenario, planned, setup), scripts)
  openAll(stage, sessionsOf(scenario, planned), life)
  return { setup, performer }
}

/** Options, hooks and tools. */
function readSetup(scenario: Scenario, planned: readonly Planned[], setup: Setup): void {
  const { hooks = [], tools } = scenario.setup ?? {}
  readOptions(scenario.setup?.options, setup)
  for (const hook of [...hooks.map(String), ...impliedHooks(scenario, planned)])
    readHook(hook, setup)
  for (const tool of tools ?? impliedTools(scenario)) readTool(String(tool), setup)
}

/** What is ready to be performed. */
export interface Prepared {
  readonly setup: Setup
  readonly performer: Performer
}

const logOf = (scenario: Scenario): string => JSON.stringify(scenario.expect?.['log'] ?? [])

/** A command that waits for an approval implies that somebody asks for one. */
const impliedHooks = (scenario: Scenario, planned: readonly Planned[]): string[] => {
  const asked = planned.some(({ text }) => /^(?:the )?(?:approval|question) /.test(text))
  const answered = JSON.stringify(scenario.setup?.hooks ?? []).includes('asks')
  return asked && !answered ? ['toolPre asks'] : []
}

/** Tools that scripts call where the setup names none; a log that knows them as unknown has none. */
const impliedTools = (scenario: Scenario): string[] => {
  if (logOf(scenario).includes('UNKNOWN_TOOL')) return []
  const scripts = JSON.stringify(scenario.setup?.model ?? [])
  return [...new Set([...scripts.matchAll(/\bcall \S+ (\w+)/g)].map((hit) => hit[1] ?? ''))]
}
