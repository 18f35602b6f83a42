/**
 * Runs one case in the notation of the scenarios on the real product and says what differs.
 *
 * S1 Only model, tools and clock are stubs: mailbox, machines, log and projections are the product's own.
 * S2 A phrase that nobody can read is reported in `notUnderstood`, and the case does not count as passed.
 *
 * @module
 */
import { settle } from '../virtual-clock.ts'
import { isChildCase, runChildCase } from './children/child-case.ts'
import { judgeAll, see } from './expectations.ts'
import { isFolded, runFolded } from './folded.ts'
import { armed, goalVariants, isGoalCase } from './goals/goal-case.ts'
import type { Performer } from './perform.ts'
import { prepare, type ScenarioOptions } from './prepare.ts'
import type { Scenario, ScenarioResult } from './scenario.ts'
import { hasLives } from './sessions/chapters.ts'
import { lastLife } from './sessions/lives.ts'
import { isRepairCase, runRepairCase } from './sessions/repair-case.ts'
import type { Setup } from './setup.ts'
import type { World } from './world.ts'

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
  if (isRepairCase(scenario)) return runRepairCase(scenario)
  if (isChildCase(scenario)) return runChildCase(scenario)
  if (isGoalCase(scenario)) {
    const variants = goalVariants(scenario)
    if (variants !== undefined) return runVariants(scenario, variants, options)
    return runOne(armed(scenario), options)
  }
  return runOne(scenario, options)
}

async function runOne(scenario: Scenario, options: ScenarioOptions): Promise<ScenarioResult> {
  const unread: string[] = []
  const { setup, performer } = hasLives(scenario)
    ? await lastLife(scenario, (one, life) => prepare(one, options, unread, life))
    : prepare(scenario, options, unread)
  try {
    await performer.perform()
    await finish(scenario, setup, performer)
  } catch (error) {
    performer.diffs.push(`the harness failed: ${String(error)}`)
  }
  setup.world.house?.conclude()
  return report(scenario, setup, performer, unread)
}

/** Runs every variant of a case; what differs names its variant. */
async function runVariants(
  scenario: Scenario,
  variants: readonly Scenario[],
  options: ScenarioOptions,
): Promise<ScenarioResult> {
  const results: ScenarioResult[] = []
  for (const variant of variants) results.push(await runScenario(variant, options))
  const all = (field: 'diffs' | 'notUnderstood' | 'unchecked'): string[] =>
    results.flatMap((result) => result[field].map((text) => `${result.id}: ${text}`))
  const last = results.at(-1) as ScenarioResult
  return {
    ...last,
    id: scenario.id,
    title: scenario.title ?? '',
    ok: results.every(({ ok }) => ok),
    diffs: all('diffs'),
    notUnderstood: all('notUnderstood'),
    unchecked: all('unchecked'),
  }
}

const codeOf = (error: unknown): string => String((error as { code?: unknown }).code)

/** Commands that threw although nobody expects it. */
function unexpectedThrows(scenario: Scenario, world: World): string[] {
  const observed = JSON.stringify(scenario.expect?.['observed'] ?? {})
  if (/throws|rejects|results|answers/.test(observed)) return []
  return (
    world.answers
      .filter((answered) => answered.threw !== undefined && !answered.stated)
      .filter((answered) => !/invalid|allow|deny|await|flush/.test(answered.text))
      // A promise that is refused to its own agent and that nobody awaits is harmless; a send to an agent that is
      // going is refused with a typed error and changes nothing.
      .filter(({ threw }) => !/^(?:SELF_WAIT|AGENT_DISPOSED)$/.test(codeOf(threw)))
      .map((answered) => `${answered.text} threw ${String(answered.threw)}`)
  )
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

export type { ScenarioOptions }
