/**
 * Sessions as a client opens, closes and lists them.
 */
import type { McpServer } from '@agentclientprotocol/sdk'
import { describe, expect, it } from 'vitest'
import type { AcpSession } from '../../../src/protocols/acp/acp-port.ts'
import { memoryStore } from '../../../src/sessions/memory-store.ts'
import { createRegistry } from '../../../src/sessions/registry.ts'
import { deferred } from '../../support/deferred.ts'
import { cwd, editor, finish, rejection, stored, streaming } from './editor.ts'

const open = { cwd, mcpServers: [] }

describe('opening a session', () => {
  it('refuses a folder that is not absolute', async () => {
    const ide = await editor()
    expect(
      await rejection(ide.client.agent.request('session/new', { cwd: 'here', mcpServers: [] })),
    ).toMatchObject({ code: -32602 })
    await finish(ide)
  })

  it('tells why nothing could be made, and leaves nothing', async () => {
    const store = memoryStore()
    const ide = await editor([], { store })
    const broken = await editor([], {
      store,
      agent: { maxTokens: -1 },
    })
    expect(await rejection(broken.client.agent.request('session/new', open))).toMatchObject({
      code: -32602,
      data: { code: 'INVALID_OPTION' },
    })
    expect(await store.list()).toEqual([])
    await finish(ide, broken)
  })

  it('gives what makes an agent the folder, the servers, and the agent once it is there', async () => {
    const seen: AcpSession[] = []
    const ide = await editor([], {
      preparing(session) {
        seen.push(session)
        expect(session.agent).toThrow('the agent is made of what is returned here')
      },
    })
    const server: McpServer = { name: 'files', command: '/bin/files', args: [], env: [] }
    const { sessionId } = await ide.client.agent.request('session/new', {
      cwd,
      mcpServers: [server],
    })
    expect(seen).toMatchObject([{ cwd, mcpServers: [server], how: 'startup' }])
    expect(seen[0]?.agent().id).toBe(sessionId)
    await finish(ide)
  })

  it('is given up when the client leaves meanwhile', async () => {
    const asked = deferred<void>()
    const ready = deferred<void>()
    const ide = await editor([], {
      preparing: async () => {
        asked.resolve()
        await ready.promise
      },
    })
    ide.session().catch(() => {})
    await asked.promise
    ide.client.close()
    const closed = ide.connection.close()
    ready.resolve()
    await closed
    expect(ide.acp.registry.list()).toEqual([])
    expect(await ide.store.list()).toEqual([])
    await finish(ide)
  })
})

describe('closing a session', () => {
  it('cancels what runs, answers its prompt, and keeps it in the store', async () => {
    const ide = await editor(['hang "x"', 'text "again"'])
    const agent = await ide.session()
    const prompt = ide.prompt(agent, 'A')
    await streaming(agent)
    await ide.client.agent.request('session/close', { sessionId: agent.id })
    expect(await prompt).toEqual({ stopReason: 'cancelled' })
    expect(agent.status).toBe('disposed')
    expect(await rejection(ide.prompt(agent, 'B'))).toMatchObject({ code: -32002 })
    await ide.client.agent.request('session/load', { ...open, sessionId: agent.id })
    expect(await ide.prompt(agent, 'B')).toEqual({ stopReason: 'end_turn' })
    await finish(ide)
  })
})

describe('the list', () => {
  it('goes page by page, by folder, and leaves out what cannot be loaded', async () => {
    const store = memoryStore()
    const registry = createRegistry({ store, factory: () => ({}) })
    const ids = Array.from({ length: 120 }, (_, i) => `s${String(i).padStart(3, '0')}`)
    for (const id of ids) await registry.create({ id, cwd: id < 's110' ? '/a' : '/b' })
    await registry.create({ id: 'no-folder' })
    const ide = await editor([], { store, registry })
    const list = ide.client.agent
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
    await finish(ide)
  })

  it('has the first words of the user as titles', async () => {
    const { store } = await stored()
    const ide = await editor([], { store })
    expect(await ide.client.agent.request('session/list', {})).toMatchObject({
      sessions: [{ cwd, title: 'A', updatedAt: expect.stringMatching(/^\d{4}-/) as string }],
    })
    await finish(ide)
  })
})
