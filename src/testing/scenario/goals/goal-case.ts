/**
 * Scenarios about goals: the service that their agents get, and the variants that one case may list.
 *
 * @module
 */
import { createGoals } from '../../../sessions/goals/goals.ts'
import { group, splitTop } from '../phrase.ts'
import type { Scenario } from '../scenario.ts'
import type { Setup } from '../setup.ts'
import type { AgentRun, World } from '../world.ts'

type Command = NonNullable<Scenario['commands']>[number]

/** Is the scenario about a goal? */
export const isGoalCase = (scenario: Scenario): boolean =>
  /\bGO-\d/.test(scenario.id) ||
  /\b(?:arm|set|resume|complete|pause|edit)s? (?:a |the )?goal\b/.test(
    JSON.stringify([scenario.commands ?? [], scenario.setup?.hooks ?? []]),
  )

/** As many rounds as are stated, else as many as the script has answers for: a goal would go on beyond its end. */
function maxRounds({ setup }: Scenario): number | undefined {
  const found = group(/maxGoalRounds\W+(\d+)/, JSON.stringify(setup?.options ?? ''))
  if (found !== undefined) return Number(found)
  const scripts = Array.isArray(setup?.model) ? (setup.model as unknown[]).map(String) : []
  const answers = scripts
    .filter((entry) => !/^(?:error|throw)\b/.test(entry))
    .map((entry) => Number(group(/ x(\d+)$/, entry) ?? 1))
  return answers.length === 0 ? undefined : answers.reduce((sum, n) => sum + n)
}

/** Gives every agent of the scenario a goal service, and counts its checkpoints. */
export function installGoals(scenario: Scenario, setup: Setup): void {
  const maxGoalRounds = maxRounds(scenario)
  const goals = createGoals(maxGoalRounds === undefined ? {} : { maxGoalRounds })
  for (const tool of goals.tools) setup.tools.set(tool.name, tool)
  setup.onAgent.push((run) => {
    setup.world.values.set(`goal of ${run.name}`, goals.attach(run.agent))
    countCheckpoints(setup.world, run)
  })
}

/** Notes how long the log was at each checkpoint. */
function countCheckpoints(world: World, { name, agent }: AgentRun): void {
  const seen: number[] = []
  world.values.set(`checkpoints of ${name}`, seen)
  const { log } = agent
  const flush = log.flush.bind(log)
  Object.assign(log, {
    flush() {
      seen.push(log.length)
      return flush()
    },
  })
}

/** What one word of a list of variants stands for. */
interface Variant {
  readonly model?: readonly string[]
  readonly hooks?: readonly string[]
  readonly commands: readonly Command[]
}

const ARM: Command = { when: 'idle', do: 'arm goal' }
const VARIANTS: readonly (readonly [RegExp, Variant])[] = [
  [
    /running listener/,
    { commands: [ARM, { when: 'inside status running listener', do: 'cancel user' }] },
  ],
  [
    /during preStep|while gating|claimed/,
    {
      hooks: ['preStep waits for abort'],
      commands: [ARM, { when: 'gate waiting', do: 'cancel user' }],
    },
  ],
  [/while streaming|admitted/, { commands: [ARM, { when: 'model streaming', do: 'cancel user' }] }],
  [
    /human turn (?:is )?cancell?ed|unrelated abort/,
    {
      model: ['hang "x"'],
      commands: [
        { when: 'idle', do: 'followup H' },
        { when: 'same tick', do: 'arm goal' },
        { when: 'model streaming', do: 'cancel user' },
      ],
    },
  ],
  [/round (?:errors|fails)|model error/, { model: ['error SERVER'], commands: [ARM] }],
  [/max-tokens/, { model: ['text "x" finishing max-tokens'], commands: [ARM] }],
  [
    /(?:checkpoint|flush) (?:rejects|fails)|flush failure/,
    { model: ['text "never"'], commands: [{ when: 'idle', do: 'store rejects; arm goal' }] },
  ],
]

/** A command at a moment of a round implies that the goal was armed before. */
export function armed(scenario: Scenario): Scenario {
  const { commands = [] } = scenario
  const [first] = commands
  const implied = /\bround\b|\bgoal insertion\b/.test(String(first?.when))
  return implied ? { ...scenario, commands: [ARM, ...commands] } : scenario
}

/** The cases that a list of variants stands for; undefined where the case lists none. */
export function goalVariants(scenario: Scenario): readonly Scenario[] | undefined {
  const [only, ...others] = scenario.commands ?? []
  if (only?.when !== 'variants' || others.length > 0) return undefined
  return splitTop(String(only.do), /\s*[;,]\s*/).map((text) => variantOf(scenario, text))
}

function variantOf(scenario: Scenario, text: string): Scenario {
  const found = VARIANTS.find(([pattern]) => pattern.test(text))?.[1]
  const id = `${scenario.id} (${text})`
  if (found === undefined) return { ...scenario, id, commands: [{ when: 'idle', do: text }] }
  const { commands, model, hooks = [] } = found
  const given = scenario.setup ?? {}
  const setup = {
    ...given,
    ...(model === undefined ? {} : { model }),
    hooks: [...(given.hooks ?? []), ...hooks],
  }
  return { ...scenario, id, setup, commands }
}
