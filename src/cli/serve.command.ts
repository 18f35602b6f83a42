/**
 * `turnwise serve`: the JSON-RPC server with the agents of the command line behind it.
 *
 * S1 Standard output of `--stdio` belongs to the protocol; whatever else there is to say goes to standard error.
 * S2 It ends in good order on `shutdown`, at the end of its input and on a signal; only `shutdown` discards what waits.
 *
 * @module
 */
import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import type { AgentOptions } from '../actors/agent-options.ts'
import { TurnwiseError } from '../errors.ts'
import { JsonRpcFailure } from '../protocols/json-rpc/rpc-error.ts'
import { createJsonRpcServer, type JsonRpcServer } from '../protocols/json-rpc/server.ts'
import type { Asked } from '../protocols/json-rpc/server-port.ts'
import { fileStore } from '../sessions/file-store.ts'
import { Ending } from './ending.ts'
import { SetupFault } from './fault.ts'
import { folderAgent } from './folder-agent.ts'
import { type Choice, makeModel } from './model-choice.ts'
import { isProviderName, PROVIDERS } from './providers.ts'
import { Secrets } from './secrets.ts'
import type { ServeAsked } from './serve-arguments.ts'
import type { Surroundings } from './surroundings.ts'
import { openFolder } from './tools/folder.ts'
import { EXIT, type ExitCode } from './usage.ts'

/** Serves until it is asked to end. @throws Error where the place to listen at cannot be had. */
export async function serveCommand(asked: ServeAsked, at: Surroundings): Promise<ExitCode> {
  const secrets = new Secrets(at.env)
  const server = createJsonRpcServer({
    store: fileStore(resolve(at.cwd, asked.log)),
    cwd: at.cwd,
    prepare: (config) => agentFor(config, at, secrets),
    hide: (text) => secrets.hide(text),
    onDiagnostic: (message) => at.stderr.write(`${secrets.hide(message)}\n`),
  })
  const signals = new Ending(() => server.close(), at)
  try {
    if (asked.at.kind === 'stdio')
      await server.connect({ input: at.stdin, output: at.stdout, owns: true })
    else await listen(server, asked.at, at)
    await server.ended
  } finally {
    signals.end()
  }
  return signals.code ?? EXIT.ok
}

async function listen(
  server: JsonRpcServer,
  place: Exclude<ServeAsked['at'], { readonly kind: 'stdio' }>,
  at: Surroundings,
): Promise<void> {
  const given = at.env['TURNWISE_TOKEN']
  const token = given ?? randomBytes(24).toString('base64url')
  const opened =
    place.kind === 'socket'
      ? server.listen({ path: resolve(at.cwd, place.path) })
      : server.listen({ port: place.port, token })
  const { port } = await opened
  const where =
    place.kind === 'socket'
      ? { socket: place.path }
      : { host: '127.0.0.1', port, ...(given === undefined && { token }) }
  at.stdout.write(`${JSON.stringify({ listening: where })}\n`)
}

/** With what the agents of a client are made. @throws JsonRpcFailure, TurnwiseError */
async function agentFor(
  { cwd, provider, model }: Asked,
  at: Surroundings,
  secrets: Secrets,
): Promise<AgentOptions> {
  const choice = choiceOf(provider, model)
  try {
    const folder = await openFolder(cwd).catch((error: unknown) => {
      throw new JsonRpcFailure('INVALID_OPTION', `cwd: ${(error as Error).message}`)
    })
    const chosen = await (at.makeModel ?? makeModel)(choice, at.env, {})
    return folderAgent(folder, chosen, secrets)
  } catch (error) {
    if (!(error instanceof SetupFault)) throw error
    throw new JsonRpcFailure(error.code, error.message, { cause: error })
  }
}

function choiceOf(provider: string, model: string): Choice {
  if (provider === 'offline') return { kind: 'offline' }
  if (isProviderName(provider))
    return { kind: 'provider', name: provider, model: model || PROVIDERS[provider].defaultModel }
  const names = ['offline', ...Object.keys(PROVIDERS)].join(', ')
  throw new TurnwiseError(
    'UNKNOWN_PROVIDER',
    `expected one of the providers ${names}, found ${JSON.stringify(provider)}; nothing was changed.`,
  )
}
