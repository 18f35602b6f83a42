/**
 * Commands from the page: only with control, only with the token, and then those of any caller.
 */
import { describe, expect, it } from 'vitest'
import { createAgent } from '../../../src/actors/agent.ts'
import type { Agent } from '../../../src/actors/agent-handle.ts'
import { defineTool } from '../../../src/adapters/define-tool.ts'
import type { Viewer } from '../../../src/inspect/index.ts'
import type { AgentList } from '../../../src/inspect/viewer/wire.ts'
import { script } from '../../../src/testing/script.ts'
import { scriptedModel, type ScriptedModel } from '../../../src/testing/scripted-model.ts'
import { openFileLog } from '../../../src/log/file-log.ts'
import { TURN } from '../../cli/stored-logs.ts'
import { agents, ask, at, follow, open, putLog, raw, useViewer } from './viewer-rig.ts'

useViewer()

function agentOf(model: ScriptedModel, id = 'a'): Agent {
  return createAgent({
    id,
    model,
    tools: [defineTool({ name: 'deploy', run: () => 'done' })],
    gates: { toolPre: () => ({ kind: 'ask' }) },
  })
}

const json = { 'content-type': 'application/json' }

async function command(viewer: Viewer, body: unknown, id = 'a', token = viewer.token ?? '') {
  const response = await fetch(at(viewer, `/api/agents/${id}/commands`), {
    method: 'POST',
    headers: { ...json, authorization: `Bearer ${token}` },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as never }
}

describe('without control', () => {
  it('nothing is commanded, and the list says so', async () => {
    const agent = agentOf(scriptedModel(['text "hi"']))
    const viewer = await open({ agents: [agent] })
    expect(viewer).not.toHaveProperty('token')
    expect(viewer.url).toBe(`http://127.0.0.1:${viewer.port}/`)
    const refused = await command(viewer, { do: 'followup', text: 'A' })
    expect(refused).toMatchObject({ status: 403, body: { error: { code: 'READ_ONLY' } } })
    expect(agent.log.length).toBe(0)
    expect(await ask<AgentList>(viewer, '/api/agents')).toMatchObject({
      control: false,
      agents: [{ id: 'a', control: false }],
    })
  })
})

describe('with control', () => {
  it('the token stands in the address, where no server is told it', async () => {
    const viewer = await open({ control: true })
    expect(viewer.url).toBe(`http://127.0.0.1:${viewer.port}/#token=${viewer.token}`)
    expect(viewer.token?.length).toBeGreaterThanOrEqual(32)
  })

  it.each(['', 'x', 'undefined', 'x'.repeat(5000)])('the token %# opens nothing', async (token) => {
    const agent = agentOf(scriptedModel(['text "hi"']))
    const viewer = await open({ agents: [agent], control: true })
    const refused = await command(viewer, { do: 'followup', text: 'A' }, 'a', token)
    expect(refused).toMatchObject({ status: 401, body: { error: { code: 'TOKEN' } } })
    const bare = await raw(viewer, '/api/agents/a/commands', json, { method: 'POST', body: '{}' })
    expect(bare.status).toBe(401)
    expect(agent.log.length).toBe(0)
  })

  it('a message goes in, its turn is seen, and what waits can be steered and cancelled', async () => {
    const model = scriptedModel([[script.text('on'), script.stall()], 'text "two"'])
    const agent = agentOf(model)
    const viewer = await open({ agents: [agent], control: true })
    const reader = await follow(viewer, 'a')
    await reader.caughtUp()
    const sent = await command(viewer, { do: 'followup', text: 'A' })
    expect(sent).toMatchObject({ status: 200, body: { id: expect.any(String) as string } })
    while (!reader.events.some(({ type }) => type === 'assistant/chunk')) await reader.more()
    expect(reader.events[0]).toMatchObject({ type: 'inbox/inserted', data: { actor: 'viewer' } })
    expect(await command(viewer, { do: 'steer', text: 'B' })).toMatchObject({ status: 200 })
    expect(await command(viewer, { do: 'inject', text: 'C' })).toMatchObject({ status: 200 })
    expect(await command(viewer, { do: 'cancel', turn: 7 })).toMatchObject({
      body: { effect: 'none' },
    })
    expect(await command(viewer, { do: 'cancel', keepInbox: true })).toMatchObject({
      status: 200,
      body: { effect: 'aborted', turn: 1, discarded: [] },
    })
    await agent.whenIdle()
    expect(agent.parked?.reason).toBe('cancel')
    expect(agent.log.read().find(({ type }) => type === 'cancel/requested')?.data).toMatchObject({
      cause: { kind: 'user', by: 'viewer' },
      actor: 'viewer',
    })
    while (!reader.events.some(({ type }) => type === 'turn/end')) await reader.more()
    expect(reader.seen.findLast(({ event }) => event === 'live')?.data).toBeDefined()
  })

  it('a question is answered once', async () => {
    const agent = agentOf(scriptedModel([[script.call('c1', 'deploy')], 'text "done"']))
    const viewer = await open({ agents: [agent], control: true })
    agent.followup('A')
    const reader = await follow(viewer, 'a')
    while (!reader.events.some(({ type }) => type === 'approval/asked')) await reader.more()
    const told = { do: 'deny', call: 'c1', text: 'not today' }
    expect(await command(viewer, told)).toMatchObject({
      status: 200,
      body: { call: 'c1', answer: 'deny' },
    })
    await agent.whenIdle()
    expect(agent.log.read().find(({ type }) => type === 'approval/decided')?.data).toMatchObject({
      answer: 'deny',
      by: 'viewer',
      reason: 'not today',
    })
    expect(await command(viewer, { do: 'approve', call: 'c1' })).toMatchObject({
      status: 409,
      body: { error: { code: 'APPROVAL_CLOSED' } },
    })
  })

  it.each([
    [{ do: 'dance' }, 400],
    [{ do: 'followup' }, 400],
    [{ do: 'followup', text: '' }, 400],
    [{ do: 'followup', text: { $ne: '' } }, 400],
    [{ do: 'cancel', keepInbox: 'yes' }, 400],
    [{ do: 'cancel', turn: 1.5 }, 400],
    [{ do: 'approve' }, 400],
    [[], 400],
    ['null', 400],
    ['{', 400],
    [`{"do":"followup","text":"${'x'.repeat(1024 * 1024)}"}`, 413],
  ])('refuses %j', async (body, status) => {
    const agent = agentOf(scriptedModel([]))
    const viewer = await open({ agents: [agent], control: true })
    // A body that is too long is not read to its end, so the connection may break instead.
    const answer = await command(viewer, body).catch(() => ({ status, body: {} }))
    expect(answer.status).toBe(status)
    expect(agent.log.length).toBe(0)
  })

  it('takes JSON alone, which no form of another page can send', async () => {
    const viewer = await open({ agents: [agentOf(scriptedModel([]))], control: true })
    const headers = {
      'content-type': 'text/plain',
      authorization: `Bearer ${viewer.token}`,
    }
    const body = '{"do":"cancel"}'
    const { status } = await raw(viewer, '/api/agents/a/commands', headers, {
      method: 'POST',
      body,
    })
    expect(status).toBe(415)
  })

  it('a log in a file is taken up at its first command, under the name it had', async () => {
    const path = putLog('cold', TURN)
    const asked: string[] = []
    const revive = async (file: string): Promise<Agent> => {
      asked.push(file)
      return createAgent({ log: await openFileLog(file), model: scriptedModel(['text "two"']) })
    }
    const viewer = await open({ logs: [path], control: true, revive })
    const [cold] = await agents(viewer)
    expect(cold).toMatchObject({ kind: 'file', control: true })
    const reader = await follow(viewer, cold?.id ?? '')
    await reader.caughtUp()
    const both = ['B', 'C'].map((text) => command(viewer, { do: 'followup', text }, cold?.id))
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 200])
    expect(asked).toEqual([path])
    expect(await agents(viewer)).toMatchObject([{ id: cold?.id, kind: 'live', control: true }])
    // Whoever follows the file goes on, and so does whoever comes now.
    while (!reader.events.some(({ type, seq }) => type === 'turn/end' && seq > 8))
      await reader.more()
    const late = await follow(viewer, cold?.id ?? '', '?from=8')
    expect((await late.caughtUp())[0]?.type).toBe('session/opened')
  })

  it('is refused by a log that another process has open, and by one that cannot be opened', async () => {
    const path = putLog('busy', TURN)
    const log = await openFileLog(path)
    let refuses = true
    const revive = async (file: string): Promise<Agent> => {
      if (refuses) throw new Error('not today')
      return createAgent({ log: await openFileLog(file), model: scriptedModel(['text "two"']) })
    }
    const viewer = await open({ logs: [path], control: true, revive })
    const [busy] = await agents(viewer)
    expect(busy?.control).toBe(false)
    const sent = { do: 'followup', text: 'B' }
    expect(await command(viewer, sent, busy?.id)).toMatchObject({ status: 500 })
    refuses = false
    expect(await command(viewer, sent, busy?.id)).toMatchObject({
      status: 409,
      body: { error: { code: 'SESSION_LIVE' } },
    })
    await log.close()
    expect((await command(viewer, sent, busy?.id)).status).toBe(200)
  })

  it('says what cannot be commanded: a file, a disposed agent, nobody', async () => {
    const agent = agentOf(scriptedModel([]))
    const logs = [putLog('cold', [])]
    const viewer = await open({ agents: [agent], logs, control: true })
    const cold = (await agents(viewer)).find(({ kind }) => kind === 'file')
    expect(cold?.control).toBe(false)
    const sent = { do: 'followup', text: 'A' }
    expect(await command(viewer, sent, cold?.id)).toMatchObject({
      status: 409,
      body: { error: { code: 'SESSION_NOT_LIVE' } },
    })
    expect(await command(viewer, sent, 'nobody')).toMatchObject({ status: 404 })
    await agent.dispose()
    expect(await command(viewer, sent)).toMatchObject({
      status: 409,
      body: { error: { code: 'AGENT_DISPOSED' } },
    })
  })
})
