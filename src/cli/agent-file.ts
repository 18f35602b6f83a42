/**
 * An agent of the user's own: the default export of a file, instead of the one that reads a folder.
 *
 * @module
 */
import type { Agent } from '../actors/agent-handle.ts'
import type { AgentOptions } from '../actors/agent-options.ts'
import { SetupFault, UsageFault } from './fault.ts'
import type { Env } from './providers.ts'
import type { Secrets } from './secrets.ts'
import { defaultExportOf, pathOfModule } from './user-module.ts'
import { modelWithout, toolWithout } from './without-secrets.ts'

/** What an agent file is given. */
export interface AgentFileInput {
  /** The folder of `--dir`. */
  readonly dir: string
  readonly env: Env
  /** The agent, once it was made: for tools and gates that command it. */
  readonly agent: () => Agent
}

/** @throws UsageFault when there is no such file. */
export const findAgentFile = (file: string, cwd: string): Promise<string> =>
  pathOfModule(file, cwd, (why) => new UsageFault(`--agent: ${file} cannot be read (${why})`))

/**
 * Makes the options of an agent from its file. What the log gets of its model and its tools holds no secret.
 *
 * @throws SetupFault when the file does not load or exports no agent; what its function throws.
 */
export async function agentFrom(
  path: string,
  input: AgentFileInput,
  secrets: Secrets,
): Promise<AgentOptions> {
  const exported = await defaultExportOf(path, (why, cause) =>
    wrong(path, `found that it does not load: ${why}`, cause),
  )
  const made: unknown =
    typeof exported === 'function'
      ? await (exported as (input: AgentFileInput) => unknown)(input)
      : exported
  if (typeof made !== 'object' || made === null || Array.isArray(made))
    throw wrong(path, `found ${made === undefined ? 'none' : 'something else'}`)
  return hidden(made, secrets)
}

function hidden(options: AgentOptions, secrets: Secrets): AgentOptions {
  const { model, tools } = options
  return {
    ...options,
    ...(model !== undefined && { model: modelWithout(secrets, model) }),
    ...(Array.isArray(tools) && { tools: tools.map((tool) => toolWithout(secrets, tool)) }),
  }
}

const wrong = (path: string, found: string, cause?: unknown): SetupFault =>
  new SetupFault(
    'INVALID_OPTION',
    `expected options of createAgent, or a function that makes them, as the default export of ${path}, ${found}; nothing was created`,
    { cause },
  )
