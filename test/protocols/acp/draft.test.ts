/**
 * The draft of version 2: prompts are answered when they are accepted, and states are told apart from them.
 */
import { describe, expect, it } from 'vitest'
import { defineTool } from '../../../src/adapters/define-tool.ts'
import { memoryStore } from '../../../src/sessions/memory-store.ts'
import { draft } from './draft-editor.ts'
import { deferred } from '../../support/deferred.ts'
import { cwd, editor, ends, finish, lines, rejection, saw, streaming } from './editor.ts'

describe('a prompt', () => {
  it('is answered when it is accepted, shown, and worked on', async () => {
    const ide = await draft(['text "one" (gated g)'])
    const agent = await ide.session()
    const { messageId } = await ide.prompt(agent, 'A')
    expect(agent.status).toBe('running')
    ide.model.release('g')
    await ide.last('idle end_turn')
    expect(ide.told()).toEqual([
      'user_message_chunk A',
      'running',
      'agent_message_chunk one',
      'idle end_turn',
    ])
    expect((await saw(agent, 'user/message')).data.message.id).toBe(messageId)
    await finish(ide)
  })

  it('waits for its turn behind others, in the order in which they came', async () => {
    const slow = deferred<void>()
    const ide = await draft(['text "1" (gated g)', 'text "2"', 'text "3"'], {
      admit: [({ content }) => (JSON.stringify(content).includes('B') ? slow.promise : undefined)],
    })
    const agent = await ide.session()
    await ide.prompt(agent, 'A')
    const others = [ide.prompt(agent, 'B'), ide.prompt(agent, 'C')]
    slow.resolve()
    await Promise.all(others)
    ide.model.release('g')
    await ide.last('idle end_turn')
    expect(ide.told().filter((line) => line !== 'running')).toEqual([
      'user_message_chunk A',
      'user_message_chunk B',
      'user_message_chunk C',
      'agent_message_chunk 1',
      'agent_message_chunk 2',
      'agent_message_chunk 3',
      'idle end_turn',
    ])
    expect(ends(agent)).toHaveLength(3)
    await finish(ide)
  })

  it('that is cancelled before it was accepted is never sent', async () => {
    const asked = deferred<void>()
    const held = deferred<void>()
    const ide = await draft([], {
      admit: [
        async () => {
          asked.resolve()
          await held.promise
        },
      ],
    })
    const agent = await ide.session()
    const prompt = rejection(ide.prompt(agent, 'A'))
    await asked.promise
    await ide.cancel(agent)
    await ide.client.agent.request('session/list', {})
    held.resolve()
    expect(await prompt).toMatchObject({ code: -32800 })
    expect(agent.log.length).toBe(0)
    await finish(ide)
  })

  it('that was accepted outlives its process', async () => {
    const store = memoryStore()
    const dead = await draft(['hang "x"'], { store })
    const agent = await dead.session()
    await dead.prompt(agent, 'A')
    await streaming(agent)
    const { messageId } = await dead.prompt(agent, 'B')
    const events = agent.log.read()
    const ide = await draft([], { store: memoryStore([{ header: agent.log.header, events }]) })
    await ide.client.agent.request('session/resume', { sessionId: agent.id, cwd })
    const [waits] = ide.agentOf(agent.id).inbox.nextTurn
    expect(waits?.message.id).toBe(messageId)
    await finish(ide, dead)
  })
})

