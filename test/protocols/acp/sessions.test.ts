/**
 * Sessions as a client opens, finds, closes and loses them.
 */
import type { McpServer } from '@agentclientprotocol/sdk'
import { describe, expect, it } from 'vitest'
import { defineTool } from '../../../src/adapters/define-tool.ts'
import type { AcpSession } from '../../../src/protocols/acp/acp-port.ts'
import { memoryStore } from '../../../src/sessions/memory-store.ts'
import { createRegistry } from '../../../src/sessions/registry.ts'
import type { SessionStore } from '../../../src/sessions/session-store.ts'
import { deferred } from '../../support/deferred.ts'
import { cwd, type Editor, editor, finish, rejection, saw, streaming } from './editor.ts'

const open = { cwd, mcpServers: [] }

/** What is told to a client, in short. */
const told = ({ updates }: Editor): string[] =>
  updates.map(({ update }) => {
    const content = 'content' in update ? update.content : undefined
    const text = content !== undefined && 'text' in (content as object) ? content : { text: '?' }
    return `${update.sessionUpdate} ${(text as { text: string }).text}`
  })

/** A session with two prompts, in a store; the process that made it is gone. */
async function stored(): Promise<{ id: string; store: SessionStore }> {
  const store = memoryStore()
  const it = await editor(['text "one"', 'text "two"'], { store })
  const agent = await it.session()
  await it.prompt(agent, 'A')
  agent.inject('a hint')
  await it.prompt(agent, 'B')
  await finish(it)
  return { id: agent.id, store }
}

describe('loading a session', () => {
  it('tells what was said on both sides before it answers, and goes on', async () => {
    const { id, store } = await stored()
    const it = await editor(['text "three"'], { store })
    await it.client.agent.request('session/load', { ...open, sessionId: id })
    const before = [
      'user_message_chunk A',
      'agent_message_chunk one',
      'user_message_chunk B',
      'agent_message_chunk two',
    ]
    expect(told(it)).toEqual(before)
    await it.prompt(id, 'C')
    expect(told(it)).toEqual([...before, 'agent_message_chunk three'])
    // A client that asks again is told again.
    await it.client.agent.request('session/load', { ...open, sessionId: id })
    expect(told(it).slice(5)).toEqual([
      ...before,
      'user_message_chunk C',
      'agent_message_chunk three',
    ])
    await finish(it)
  })

  it('may go without the replay', async () => {
    const { id, store } = await stored()
    const it = await editor(['text "three"'], { store })
    await it.client.agent.request('session/resume', { ...open, sessionId: id })
    expect(told(it)).toEqual([])
    expect(await it.prompt(id, 'C')).toEqual({ stopReason: 'end_turn' })
    await finish(it)
  })

  it('names messages the same each time', async () => {
    const { id, store } = await stored()
    const ids = async (): Promise<unknown[]> => {
      const it = await editor([], { store })
      await it.client.agent.request('session/load', { ...open, sessionId: id })
      await finish(it)
      return it.updates.map(({ update }) => 'messageId' in update && update.messageId)
    }
    const first = await ids()
    expect(new Set(first).size).toBe(4)
    expect(await ids()).toEqual(first)
  })

  it('takes back prompts that a dead process had promised to take back, and nothing else', async () => {
    const store = memoryStore()
    const dead = await editor(['hang "x"'], { store })
    const agent = await dead.session()
    void dead.prompt(agent, 'A').catch(() => {})
    await streaming(agent)
    agent.followup({ id: 'N', content: 'N' })
    // The process is gone at this moment: nobody ends anything.
    const events = agent.log.read()
    const it = await editor(['text "N"'], {
      store: memoryStore([{ header: agent.log.header, events }]),
    })
    await it.client.agent.request('session/load', { ...open, sessionId: agent.id })
    const again = it.acp.registry.get(agent.id)
    expect(again?.inbox.nextTurn.map(({ message }) => message.id)).toEqual(['N'])
    expect(again?.parked?.reason).toBe('resume')
    await finish(it, dead)
  })

  it('withdraws a prompt that waited when the process died', async () => {
    const dead = await editor(['hang "x"'])
    const agent = await dead.session()
    agent.followup({ id: 'N', content: 'N' })
    void dead.prompt(agent, 'A').catch(() => {})
    await saw(agent, 'inbox/inserted', ({ message }) => message.id !== 'N')
    const events = agent.log.read()
    const it = await editor([], { store: memoryStore([{ header: agent.log.header, events }]) })
    await it.client.agent.request('session/load', { ...open, sessionId: agent.id })
    const again = it.acp.registry.get(agent.id)
    expect(again?.inbox.nextTurn).toEqual([])
    // The one that ran was no prompt of a client: it is put back, as after every crash.
    expect(again?.inbox.nextStep).toEqual([])
    expect(
      again?.log
        .read()
        .flatMap(({ type, data }) => (type === 'inbox/discarded' ? [data.reason] : [])),
    ).toEqual(['rejected'])
    await finish(it, dead)
  })

  it('asks the question that was left open', async () => {
    const store = memoryStore()
    const tools = [defineTool({ name: 't', approval: 'always', run: () => 'ok' })]
    const registry = createRegistry({ store, keepApprovals: true, factory: () => ({}) })
    const model = (await editor(['call c1 t'])).model
    const before = await registry.create({ cwd, agent: { model, tools } })
    const question = saw(before, 'approval/asked')
    before.followup('A')
    await question
    await registry.close()
    const second = createRegistry({ store, keepApprovals: true, factory: () => ({}) })
    const it = await editor(['text "done"'], {
      store,
      registry: second,
      agent: { tools },
      permit: () => ({ outcome: { outcome: 'selected', optionId: 'allow-once' } }),
    })
    await it.client.agent.request('session/load', { ...open, sessionId: before.id })
    await second.get(before.id)?.whenIdle()
    await it.heard()
    expect(told(it)).toEqual(['user_message_chunk A', 'agent_message_chunk done'])
    await finish(it)
  })

  it.each([['unknown'], ['../../etc/passwd']])('refuses %s', async (sessionId) => {
    const it = await editor()
    expect(
      await rejection(it.client.agent.request('session/load', { ...open, sessionId })),
    ).toMatchObject({ code: -32002, data: { code: 'SESSION_NOT_FOUND' } })
    await finish(it)
  })

  it('refuses one that somebody else has open', async () => {
    const it = await editor()
    const other = await it.acp.registry.create({ agent: {} })
    expect(
      await rejection(it.client.agent.request('session/load', { ...open, sessionId: other.id })),
    ).toMatchObject({ code: -32602, data: { code: 'SESSION_LIVE' } })
    expect(await rejection(it.prompt(other, 'A'))).toMatchObject({ code: -32002 })
    await finish(it)
  })
})

