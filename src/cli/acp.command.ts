/**
 * `turnwise acp`: the ACP agent with the agents of the command line behind it.
 *
 * A1 Standard output belongs to the protocol; whatever else there is to say goes to standard error.
 * A2 It ends in good order when its editor goes away and on a signal: what runs is cancelled, and kept in the store.
 *
 * @module
 */
import { resolve } from 'node:path'
import type { AgentOptions } from '../actors/agent-options.ts'
import { TurnwiseError } from '../errors.ts'
import { createAcpAgent } from '../protocols/acp/acp-agent.ts'
import type { AcpSession } from '../protocols/acp/acp-port.ts'
import { fileStore } from '../sessions/file-store.ts'
import type { AcpAsked } from './acp-arguments.ts'
import { agentFrom, findAgentFile } from './agent-file.ts'
import { Ending } from './ending.ts'
import { SetupFault } from './fault.ts'
import { folderAgent } from './folder-agent.ts'
import { makeModel, readChoice } from './model-choice.ts'
import { Secrets } from './secrets.ts'
import type { Surroundings } from './surroundings.ts'
import { openFolder } from './tools/folder.ts'
import { EXIT, type ExitCode } from './usage.ts'

/** Serves one editor until it goes away. @throws UsageFault, TurnwiseError; AggregateError of what could not be written. */
export async function acpCommand(asked: AcpAsked, at: Surroundings): Promise<ExitCode> {
  const secrets = new Secrets(at.env)
  const prepare = await preparing(asked, at, secrets)
  const agent = await createAcpAgent({
    store: fileStore(resolve(at.cwd, asked.log)),
    prepare: (session) => prepare(session).catch(tellable),
    show: asked.show,
    v2: asked.v2,
    hide: (text) => secrets.hide(text),
    onDiagnostic: (message) => at.stderr.write(`${secrets.hide(message)}\n`),
  })
  const connection = agent.connect({ input: at.stdin, output: at.stdout })
  const signals = new Ending(() => connection.close(), at)
  try {
    await connection.closed
  } finally {
    await agent.close()
    signals.end()
  }
  return signals.code ?? EXIT.ok
}

/** What can be looked at is looked at before anybody connects. @throws UsageFault */
async function preparing(
  { agent: file, model }: AcpAsked,
  at: Surroundings,
  secrets: Secrets,
): Promise<(session: AcpSession) => Promise<AgentOptions>> {
  if (file !== undefined) {
    const path = await findAgentFile(file, at.cwd)
    return ({ cwd: dir, agent }) => agentFrom(path, { dir, env: at.env, agent }, secrets)
  }
  const choice = readChoice(model, at.env)
  return async ({ cwd, mcpServers }) => {
    const folder = await openFolder(cwd).catch((error: unknown) => {
      throw new TurnwiseError('INVALID_OPTION', `cwd: ${(error as Error).message}`)
    })
    if (mcpServers.length > 0)
      at.stderr.write('acp: this agent reads its folder and starts no MCP server.\n')
    const chosen = await (at.makeModel ?? makeModel)(choice, at.env, {})
    return folderAgent(folder, chosen, secrets)
  }
}

/** The editor is told what is missing. */
function tellable(error: unknown): never {
  if (!(error instanceof SetupFault)) throw error
  throw new TurnwiseError('INVALID_OPTION', `${error.code}: ${error.message}`, { cause: error })
}
