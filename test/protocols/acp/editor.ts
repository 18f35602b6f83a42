/**
 * The real ACP agent at one end of a pair of streams, and the official package's client at the other.
 *
 * @module
 */
import { PassThrough, Readable, Writable } from 'node:stream'
import {
  client,
  type ClientConnection,
  ndJsonStream,
  type RequestPermissionRequest,
  type SessionNotification,
  type Stream,
} from '@agentclientprotocol/sdk'
import { expect } from 'vitest'
import type { Agent } from '../../../src/actors/agent-handle.ts'
import type { AgentOptions } from '../../../src/actors/agent-options.ts'
import { checkLog } from '../../../src/events/enclosure.ts'
import type { CoreType, NewEvent, StoredEvent } from '../../../src/events/event.ts'
import { createAcpAgent } from '../../../src/protocols/acp/acp-agent.ts'
import type {
  AcpAgent,
  AcpAgentOptions,
  AcpConnection,
  AcpSession,
} from '../../../src/protocols/acp/acp-port.ts'
import { memoryStore } from '../../../src/sessions/memory-store.ts'
import type { SessionStore } from '../../../src/sessions/session-store.ts'
import { printLog } from '../../../src/testing/print-event.ts'
import { type ScriptedModel, scriptedModel } from '../../../src/testing/scripted-model.ts'

/** The folder that sessions are opened with. */
export const cwd = '/work/of/sheep'

/** What a test may set. */
export interface EditorOptions extends Partial<Omit<AcpAgentOptions, 'prepare'>> {
  /** What agents are made with beside the model. */
  readonly agent?: AgentOptions
  /** Is told for what agents are made, and waited for. */
  readonly preparing?: (session: AcpSession) => unknown
  /** How the user answers; default: the client does not know the question. */
  readonly permit?: (request: RequestPermissionRequest, signal: AbortSignal) => unknown
  /** Instead of noting updates. */
  readonly onUpdate?: (notification: SessionNotification) => void | Promise<void>
  /** The log refuses these events. */
  readonly refuses?: (event: NewEvent) => boolean
}

/** An editor, and what stands behind it. */
export interface Editor extends Behind {
  readonly client: ClientConnection
  readonly updates: SessionNotification[]
  /** Opens a session. */
  session(): Promise<Agent>
  prompt(session: Agent | string, text: string, more?: AbortSignal): Promise<{ stopReason: string }>
  /** The client's cancel. Resolves when it was written. */
  cancel(session: Agent): Promise<void>
  /** Resolves when the agent has heard all that was sent, and all that it said until then has arrived. */
  heard(): Promise<unknown>
}

/** What stands behind an editor of any version. */
export interface Behind {
  readonly acp: AcpAgent
  readonly connection: AcpConnection
  readonly model: ScriptedModel
  readonly store: SessionStore
  readonly diagnostics: string[]
  readonly toAgent: PassThrough
  readonly fromAgent: PassThrough
  /** What the client of the package is connected by. */
  stream(): Stream
  agentOf(id: string): Agent
}

/** Makes an agent with a scripted model that waits for a client. */
export async function behind(
  script: readonly string[],
  { agent = {}, preparing, refuses, ...options }: EditorOptions,
): Promise<Behind> {
  const model = scriptedModel(script)
  const diagnostics: string[] = []
  const store = refusing(options.store ?? memoryStore(), refuses)
  const acp = await createAcpAgent({
    prepare: async (session) => {
      await preparing?.(session)
      return { model, ...agent }
    },
    onDiagnostic: (message) => diagnostics.push(message),
    ...options,
    store,
  })
  const toAgent = new PassThrough()
  const fromAgent = new PassThrough()
  const connection = acp.connect({ input: toAgent, output: fromAgent })
  return {
    acp,
    connection,
    model,
    store,
    diagnostics,
    toAgent,
    fromAgent,
    stream: () => ndJsonStream(Writable.toWeb(toAgent), Readable.toWeb(fromAgent)),
    agentOf(id) {
      const found = acp.registry.get(id)
      if (found === undefined) throw new Error(`no agent ${id}`)
      return found
    },
  }
}

