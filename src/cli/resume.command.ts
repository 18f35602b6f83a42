/**
 * `turnwise resume`: a stored session is repaired and opened; with `--wake` its pending work runs.
 *
 * @module
 */
import { resolve } from 'node:path'
import type { Agent, RunResult } from '../actors/agent-handle.ts'
import type { AgentOptions } from '../actors/agent-options.ts'
import type { FileLog } from '../log/file-log.ts'
import { pendingEntries } from '../projections/inbox-state.ts'
import { inbox } from '../projections/inbox.ts'
import { fold } from '../projections/projection.ts'
import { runInterval } from '../projections/run-interval.ts'
import { fileStore } from '../sessions/file-store.ts'
import type { Registry } from '../sessions/registry-port.ts'
import { createRegistry } from '../sessions/registry.ts'
import type { SessionStore, StoredSession } from '../sessions/session-store.ts'
import { conduct } from './conduct.ts'
import { folderAgent } from './folder-agent.ts'
import { oneLine } from './live/printable.ts'
import type { RunHead } from './reports.ts'
import { folderOf, headOf, prepareModel, reportFor, tellRepair } from './run.command.ts'
import { Secrets } from './secrets.ts'
import type { ResumeAsked } from './session-arguments.ts'
import type { Surroundings } from './surroundings.ts'
import { EXIT } from './usage.ts'
import type { ExitCode } from './usage.ts'

/** Resumes a session. @throws UsageFault and SetupFault before anything was opened, TurnwiseError for the log. */
export async function resumeCommand(asked: ResumeAsked, at: Surroundings): Promise<ExitCode> {
  const store = fileStore(resolve(at.cwd, asked.log))
  const stored = await store.read(asked.session)
  const waits = pendingEntries(fold(inbox, stored.events)).some(({ wake }) => wake)
  return asked.wake && waits ? work(asked, at, store, stored) : look(asked, at, store)
}

async function work(
  asked: ResumeAsked,
  at: Surroundings,
  store: SessionStore,
  { header, events }: StoredSession,
): Promise<ExitCode> {
  const show = asked.json ? 'json' : 'auto'
  const setup = prepareModel({ ...asked, show }, at)
  const folder = await folderOf(asked.dir ?? header.cwd ?? '.', at)
  const chosen = await setup()
  const options = folderAgent(folder, chosen, new Secrets(at.env))
  return opened(asked, at, { store, options }, (agent) => {
    const stored = events.length
    const { file: logFile } = agent.log as FileLog
    const head: RunHead = headOf(chosen, folder, { prompt: '(what is pending)', logFile, stored })
    return conduct(agent, () => goOn(agent), reportFor(show, at, head), at)
  })
}

/** Opens the session and says what was repaired. */
async function opened(
  { session, wake }: ResumeAsked,
  at: Surroundings,
  { store, options }: { readonly store: SessionStore; readonly options: AgentOptions },
  use: (agent: Agent) => Promise<ExitCode>,
): Promise<ExitCode> {
  const before = (await store.read(session)).events.length
  const registry: Registry = createRegistry({ store, factory: () => options })
  const agent = await registry.resume(session, { wake })
  try {
    tellRepair(Math.max(0, markerOf(agent) - before), session, at)
    return await use(agent)
  } finally {
    await registry.close()
  }
}

/** Seq of the event that says that this process goes on with the session. */
const markerOf = ({ log }: Agent): number =>
  log.read().findLast(({ type }) => type === 'session/opened')?.seq ?? 0

/** What happens from the marker to quiescence. */
async function goOn(agent: Agent): Promise<RunResult> {
  const from = markerOf(agent)
  await agent.whenIdle()
  const events = agent.log.read(from)
  const interval = runInterval('')
  const { finalResponse, turns, usage } = fold(interval, events, { ...interval.initial, from })
  const sessionId = agent.id
  return { sessionId, messageId: '', finalResponse, events, turns: turns.toArray(), usage }
}

/** Says what waits, and why. */
function look(asked: ResumeAsked, at: Surroundings, store: SessionStore): Promise<ExitCode> {
  return opened(asked, at, { store, options: {} }, async (agent) => {
    const { nextStep, nextTurn } = agent.inbox
    const pending = [...nextStep, ...nextTurn].map(({ message, wake }) => ({
      id: message.id,
      wake,
    }))
    const { id, parked } = agent
    await agent.dispose({ keepInbox: true })
    const names = pending.length === 0 ? '' : `: ${pending.map((one) => one.id).join(', ')}`
    const held = parked === null ? '' : `; parked (${parked.reason})`
    const line = oneLine(`${id}: ${pending.length} pending${names}${held}`)
    at.stdout.write(`${asked.json ? JSON.stringify({ session: id, pending, parked }) : line}\n`)
    return EXIT.ok
  })
}
