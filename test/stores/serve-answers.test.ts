/**
 * Answers to approvals that another process leaves in the store: for an owner that lives, and for one still to come.
 */
import { describe, expect, it } from 'vitest'
import { createAgent } from '../../src/actors/agent.ts'
import type { Agent } from '../../src/actors/agent-handle.ts'
import type { EventLog } from '../../src/log/event-log.ts'
import { BackedStore } from '../../src/log/store/backed-store.ts'
import { MemoryBackend } from '../../src/log/store/memory-backend.ts'
import { approveInSession, serveInbox } from '../../src/log/store/serve-inbox.ts'
import { createStoreLog, openStoreLog } from '../../src/log/store/store-log.ts'
import { headerOf, newId } from '../../src/testing/log-contract/samples.ts'
import { scriptedModel } from '../../src/testing/scripted-model.ts'

/** An agent whose only tool must be approved. `ran` counts its bodies. */
function life(log: EventLog, script: readonly string[]): { agent: Agent; ran: () => number } {
  let ran = 0
  const run = (): string => {
    ran += 1
    return 'ok'
  }
  const agent = createAgent({
    log,
    model: scriptedModel(script),
    tools: [{ name: 't', run }],
    approval: 'always',
    keepApprovals: true,
  })
  return { agent, ran: () => ran }
}

/** A session whose agent has asked about one call. */
async function asked() {
  const backend = new MemoryBackend()
  const id = newId()
  const store = new BackedStore(backend)
  const log = await createStoreLog(store, headerOf(id))
  const { agent, ran } = life(log, ['call c1 t', 'text "done"'])
  const question = new Promise<string>((resolve) => {
    agent.subscribe({}, ({ type, data }) => {
      if (type === 'approval/asked') resolve(data.call.key)
    })
  })
  agent.followup('go')
  return { id, store, agent, ran, call: await question, other: new BackedStore(backend) }
}

/** Serves the inbox until the agent rests. @returns the items it did not take. */
async function served(store: BackedStore, agent: Agent): Promise<string[]> {
  const end = new AbortController()
  const refused: string[] = []
  const serving = serveInbox(store, agent, end.signal, (_, error) => {
    refused.push((error as { code: string }).code)
  })
  await agent.whenIdle()
  end.abort()
  await serving
  return refused
}

describe('an answer of another process', () => {
  it('reaches the owner that waits for it', async () => {
    const { id, store, agent, ran, call, other } = await asked()
    await approveInSession(other, id, { call, answer: 'allow', by: 'ann' })
    expect(await served(store, agent)).toEqual([])
    expect(ran()).toBe(1)
    const decided = agent.log.read().find(({ type }) => type === 'approval/decided')
    expect(decided?.data).toMatchObject({ answer: 'allow', by: 'ann' })
    expect(await store.inbox.pending(id)).toEqual([])
    await agent.dispose()
  })

  it('V3: waits for an owner that is still to come, and the first of several counts', async () => {
    const { id, store, agent, call, other } = await asked()
    await agent.dispose({ keepInbox: true })
    await approveInSession(other, id, { call, answer: 'allow' })
    await approveInSession(other, id, { call, answer: 'deny' })
    const next = life(await openStoreLog(store, id), ['text "done"'])
    expect(await served(store, next.agent)).toEqual(['APPROVAL_CLOSED'])
    expect(next.ran()).toBe(1)
    expect(await store.inbox.pending(id)).toEqual([])
    await next.agent.dispose()
  })

  it('V3: to a question that is closed by then is dropped, and said', async () => {
    const { id, store, agent, ran, call, other } = await asked()
    agent.cancel()
    await agent.whenIdle()
    await approveInSession(other, id, { call, answer: 'allow' })
    const end = new AbortController()
    const refused = await new Promise<unknown>((resolve) => {
      void serveInbox(store, agent, end.signal, (_, error) => {
        resolve(error)
      })
    })
    end.abort()
    expect(refused).toMatchObject({ code: 'APPROVAL_CLOSED' })
    expect(ran()).toBe(0)
    await agent.dispose()
  })

  it('to a session that is not there is refused', async () => {
    const store = new BackedStore(new MemoryBackend())
    const left = approveInSession(store, 'nobody', { call: 'k', answer: 'allow' })
    await expect(left).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
  })
})
