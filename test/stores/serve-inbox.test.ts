import { describe, expect, it } from 'vitest'
import { createAgent } from '../../src/actors/agent.ts'
import { BackedStore } from '../../src/log/store/backed-store.ts'
import { MemoryBackend } from '../../src/log/store/memory-backend.ts'
import { sendToSession, serveInbox } from '../../src/log/store/serve-inbox.ts'
import { createStoreLog, openStoreLog } from '../../src/log/store/store-log.ts'
import { headerOf, newId } from '../../src/testing/log-contract/samples.ts'
import { scriptedModel } from '../../src/testing/scripted-model.ts'

const endless = () => scriptedModel(Array.from({ length: 9 }, () => 'text "ok"'))

async function open() {
  const backend = new MemoryBackend()
  const id = newId()
  const store = new BackedStore(backend)
  const log = await createStoreLog(store, headerOf(id))
  return { id, store, log, other: new BackedStore(backend) }
}

describe('the inbox of a store', () => {
  it('V1, V2: gives a message of another process to the agent once, and takes it when it is durable', async () => {
    const { id, store, log, other } = await open()
    const agent = createAgent({ log, model: endless() })
    const end = new AbortController()
    const serving = serveInbox(store, agent, end.signal)
    const said = new Promise<void>((resolve) => {
      agent.subscribe({}, ({ type }) => {
        if (type === 'turn/end') resolve()
      })
    })
    // The same process, so that the agent hears of it at once.
    expect(await sendToSession(store, id, { id: 'A', content: 'hello' })).toBe('A')
    expect(await sendToSession(other, id, { id: 'A', content: 'again' })).toBe('A')
    await said
    await agent.whenIdle()
    end.abort()
    await serving
    const committed = log.read().filter(({ type }) => type === 'user/message')
    expect(committed).toHaveLength(1)
    expect(await store.inbox.pending(id)).toEqual([])
    await agent.dispose()
    await log.close()
  })

  it('V1: does not send again what the log has held, though it was never taken', async () => {
    const { id, store, log, other } = await open()
    const agent = createAgent({ log, model: endless() })
    await sendToSession(other, id, { id: 'A', content: 'hello' })
    // As far as an owner came that died before it could say so; the message was discarded since.
    agent.inject({ id: 'A', content: 'hello' })
    agent.inbox.remove('A')
    await agent.dispose()
    await log.close()
    const next = createAgent({ log: await openStoreLog(store, id), model: endless() })
    const end = new AbortController()
    const serving = serveInbox(store, next, end.signal)
    end.abort()
    await serving
    expect(next.log.read().filter(({ type }) => type === 'inbox/inserted')).toHaveLength(1)
    expect(await store.inbox.pending(id)).toEqual([])
    await next.dispose()
    await next.log.close()
  })

  it('says which message the agent does not take, and goes on', async () => {
    const { id, store, log } = await open()
    const agent = createAgent({ log, model: endless() })
    await store.inbox.send(id, { id: 'bad', body: { message: { id: 'bad', content: 7 } } })
    await sendToSession(store, id, { id: 'good', content: 'hello' }, { wake: false })
    const end = new AbortController()
    const refused: string[] = []
    const serving = serveInbox(store, agent, end.signal, (message) => {
      refused.push(message)
      end.abort()
    })
    await serving
    expect(refused).toEqual(['bad'])
    expect(agent.inbox.nextTurn.map(({ message }) => message.id)).toEqual(['good'])
    await agent.dispose()
    await log.close()
  })

  it('leaves it to the successor when the agent is disposed', async () => {
    const { id, store, log } = await open()
    const agent = createAgent({ log, model: endless() })
    await agent.dispose()
    await sendToSession(store, id, 'hello')
    const serving = serveInbox(store, agent, new AbortController().signal)
    await expect(serving).rejects.toMatchObject({ code: 'AGENT_DISPOSED' })
    expect(await store.inbox.pending(id)).toHaveLength(1)
    await log.close()
  })
})
