/**
 * Sessions that a client finds in the store and goes on with.
 */
import { describe, expect, it } from 'vitest'
import { defineTool } from '../../../src/adapters/define-tool.ts'
import { memoryStore } from '../../../src/sessions/memory-store.ts'
import { createRegistry } from '../../../src/sessions/registry.ts'
import { cwd, type Editor, editor, finish, rejection, saw, stored, streaming } from './editor.ts'

const open = { cwd, mcpServers: [] }

/** What is told to a client, in short. */
const told = ({ updates }: Editor): string[] =>
  updates.map(({ update }) => {
    const content = 'content' in update ? update.content : undefined
    const text = content !== undefined && 'text' in (content as object) ? content : { text: '?' }
    return `${update.sessionUpdate} ${(text as { text: string }).text}`
  })

describe('loading a session', () => {
  it('tells what was said on both sides before it answers, and goes on', async () => {
    const { id, store } = await stored()
    const ide = await editor(['text "three"'], { store })
    await ide.client.agent.request('session/load', { ...open, sessionId: id })
    const before = [
      'user_message_chunk A',
      'agent_message_chunk one',
      'user_message_chunk B',
      'agent_message_chunk two',
    ]
    expect(told(ide)).toEqual(before)
    await ide.prompt(id, 'C')
    expect(told(ide)).toEqual([...before, 'agent_message_chunk three'])
    // A client that asks again is told again.
    await ide.client.agent.request('session/load', { ...open, sessionId: id })
    expect(told(ide).slice(5)).toEqual([
      ...before,
      'user_message_chunk C',
      'agent_message_chunk three',
    ])
    await finish(ide)
  })

  it('may go without the replay', async () => {
    const { id, store } = await stored()
    const ide = await editor(['text "three"'], { store })
    await ide.client.agent.request('session/resume', { ...open, sessionId: id })
    expect(told(ide)).toEqual([])
    expect(await ide.prompt(id, 'C')).toEqual({ stopReason: 'end_turn' })
    await finish(ide)
  })

  it('names messages the same each time', async () => {
    const { id, store } = await stored()
    const ids = async (): Promise<unknown[]> => {
      const ide = await editor([], { store })
      await ide.client.agent.request('session/load', { ...open, sessionId: id })
      await finish(ide)
      return ide.updates.map(({ update }) => 'messageId' in update && update.messageId)
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
    const ide = await editor(['text "N"'], {
      store: memoryStore([{ header: agent.log.header, events }]),
    })
    await ide.client.agent.request('session/load', { ...open, sessionId: agent.id })
    const again = ide.acp.registry.get(agent.id)
    expect(again?.inbox.nextTurn.map(({ message }) => message.id)).toEqual(['N'])
    expect(again?.parked?.reason).toBe('resume')
    await finish(ide, dead)
  })

  it('withdraws a prompt that waited when the process died', async () => {
    const dead = await editor(['hang "x"'])
    const agent = await dead.session()
    agent.followup({ id: 'N', content: 'N' })
    void dead.prompt(agent, 'A').catch(() => {})
    await saw(agent, 'inbox/inserted', ({ message }) => message.id !== 'N')
    const events = agent.log.read()
    const ide = await editor([], { store: memoryStore([{ header: agent.log.header, events }]) })
    await ide.client.agent.request('session/load', { ...open, sessionId: agent.id })
    const again = ide.acp.registry.get(agent.id)
    expect(again?.inbox.nextTurn).toEqual([])
    // The one that ran was no prompt of a client: it is put back, as after every crash.
    expect(again?.inbox.nextStep).toEqual([])
    expect(
      again?.log
        .read()
        .flatMap(({ type, data }) => (type === 'inbox/discarded' ? [data.reason] : [])),
    ).toEqual(['rejected'])
    await finish(ide, dead)
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
    const ide = await editor(['text "done"'], {
      store,
      registry: second,
      agent: { tools },
      permit: () => ({ outcome: { outcome: 'selected', optionId: 'allow-once' } }),
    })
    await ide.client.agent.request('session/load', { ...open, sessionId: before.id })
    await second.get(before.id)?.whenIdle()
    await ide.heard()
    expect(told(ide)).toEqual(['user_message_chunk A', 'agent_message_chunk done'])
    await finish(ide)
  })

  it.each([['unknown'], ['../../etc/passwd']])('refuses %s', async (sessionId) => {
    const ide = await editor()
    expect(
      await rejection(ide.client.agent.request('session/load', { ...open, sessionId })),
    ).toMatchObject({ code: -32002, data: { code: 'SESSION_NOT_FOUND' } })
    await finish(ide)
  })

  it('refuses one that somebody else has open', async () => {
    const ide = await editor()
    const other = await ide.acp.registry.create({ agent: {} })
    expect(
      await rejection(ide.client.agent.request('session/load', { ...open, sessionId: other.id })),
    ).toMatchObject({ code: -32602, data: { code: 'SESSION_LIVE' } })
    expect(await rejection(ide.prompt(other, 'A'))).toMatchObject({ code: -32002 })
    await finish(ide)
  })
})
