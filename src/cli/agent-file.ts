/**
 * An agent of the user's own: the default export of a file, instead of the one that reads a folder.
 *
 * @module
 */
import { access } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Agent } from '../actors/agent-handle.ts'
import type { AgentOptions } from '../actors/agent-options.ts'
import { causeChain } from '../errors.ts'
import { SetupFault, UsageFault } from './fault.ts'
import type { Env } from './providers.ts'
import type { Secrets } from './secrets.ts'
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
export async function findAgentFile(file: string, cwd: string): Promise<string> {
  const path = resolve(cwd, file)
  await access(path).catch((error: unknown) => {
    throw new UsageFault(`--agent: ${file} cannot be read (${causeChain(error)})`)
  })
  return path
}

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
  const found = await import(pathToFileURL(path).href).catch((error: unknown) => {
    throw wrong(path, `found that it does not load: ${causeChain(error)}`, error)
  })
  const exported: unknown = (found as { default?: unknown }).default
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