describe('states', () => {
  it('say that the client cancelled', async () => {
    const ide = await draft(['hang "x"'])
    const agent = await ide.session()
    await ide.prompt(agent, 'A')
    await streaming(agent)
    await ide.cancel(agent)
    await ide.last('idle cancelled')
    expect(ide.told()).toContain('agent_message_chunk x')
    await finish(ide)
  })

  it('say that the work failed, and why', async () => {
    const ide = await draft(['error SERVER "boom"'])
    const agent = await ide.session()
    await ide.prompt(agent, 'A')
    await ide.last('idle error turn failed: boom')
    expect(ends(agent)[0]).toContain('error:SERVER')
    await finish(ide)
  })

  it('say that an answer could not be shown, and that the session ended', async () => {
    const kept = { type: 'image', mediaType: 'image/png', url: 'kept:1' } as const
    const ide = await draft(['text "x"', 'hang "y"'], {
      agent: { gates: { stepResult: () => ({ role: 'assistant', content: [kept] }) } },
      attachments: {
        put: (block) => block,
        get: () => {
          throw new Error('no such picture')
        },
      },
    })
    const agent = await ide.session()
    await ide.prompt(agent, 'A')
    await ide.last('idle error output failed: no such picture')
    expect(ends(agent)).toEqual(['turn/end 1 completed'])
    await ide.prompt(agent, 'B')
    await streaming(agent)
    await agent.dispose()
    await ide.last('idle cancelled')
    await finish(ide)
  })

  it('are told of work that the agent begins by itself', async () => {
    const ide = await draft(['text "auto"'])
    const agent = await ide.session()
    agent.followup('N')
    await ide.last('idle end_turn')
    expect(ide.told()).toEqual(['running', 'agent_message_chunk auto', 'idle end_turn'])
    await finish(ide)
  })

  it('say that only the user can let the work go on', async () => {
    const answer = deferred<object>()
    const ide = await draft(['call c1 t', 'text "done"'], {
      agent: { tools: [defineTool({ name: 't', approval: 'always', run: () => 'ok' })] },
      permit: () => answer.promise,
    })
    const agent = await ide.session()
    await ide.prompt(agent, 'A')
    await ide.last('requires_action')
    answer.resolve({ outcome: { outcome: 'selected', optionId: 'allow-once' } })
    await ide.last('idle end_turn')
    expect(ide.told()).toEqual([
      'user_message_chunk A',
      'running',
      'requires_action',
      'running',
      'agent_message_chunk done',
      'idle end_turn',
    ])
    expect(lines(agent, 'tool/result')[0]).toContain('ok')
    await finish(ide)
  })

  it('stay running while another call can go on', async () => {
    const running = deferred<string>()
    const ide = await draft(['call c1 slow + call c2 asked', 'text "done"'], {
      agent: {
        tools: [
          defineTool({ name: 'slow', parallel: true, run: () => running.promise }),
          defineTool({ name: 'asked', parallel: true, approval: 'always', run: () => 'ok' }),
        ],
      },
      permit: () => ({ outcome: { outcome: 'selected', optionId: 'reject-once' } }),
    })
    const agent = await ide.session()
    await ide.prompt(agent, 'A')
    await saw(agent, 'approval/decided')
    await ide.client.agent.request('session/list', {})
    expect(ide.told()).not.toContain('requires_action')
    running.resolve('ok')
    await ide.last('idle end_turn')
    await finish(ide)
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
    const ide = await draft([], { store })
    const at = { sessionId: agent.id, cwd }
    await ide.client.agent.request('session/resume', { ...at, replayFrom: { type: 'start' } })
    expect(ide.told()).toEqual(['user_message_chunk A', 'agent_message_chunk one', 'idle'])
    await ide.client.agent.request('session/resume', at)
    expect(ide.told().slice(3)).toEqual(['idle'])
    expect(
      await rejection(
        ide.client.agent.request('session/resume', { ...at, replayFrom: { type: '_x' } }),
      ),
    ).toMatchObject({ code: -32602 })
    await finish(ide)
  })

  it('are closed behind their last word', async () => {
    const ide = await draft(['hang "x"'])
    const agent = await ide.session()
    await ide.prompt(agent, 'A')
    await streaming(agent)
    await ide.client.agent.request('session/close', { sessionId: agent.id })
    expect(ide.told().at(-1)).toBe('idle cancelled')
    await finish(ide)
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
