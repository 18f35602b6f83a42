/**
 * Scenarios about sessions: processes that come and go on one store, and commands of a registry.
 *
 * Each process has a world of its own; what it hands on is what its store holds, and the rest of the model's script.
 *
 * @module
 */
import type { StoredSession } from '../../../sessions/session-store.ts'
import type { ConfiguredAgent } from '../../../sessions/registry-port.ts'
import { Latches } from '../../latches.ts'
import { settle } from '../../virtual-clock.ts'
import { looseValue } from '../loose-value.ts'
import { group } from '../phrase.ts'
import type { Life, Prepared } from '../prepare.ts'
import type { Scenario } from '../scenario.ts'
import { type Chapter, chaptersOf } from './chapters.ts'
import { crashImage } from './crash-image.ts'
import { ScenarioStore } from './scenario-store.ts'

const AGENTS = /(?:^|[;,]\s*)agents: (\[.*\])/s

/** Agents of a configuration stand among the options. */
function agentsIn(options: unknown): {
  readonly agents: readonly ConfiguredAgent[]
  readonly rest: Scenario['setup']
} {
  const text = typeof options === 'string' ? options : ''
  const list = group(AGENTS, text)
  if (list === undefined) return { agents: [], rest: {} }
  const rest = text.replace(AGENTS, '').trim()
  return {
    agents: looseValue(list) as ConfiguredAgent[],
    rest: rest === '' ? {} : { options: rest },
  }
}

/** Can anything be resumed? Otherwise the ids of disposed sessions are free. */
const isStored = (scenario: Scenario): boolean =>
  /\b(?:resume|fork|process|boot)\b/.test(JSON.stringify(scenario.commands ?? []))

/** Puts one process on the stage. */
export type PrepareLife = (scenario: Scenario, life: Life) => Prepared

/** What one process hands on to the next. */
interface Handed {
  readonly sessions: readonly StoredSession[]
  /** Requests so far. */
  readonly consumed: number
  readonly diffs: readonly string[]
}

/** The scenario without the agents of its configuration. */
function staged(scenario: Scenario): {
  readonly agents: readonly ConfiguredAgent[]
  readonly bare: Scenario
} {
  const { agents, rest } = agentsIn(scenario.setup?.options)
  if (agents.length === 0) return { agents, bare: scenario }
  const setup = Object.entries(scenario.setup ?? {}).filter(([key]) => key !== 'options')
  return { agents, bare: { ...scenario, setup: { ...Object.fromEntries(setup), ...rest } } }
}

/** Lives every process but the last to its end. @returns the last one, ready to be performed. */
export async function lastLife(scenario: Scenario, prepare: PrepareLife): Promise<Prepared> {
  const chapters = chaptersOf(scenario)
  const { agents, bare } = staged(scenario)
  const last = chapters.pop() ?? { image: false, bare: true, commands: [] }
  let handed: Handed = { sessions: [], consumed: 0, diffs: [] }
  const latches = new Latches()
  let number = 0
  const open = (
    chapter: Chapter,
  ): { readonly prepared: Prepared; readonly store: ScenarioStore } => {
    number += 1
    const store = new ScenarioStore(handed.sessions)
    const { consumed } = handed
    const stored = isStored(scenario)
    const life = { store, stored, bare: chapter.bare, consumed, agents, process: number, latches }
    return { prepared: prepare({ ...bare, commands: chapter.commands }, life), store }
  }
  for (const chapter of chapters) {
    if (chapter.image) handed = { ...handed, sessions: [crashImage(scenario)] }
    else handed = await live(open(chapter), handed)
  }
  const { prepared } = open(last)
  prepared.performer.diffs.push(...handed.diffs)
  return prepared
}

/** Performs one process, and leaves what it has stored. */
async function live(
  { prepared, store }: { readonly prepared: Prepared; readonly store: ScenarioStore },
  { consumed, diffs }: Handed,
): Promise<Handed> {
  const { performer, setup } = prepared
  await performer.perform()
  await disposed(prepared)
  const sessions = store.images()
  const made = setup.world.requests.length
  await leave(prepared)
  return { sessions, consumed: consumed + made, diffs: [...diffs, ...performer.diffs] }
}

/** A process that began to dispose its agents is not gone before they are. */
async function disposed({ setup: { world } }: Prepared): Promise<void> {
  for (const run of world.agents.values())
    if (run.disposing) await world.until(() => run.agent.status === 'disposed')
}

/** What a process leaves running belongs to nobody: it sees its end, and reaches no store. */
async function leave({ setup: { world } }: Prepared): Promise<void> {
  for (const run of world.agents.values()) run.agent.cancel('user')
  world.latches.openAll()
  await settle()
}
