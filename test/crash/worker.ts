/**
 * A process that runs scripted agents on a store until they are done, or until somebody kills it. Its argument is a
 * `WorkerConfig` as JSON.
 *
 * It says `ready` once its sessions are open, and exits 0 when they are idle, 3 when it was overtaken.
 *
 * @module
 */
import module from 'node:module'
import type { Agent } from '../../src/actors/agent-handle.ts'
import { createAgent } from '../../src/actors/agent.ts'
import type { Model, ModelRequest } from '../../src/actors/model.port.ts'
import type { AnyTool } from '../../src/actors/tool.port.ts'
import type { Chunk } from '../../src/events/chunk.ts'
import type { EventLog } from '../../src/log/event-log.ts'
import { repairLog } from '../../src/sessions/repair.ts'
import { openPlace } from './places.ts'
import type { OpenPlace } from './places.ts'
import { Traces } from './worker-config.ts'
import type { WorkerConfig } from './worker-config.ts'

const OVERTAKEN = 3
const config = JSON.parse(process.argv[2] as string) as WorkerConfig
const traces = new Traces(config.traces)

async function live(): Promise<void> {
  const place = await openPlace(config.place, config.ttlMs)
  const logs = await Promise.all(config.sessions.map((id) => own(place, id)))
  watchForKill(logs[0] as EventLog)
  saveCompiledCode()
  process.stdout.write('ready\n')
  await Promise.all(logs.map(drive))
  await Promise.all(logs.map((log) => log.close()))
  await place.close()
}

/** Whoever is killed leaves it for the next worker; Node has this from 22.10 on. */
function saveCompiledCode(): void {
  const { flushCompileCache } = module as { flushCompileCache?: () => void }
  flushCompileCache?.()
}

/** Opens a session, creating it if it is new; waits for an owner that is stopped or dying. */
async function own({ store }: OpenPlace, id: string): Promise<EventLog> {
  for (;;) {
    try {
      if (await store.has(id)) return await store.open(id)
      return await store.create({ id, formatVersion: 1, createdAt: Date.now() })
    } catch (error) {
      const { code, message } = error as { code?: string; message: string }
      const waits = code === 'SESSION_LIVE' || code === 'SESSION_ALREADY_EXISTS'
      if (!waits && !message.includes('locked')) throw error
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}

/** One life of one session: repair, go on, send what is missing, wait. */
async function drive(log: EventLog): Promise<void> {
  const { id } = log.header
  repairLog(log)
  await log.flush()
  const known = new Set(
    log.read().flatMap((e) => (e.type === 'inbox/inserted' ? [e.data.message.id] : [])),
  )
  const agent = createAgent({ log, model, tools: [effect], wake: true })
  for (let n = 1; n <= config.prompts; n++) {
    const prompt = `${id}-${n}`
    if (known.has(prompt)) continue
    await send(agent, prompt)
    // Every third waits for the answers so far: some prompts meet an idle agent, others a running one.
    if (n % 3 === 0) await agent.whenIdle()
  }
  await agent.whenIdle()
  if (config.finish) {
    await send(agent, `${id}-end-${log.length}`)
    await agent.whenIdle()
  }
  await agent.dispose({ keepInbox: true })
}

async function send(agent: Agent, id: string): Promise<void> {
  const { log } = agent
  agent.followup({
    id,
    role: 'user',
    content: [{ type: 'text', text: id }],
    source: { kind: 'user' },
  })
  const last = log.at(log.length - 1)
  await log.flush()
  // From here on the sender relies on it.
  traces.add('accepted', log.header.id, id)
  traces.add('durable', log.header.id, last?.seq ?? 0, JSON.stringify(last))
}

const die = (): void => {
  process.kill(process.pid, 'SIGKILL')
}

function watchForKill(log: EventLog): void {
  const { kill } = config
  if (kill === undefined) return
  let appended = 0
  log.observe(({ seq }) => {
    if (++appended !== kill.at) return
    if (kill.when === 'appended') die()
    else void Promise.resolve(log.durable(seq)).then(die)
  })
}

/** Calls two tools for a prompt, and speaks once they have answered. */
const model: Model = {
  provider: 'scripted',
  modelId: 'two-calls',
  async *stream({ messages }: ModelRequest): AsyncGenerator<Chunk> {
    const answered = messages.at(-1)?.role === 'tool'
    await new Promise((resolve) => setImmediate(resolve))
    yield* answered ? speaking() : calling()
  },
}

function* calling(): Generator<Chunk> {
  for (let block = 0; block < 2; block++) {
    yield { kind: 'block-start', block, type: 'tool-call', id: `c${block}`, name: 'effect' }
    yield { kind: 'tool-call-delta', block, text: '{}' }
    yield { kind: 'block-end', block }
  }
  yield { kind: 'finish', reason: 'tool-calls' }
}

function* speaking(): Generator<Chunk> {
  yield { kind: 'block-start', block: 0, type: 'text' }
  for (let n = 0; n < 3; n++) yield { kind: 'text-delta', block: 0, text: 'word ' }
  yield { kind: 'block-end', block: 0 }
  yield { kind: 'finish', reason: 'stop' }
}

/** Leaves a trace that cannot be taken back: this is what must not happen twice. */
const effect: AnyTool = {
  name: 'effect',
  parallel: true,
  run: async (_input: never, { agent, call }) => {
    traces.add('effect', agent, call.key)
    await new Promise((resolve) => setImmediate(resolve))
    return 'done'
  },
}

try {
  await live()
} catch (error) {
  const { code, stack } = error as { code?: string; stack?: string }
  const overtaken = code === 'LEASE_LOST' || code === 'LOG_CONFLICT'
  traces.add(overtaken ? 'stopped' : 'fault', overtaken ? code : String(stack ?? error))
  process.exit(overtaken ? OVERTAKEN : 1)
}
