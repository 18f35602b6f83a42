/**
 * The options of an exploration, checked once, with their defaults.
 *
 * @module
 */
import { createAgent } from '../../actors/agent.ts'
import type { Agent } from '../../actors/agent-handle.ts'
import type { AgentOptions } from '../../actors/agent-options.ts'
import { TurnwiseError } from '../../errors.ts'
import { isCommand } from './commands.ts'
import type { Budgets, ExploreOptions, Hands, ModelWord, OwnCommand } from './options.ts'
import { readWords, type Words } from './words.ts'

/** What an exploration goes by. */
export interface Plan {
  readonly agentOf: (hands: Hands) => AgentOptions
  readonly create: (options: AgentOptions) => Agent
  readonly words: Words
  /** By command, and of `inside`, `throw`, `refuse`, `timer`. */
  readonly budgets: ReadonlyMap<string, number>
  /** Commands with a budget, as they are tried. */
  readonly commands: readonly string[]
  /** Those that may be issued inside callbacks. */
  readonly inside: readonly string[]
  readonly places: readonly string[] | undefined
  readonly own: { readonly [name: string]: OwnCommand }
  /** Failures of acknowledged writes on one path; undefined for a log that is durable at once. */
  readonly failures: number | undefined
  readonly refusals: ReadonlySet<string> | undefined
  readonly invariants: NonNullable<ExploreOptions['invariants']>
  readonly distinguish: ExploreOptions['distinguish']
}

const BUDGETS: Budgets = { followup: 1, steer: 1, cancel: 1, dispose: 1 }
const WORDS: readonly ModelWord[] = ['text "done"', 'call c1 work']
const KINDS: ReadonlySet<string> = new Set(['inside', 'throw', 'refuse', 'timer'])

const workingAgent = ({ decide }: Hands): AgentOptions => ({
  tools: [
    {
      name: 'work',
      run: (_: never, { signal }) =>
        decide('body work', { ok: 'done', fails: new Error('work failed') }, { signal }),
    },
  ],
})

function refuse(option: string, expected: string, found: unknown): never {
  throw new TurnwiseError(
    'INVALID_OPTION',
    `option ${option} should be ${expected}, found ${String(found)}; nothing was explored.`,
  )
}

function budgetsOf(options: ExploreOptions): Map<string, number> {
  const own = Object.entries(options.commands ?? {}).map(([name, { times = 1 }]) => [name, times])
  const given = Object.entries(options.budgets ?? BUDGETS)
  for (const [name] of own) checkOwn(String(name))
  for (const [name, times] of given) checkBudget(name, times)
  return new Map<string, number>([['inside', 1], ['timer', 3], ...own, ...given] as [
    string,
    number,
  ][])
}

function checkOwn(name: string): void {
  if (isCommand(name) || KINDS.has(name))
    refuse('commands', 'named unlike those that are there', name)
}

function checkBudget(name: string, times: number): void {
  if (!isCommand(name) && !KINDS.has(name)) refuse('budgets', 'named by commands', name)
  if (!(times >= 0)) refuse(`budgets.${name}`, 'a number from 0 on', times)
}

function insideOf(options: ExploreOptions, commands: readonly string[]): readonly string[] {
  for (const name of options.inside ?? []) {
    if (!commands.includes(name)) refuse('inside', 'commands that have a budget', name)
  }
  return options.inside ?? commands
}

/** @throws TurnwiseError INVALID_OPTION; ScriptPhraseError for a word that cannot be read. */
export function planOf(options: ExploreOptions): Plan {
  const budgets = budgetsOf(options)
  const commands = [...budgets.keys()].filter((name) => !KINDS.has(name) && budgets.get(name) !== 0)
  const { log = 'memory', refusals, places, distinguish } = options
  const { agent = workingAgent, create = createAgent, model = WORDS } = options
  return {
    agentOf: agent,
    create,
    words: readWords(model),
    budgets,
    commands,
    inside: insideOf(options, commands),
    places,
    ...foreign(options),
    failures: log === 'memory' ? undefined : (log.failures ?? 1),
    refusals: refusals === undefined ? undefined : new Set(refusals),
    distinguish,
  }
}

const foreign = ({ commands = {}, invariants = {} }: ExploreOptions) => ({
  own: commands,
  invariants,
})
