/**
 * `turnwise chat`: a session in the terminal, with an agent that listens while it works.
 *
 * @module
 */
import { resolve } from 'node:path'
import type { Agent } from '../actors/agent-handle.ts'
import type { FileLog } from '../log/file-log.ts'
import { fileStore } from '../sessions/file-store.ts'
import type { Registry } from '../sessions/registry-port.ts'
import { createRegistry } from '../sessions/registry.ts'
import type { SessionStore, StoredSession } from '../sessions/session-store.ts'
import type { ChatAsked } from './chat-arguments.ts'
import { converse } from './chat/conversation.ts'
import { folderOf, headOf, newSessionId, prepareAgent, tellRepair } from './run.command.ts'
import { Secrets } from './secrets.ts'
import { latestIn } from './stored-log.ts'
import type { Surroundings } from './surroundings.ts'
import type { ExitCode } from './usage.ts'

/** Chats. @throws UsageFault and SetupFault before anything was created, TurnwiseError for the log. */
export async function chatCommand(asked: ChatAsked, at: Surroundings): Promise<ExitCode> {
  const secrets = new Secrets(at.env)
  const setup = await prepareAgent({ ...asked, show: 'auto' }, at, secrets)
  const dir = resolve(at.cwd, asked.log)
  const id = asked.latest
    ? (await latestIn(dir, asked.log)).slice(0, -'.jsonl'.length)
    : asked.session
  const store = fileStore(dir)
  const stored = id === undefined ? undefined : await storedSession(store, id)
  const folder = await folderOf(asked.dir ?? stored?.header.cwd ?? '.', at)
  const { title, options, made } = await setup(folder)
  const registry = createRegistry({ store, factory: () => options, keepApprovals: true })
  try {
    const agent = await opened(registry, { ...asked, cwd: folder.root, id, stored }, made)
    const before = stored?.events.length ?? 0
    tellRepair(repairsBehind(agent, before), agent.id, at)
    const head = headOf({ title }, folder, {
      prompt: '',
      logFile: (agent.log as FileLog).file,
      stored: before,
    })
    const opens = (session: string): string => opener(asked, session)
    return await converse(
      { desk: { agent, registry, newId: newSessionId, opens }, head, secrets },
      at,
    )
  } finally {
    await registry.close()
  }
}

const storedSession = async (store: SessionStore, id: string): Promise<StoredSession | undefined> =>
  (await store.has(id)) ? store.read(id) : undefined

interface Which {
  readonly id: string | undefined
  readonly stored: StoredSession | undefined
  readonly cwd: string
  readonly wake: boolean
}

const opened = (
  registry: Registry,
  { id = newSessionId(), stored, cwd, wake }: Which,
  setup: (agent: Agent) => void,
): Promise<Agent> =>
  stored === undefined ? registry.create({ id, cwd, setup }) : registry.resume(id, { wake, setup })

/** Events between those that were stored and the one that says that the session goes on. */
function repairsBehind({ log }: Agent, stored: number): number {
  const opening = log.read(stored).find(({ type }) => type === 'session/opened')
  return opening === undefined ? 0 : opening.seq - stored
}

/** What opens a session with the same agent, as it can be typed. */
function opener({ agent, model, log, dir }: ChatAsked, session: string): string {
  const words = [
    ...(agent === undefined ? [] : ['--agent', agent]),
    ...(model === undefined ? [] : ['--model', model]),
    ...(dir === undefined ? [] : ['--dir', dir]),
    ...(log === '.turnwise' ? [] : ['--log', log]),
    '--session',
    session,
  ]
  return ['turnwise chat', ...words.map(shellWord)].join(' ')
}

const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
