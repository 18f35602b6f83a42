/**
 * The draft of version 2: prompts are answered when they are accepted, and states are told apart from them.
 */
import { client, type SessionUpdate } from '@agentclientprotocol/sdk/experimental/v2'
import { describe, expect, it } from 'vitest'
import { defineTool } from '../../../src/adapters/define-tool.ts'
import type { Agent } from '../../../src/actors/agent-handle.ts'
import { memoryStore } from '../../../src/sessions/memory-store.ts'
import { deferred } from '../../support/deferred.ts'
import {
  behind,
  cwd,
  editor,
  type EditorOptions,
  ends,
  finish,
  lines,
  rejection,
  saw,
  streaming,
} from './editor.ts'

async function draft(script: readonly string[], { permit, ...options }: EditorOptions = {}) {
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

describe('a prompt', () => {
  it('is answered when it is accepted, shown, and worked on', async () => {
    const it = await draft(['text "one" (gated g)'])
    const agent = await it.session()
    const { messageId } = await it.prompt(agent, 'A')
    expect(agent.status).toBe('running')
    it.model.release('g')
    await it.last('idle end_turn')
    expect(it.told()).toEqual([
      'user_message_chunk A',
      'running',
      'agent_message_chunk one',
      'idle end_turn',
    ])
    expect((await saw(agent, 'user/message')).data.message.id).toBe(messageId)
    await finish(it)
  })

  it('waits for its turn behind others, in the order in which they came', async () => {
    const slow = deferred<void>()
    const it = await draft(['text "1" (gated g)', 'text "2"', 'text "3"'], {
      admit: [({ content }) => (JSON.stringify(content).includes('B') ? slow.promise : undefined)],
    })
    const agent = await it.session()
    await it.prompt(agent, 'A')
    const others = [it.prompt(agent, 'B'), it.prompt(agent, 'C')]
    slow.resolve()
    await Promise.all(others)
    it.model.release('g')
    await it.last('idle end_turn')
    expect(it.told().filter((line) => line !== 'running')).toEqual([
      'user_message_chunk A',
      'user_message_chunk B',
      'user_message_chunk C',
      'agent_message_chunk 1',
      'agent_message_chunk 2',
      'agent_message_chunk 3',
      'idle end_turn',
    ])
    expect(ends(agent)).toHaveLength(3)
    await finish(it)
  })

  it('that is cancelled before it was accepted is never sent', async () => {
    const asked = deferred<void>()
    const held = deferred<void>()
    const it = await draft([], {
      admit: [
        async () => {
          asked.resolve()
          await held.promise
        },
      ],
    })
    const agent = await it.session()
    const prompt = rejection(it.prompt(agent, 'A'))
    await asked.promise
    await it.cancel(agent)
    await it.client.agent.request('session/list', {})
    held.resolve()
    expect(await prompt).toMatchObject({ code: -32800 })
    expect(agent.log.length).toBe(0)
    await finish(it)
  })

  it('that was accepted outlives its process', async () => {
    const store = memoryStore()
    const dead = await draft(['hang "x"'], { store })
    const agent = await dead.session()
    await dead.prompt(agent, 'A')
    await streaming(agent)
    const { messageId } = await dead.prompt(agent, 'B')
    const events = agent.log.read()
    const it = await draft([], { store: memoryStore([{ header: agent.log.header, events }]) })
    await it.client.agent.request('session/resume', { sessionId: agent.id, cwd })
    const [waits] = it.agentOf(agent.id).inbox.nextTurn
    expect(waits?.message.id).toBe(messageId)
    await finish(it, dead)
  })
})

describe('states', () => {
  it('say that the client cancelled', async () => {
    const it = await draft(['hang "x"'])
    const agent = await it.session()
    await it.prompt(agent, 'A')
    await streaming(agent)
    await it.cancel(agent)
    await it.last('idle cancelled')
    expect(it.told()).toContain('agent_message_chunk x')
    await finish(it)
  })

  it('say that the work failed, and why', async () => {
    const it = await draft(['error SERVER "boom"'])
    const agent = await it.session()
    await it.prompt(agent, 'A')
    await it.last('idle error turn failed: boom')
    await finish(it)
  })

  it('are told of work that the agent begins by itself', async () => {
    const it = await draft(['text "auto"'])
    const agent = await it.session()
    agent.followup('N')
    await it.last('idle end_turn')
    expect(it.told()).toEqual(['running', 'agent_message_chunk auto', 'idle end_turn'])
    await finish(it)
  })

  it('say that only the user can let the work go on', async () => {
    const answer = deferred<object>()
    const it = await draft(['call c1 t', 'text "done"'], {
      agent: { tools: [defineTool({ name: 't', approval: 'always', run: () => 'ok' })] },
      permit: () => answer.promise,
    })
    const agent = await it.session()
    await it.prompt(agent, 'A')
    await it.last('requires_action')
    answer.resolve({ outcome: { outcome: 'selected', optionId: 'allow-once' } })
    await it.last('idle end_turn')
    expect(it.told()).toEqual([
      'user_message_chunk A',
      'running',
      'requires_action',
      'running',
      'agent_message_chunk done',
      'idle end_turn',
    ])
    expect(lines(agent, 'tool/result')[0]).toContain('ok')
    await finish(it)
  })

  it('stay running while another call can go on', async () => {
    const running = deferred<string>()
    const it = await draft(['call c1 slow + call c2 asked', 'text "done"'], {
      agent: {
        tools: [
          defineTool({ name: 'slow', parallel: true, run: () => running.promise }),
          defineTool({ name: 'asked', parallel: true, approval: 'always', run: () => 'ok' }),
        ],
      },
      permit: () => ({ outcome: { outcome: 'selected', optionId: 'reject-once' } }),
    })
    const agent = await it.session()
    await it.prompt(agent, 'A')
    await saw(agent, 'approval/decided')
    await it.client.agent.request('session/list', {})
    expect(it.told()).not.toContain('requires_action')
    running.resolve('ok')
    await it.last('idle end_turn')
    await finish(it)
  })
})

describe('sessions', () => {
  it('are resumed with a replay and with where they stand', async () => {
    const store = memoryStore()
    const first = await draft(['text "one"'], { store })
    const agent = await first.session()
    await first.prompt(agent, 'A')
    await first.last('idle end_turn')
    await finish(first)
    const it = await draft([], { store })
    const at = { sessionId: agent.id, cwd }
    await it.client.agent.request('session/resume', { ...at, replayFrom: { type: 'start' } })
    expect(it.told()).toEqual(['user_message_chunk A', 'agent_message_chunk one', 'idle'])
    await it.client.agent.request('session/resume', at)
    expect(it.told().slice(3)).toEqual(['idle'])
    expect(
      await rejection(
        it.client.agent.request('session/resume', { ...at, replayFrom: { type: '_x' } }),
      ),
    ).toMatchObject({ code: -32602 })
    await finish(it)
  })

  it('are closed behind their last word', async () => {
    const it = await draft(['hang "x"'])
    const agent = await it.session()
    await it.prompt(agent, 'A')
    await streaming(agent)
    await it.client.agent.request('session/close', { sessionId: agent.id })
    expect(it.told().at(-1)).toBe('idle cancelled')
    await finish(it)
  })
})

it('is offered to nobody who did not ask for it, and leaves version 1 as it is', async () => {
  const both = await editor(['text "one"'], { v2: true })
  expect(await both.prompt(await both.session(), 'A')).toEqual({ stopReason: 'end_turn' })
  const plain = await editor()
  expect(await plain.client.agent.request('initialize', { protocolVersion: 2 })).toMatchObject({
    protocolVersion: 1,
  })
  await finish(both, plain)
})
