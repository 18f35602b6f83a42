/**
 * The real ACP agent, and the official package's client of the draft of version 2 at the other end.
 *
 * @module
 */
import { client, type SessionUpdate } from '@agentclientprotocol/sdk/experimental/v2'
import type { Agent } from '../../../src/actors/agent-handle.ts'
import { behind, cwd, type EditorOptions } from './editor.ts'

/** Makes an agent with a scripted model, and connects a client that asked for version 2. */
export async function draft(script: readonly string[], { permit, ...options }: EditorOptions = {}) {
  const stage = await behind(script, { v2: true, ...options })
  const updates: SessionUpdate[] = []
  const watchers = new Set<() => void>()
  const app = client({ name: 'editor' }).onNotification('session/update', ({ params }) => {
    updates.push(params.update)
    for (const watch of watchers) watch()
  })
  if (permit !== undefined)
    app.onRequest(
      'session/request_permission',
      async ({ params, signal }) => (await permit(params as never, signal)) as never,
    )
  const connected = app.connect(stage.stream())
  const { agent } = connected
  await agent.request('initialize', {
    protocolVersion: 2,
    info: { name: 'editor', version: '1' },
  })
  return {
    ...stage,
    client: connected,
    told: () => updates.map(short),
    /** Resolves when the last thing that was told is `line`. */
    last: (line: string) =>
      new Promise<void>((resolve) => {
        const watch = (): void => {
          if (short(updates.at(-1) as SessionUpdate) === line) resolve()
        }
        watchers.add(watch)
        if (updates.length > 0) watch()
      }),
    async session(): Promise<Agent> {
      const { sessionId } = await agent.request('session/new', { cwd, mcpServers: [] })
      return stage.agentOf(sessionId)
    },
    prompt: (session: { id: string }, text: string) =>
      agent.request('session/prompt', {
        sessionId: session.id,
        prompt: [{ type: 'text', text }],
      }),
    cancel: (session: Agent) => agent.notify('session/cancel', { sessionId: session.id }),
  }
}

function short(update: SessionUpdate): string {
  // eslint-disable-next-line typescript/no-explicit-any -- the union is open
  const { sessionUpdate, state, stopReason, error, content } = update as any
  if (sessionUpdate === 'state_update')
    return [state, stopReason, error?.message].filter((word) => word !== undefined).join(' ')
  return `${sessionUpdate} ${content?.text ?? '?'}`
}