/** Makes an agent with a scripted model, and connects the client of the package. */
export async function editor(
  script: readonly string[] = [],
  { permit, onUpdate, ...options }: EditorOptions = {},
): Promise<Editor> {
  const stage = await behind(script, options)
  const updates: SessionNotification[] = []
  const app = client({ name: 'editor' }).onNotification('session/update', async ({ params }) => {
    if (onUpdate === undefined) updates.push(params)
    else await onUpdate(params)
  })
  if (permit !== undefined)
    app.onRequest(
      'session/request_permission',
      async ({ params, signal }) => (await permit(params, signal)) as never,
    )
  const connected = app.connect(stage.stream())
  await connected.agent.request('initialize', { protocolVersion: 1, clientCapabilities: {} })
  return {
    ...stage,
    client: connected,
    updates,
    async session() {
      const { sessionId } = await connected.agent.request('session/new', { cwd, mcpServers: [] })
      return stage.agentOf(sessionId)
    },
    prompt: (session, text, signal) =>
      connected.agent.request(
        'session/prompt',
        {
          sessionId: typeof session === 'string' ? session : session.id,
          prompt: [{ type: 'text', text }],
        },
        signal === undefined ? {} : { cancellationSignal: signal },
      ),
    cancel: (session) => connected.agent.notify('session/cancel', { sessionId: session.id }),
    heard: () => connected.agent.request('session/list', {}),
  }
}

/** A store whose logs refuse some events. */
function refusing(store: SessionStore, refuses: EditorOptions['refuses']): SessionStore {
  if (refuses === undefined) return store
  const guarded = (log: Awaited<ReturnType<SessionStore['create']>>): typeof log => {
    const append = log.append.bind(log)
    log.append = (events, time) => {
      const list = Array.isArray(events) ? (events as readonly NewEvent[]) : [events as NewEvent]
      if (list.some(refuses)) throw new Error('disk full')
      return append(events, time)
    }
    return log
  }
  return {
    create: async (header, events) => guarded(await store.create(header, events)),
    open: async (id) => guarded(await store.open(id)),
    read: (id) => store.read(id),
    has: (id) => store.has(id),
    list: () => store.list(),
    remove: (id) => store.remove(id),
  }
}

/** Texts that the client was told, in order. */
export const texts = ({ updates }: Pick<Editor, 'updates'>): string[] =>
  updates.flatMap(({ update }) =>
    update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text'
      ? [update.content.text]
      : [],
  )

/** Ends of turns, printed. */
export const ends = (agent: Agent): string[] => lines(agent, 'turn/end')

/** Lines of the printed log that begin with `type`. */
export const lines = (agent: Agent, type: CoreType | 'inbox next-turn'): string[] =>
  printLog(agent.log.read()).filter((line) => line.startsWith(type))

/** Resolves with the first event of a type, past or future. */
export const saw = <T extends CoreType>(
  agent: Agent,
  type: T,
  fits: (data: StoredEvent<T>['data']) => boolean = () => true,
): Promise<StoredEvent<T>> =>
  new Promise((resolve) => {
    agent.subscribe({}, (event) => {
      if (event.type === type && fits(event.data as StoredEvent<T>['data']))
        resolve(event as StoredEvent<T>)
    })
  })

/** Resolves when the model streams visible text. */
export const streaming = (agent: Agent): Promise<unknown> =>
  saw(agent, 'assistant/chunk', ({ chunk }) => chunk.kind === 'text-delta')

/** What a promise is rejected with. */
export const rejection = (
  promise: Promise<unknown>,
): Promise<{ code?: number; message: string; data?: unknown }> =>
  promise.then(
    (value) => {
      throw new Error(`expected a rejection, found ${JSON.stringify(value)}`)
    },
    (error: { code?: number; message: string; data?: unknown }) => error,
  )

/** Nothing is left behind: the log is sound and the connection ends. */
export async function finish(
  ...editors: readonly (Behind & { client: { close(): void } })[]
): Promise<void> {
  for (const { acp, client: connected, connection } of editors) {
    const agents = acp.registry.list()
    connected.close()
    await connection.close()
    await acp.close()
    for (const agent of agents) {
      checkLog(agent.log.read())
      expect(agent.status).toBe('disposed')
    }
  }
}

/** A session with two prompts, in a store; the process that made it is gone. */
export async function stored(): Promise<{ id: string; store: SessionStore }> {
  const store = memoryStore()
  const ide = await editor(['text "one"', 'text "two"'], { store })
  const agent = await ide.session()
  await ide.prompt(agent, 'A')
  agent.inject('a hint')
  await ide.prompt(agent, 'B')
  await finish(ide)
  return { id: agent.id, store }
}