describe('opening a session', () => {
  it('refuses a folder that is not absolute', async () => {
    const it = await editor()
    expect(
      await rejection(it.client.agent.request('session/new', { cwd: 'here', mcpServers: [] })),
    ).toMatchObject({ code: -32602 })
    await finish(it)
  })

  it('tells why nothing could be made, and leaves nothing', async () => {
    const store = memoryStore()
    const it = await editor([], { store })
    const broken = await editor([], {
      store,
      agent: { maxTokens: -1 },
    })
    expect(await rejection(broken.client.agent.request('session/new', open))).toMatchObject({
      code: -32602,
      data: { code: 'INVALID_OPTION' },
    })
    expect(await store.list()).toEqual([])
    await finish(it, broken)
  })

  it('gives what makes an agent the folder, the servers, and the agent once it is there', async () => {
    const seen: AcpSession[] = []
    const it = await editor([], {
      preparing(session) {
        seen.push(session)
        expect(session.agent).toThrow('the agent is made of what is returned here')
      },
    })
    const server: McpServer = { name: 'files', command: '/bin/files', args: [], env: [] }
    const { sessionId } = await it.client.agent.request('session/new', {
      cwd,
      mcpServers: [server],
    })
    expect(seen).toMatchObject([{ cwd, mcpServers: [server], how: 'startup' }])
    expect(seen[0]?.agent().id).toBe(sessionId)
    await finish(it)
  })

  it('is given up when the client leaves meanwhile', async () => {
    const asked = deferred<void>()
    const ready = deferred<void>()
    const it = await editor([], {
      preparing: async () => {
        asked.resolve()
        await ready.promise
      },
    })
    it.session().catch(() => {})
    await asked.promise
    it.client.close()
    const closed = it.connection.close()
    ready.resolve()
    await closed
    expect(it.acp.registry.list()).toEqual([])
    expect(await it.store.list()).toEqual([])
    await finish(it)
  })
})

describe('closing a session', () => {
  it('cancels what runs, answers its prompt, and keeps it in the store', async () => {
    const it = await editor(['hang "x"', 'text "again"'])
    const agent = await it.session()
    const prompt = it.prompt(agent, 'A')
    await streaming(agent)
    await it.client.agent.request('session/close', { sessionId: agent.id })
    expect(await prompt).toEqual({ stopReason: 'cancelled' })
    expect(agent.status).toBe('disposed')
    expect(await rejection(it.prompt(agent, 'B'))).toMatchObject({ code: -32002 })
    await it.client.agent.request('session/load', { ...open, sessionId: agent.id })
    expect(await it.prompt(agent, 'B')).toEqual({ stopReason: 'end_turn' })
    await finish(it)
  })
})

describe('the list', () => {
  it('goes page by page, by folder, and leaves out what cannot be loaded', async () => {
    const store = memoryStore()
    const registry = createRegistry({ store, factory: () => ({}) })
    const ids = Array.from({ length: 120 }, (_, i) => `s${String(i).padStart(3, '0')}`)
    for (const id of ids) await registry.create({ id, cwd: id < 's110' ? '/a' : '/b' })
    await registry.create({ id: 'no-folder' })
    const it = await editor([], { store, registry })
    const list = it.client.agent
    const found: string[] = []
    let cursor: string | null = null
    let pages = 0
    do {
      const page: { sessions: { sessionId: string }[]; nextCursor?: string | null } =
        await list.request('session/list', { cwd: '/a', cursor })
      found.push(...page.sessions.map(({ sessionId }) => sessionId))
      cursor = page.nextCursor ?? null
      pages += 1
    } while (cursor !== null)
    expect(found).toEqual(ids.slice(0, 110))
    expect(pages).toBe(3)
    expect((await list.request('session/list', { cwd: '/b' })).sessions).toHaveLength(10)
    expect(await rejection(list.request('session/list', { cursor: 'mine' }))).toMatchObject({
      code: -32602,
    })
    await finish(it)
  })

  it('has the first words of the user as titles', async () => {
    const { store } = await stored()
    const it = await editor([], { store })
    expect(await it.client.agent.request('session/list', {})).toMatchObject({
      sessions: [{ cwd, title: 'A', updatedAt: expect.stringMatching(/^\d{4}-/) as string }],
    })
    await finish(it)
  })
})
