/**
 * The handler: who comes in, what is answered, and what becomes of bad requests.
 */
import { describe, expect, it } from 'vitest'
import { createHttpHandler } from '../../../src/protocols/http/handler.ts'
import { createRegistry } from '../../../src/sessions/registry.ts'
import { memoryStore } from '../../../src/sessions/memory-store.ts'
import { codeOf, FrameReader, ORIGIN, rig } from './rig.ts'

const nobody = (): null => null

describe('who comes in', () => {
  it('is said by a hook that must be there', () => {
    const registry = createRegistry()
    expect(() => createHttpHandler({ registry } as never)).toThrow(/authenticate/)
    expect(() => createHttpHandler({ authenticate: nobody })).toThrow(/either a registry or a host/)
  })

  it('is nobody when the hook says null, something else, or throws; no session is made', async () => {
    const answers = [null, {}, undefined]
    for (const answer of answers) {
      const { post, registry } = rig([], { authenticate: () => answer as never })
      expect(await codeOf(await post('/sessions/s/messages', { content: 'A' }))).toBe(
        '401 UNAUTHENTICATED',
      )
      expect(registry.list()).toEqual([])
    }
    const broken = rig([], {
      authenticate: () => {
        throw new Error('the directory is down')
      },
    })
    const answer = await broken.post('/sessions/s/messages', { content: 'A' })
    expect(await codeOf(answer)).toBe('500 INTERNAL')
    expect(broken.faults.map(String)).toEqual(['Error: the directory is down'])
  })

  it('may be answered by the hook itself', async () => {
    const { get } = rig([], { authenticate: () => new Response('login', { status: 302 }) })
    expect((await get('/sessions/s/events')).status).toBe(302)
  })

  it('is told what is wanted of which session', async () => {
    const asked: string[] = []
    const { post, get } = rig(['text "ok"'], {
      authenticate: ({ sessionId, action }) => {
        asked.push(`${action} ${sessionId}`)
        return { actor: 'ada' }
      },
    })
    await post('/sessions/s-1/messages', { content: 'A' })
    await post('/sessions/s-1/cancel')
    await get('/sessions/s-1/projections/status')
    expect(asked).toEqual(['send s-1', 'cancel s-1', 'read s-1'])
  })
})

describe('a message', () => {
  it('is answered with its receipt, 202, and its sender is recorded', async () => {
    const { post, agent } = rig(['text "ok"'])
    const response = await post('/sessions/s/messages', { content: 'A', id: 'm1' })
    expect([response.status, await response.json()]).toEqual([
      202,
      { sessionId: 's', messageId: 'm1' },
    ])
    await agent('s').whenIdle()
    const inserted = agent('s')
      .log.read()
      .find(({ type }) => type === 'inbox/inserted')
    expect(inserted?.data).toMatchObject({ actor: 'ada', target: 'next-turn', wake: true })
  })

  it('is taken once: the same id again is 409', async () => {
    const { post } = rig(['text "ok"'])
    await post('/sessions/s/messages', { content: 'A', id: 'm1' })
    expect(await codeOf(await post('/sessions/s/messages', { content: 'A', id: 'm1' }))).toBe(
      '409 DUPLICATE_ID',
    )
  })

  it('resumes a stored session, and does not make one where that is not wanted', async () => {
    const store = memoryStore()
    const first = createRegistry({ store, factory: () => ({}) })
    await (await first.create({ id: 'old' })).dispose({ keepInbox: true })
    const registry = createRegistry({ store, factory: () => ({}) })
    const { post } = rig([], { registry, create: false })
    expect((await post('/sessions/old/messages', { content: 'A' })).status).toBe(202)
    expect(await codeOf(await post('/sessions/new/messages', { content: 'A' }))).toBe(
      '404 SESSION_NOT_FOUND',
    )
  })

  it('is refused while too many wait, and nothing of it is kept', async () => {
    const { post, agent } = rig(['hang "…"'], { maxPending: 2 })
    for (const content of ['A', 'B', 'C'])
      expect((await post('/sessions/s/messages', { content })).status).toBe(202)
    const answer = await post('/sessions/s/messages', { content: 'D' })
    expect(answer.headers.get('retry-after')).toBe('1')
    expect(await codeOf(answer)).toBe('503 OVERLOADED')
    expect(agent('s').inbox.nextTurn).toHaveLength(2)
    await agent('s').dispose()
  })

  it('may steer and inject', async () => {
    const { post, agent } = rig(['hang "…"'])
    await post('/sessions/s/messages', { content: 'A' })
    await post('/sessions/s/messages', { content: 'B', as: 'steer' })
    await post('/sessions/s/messages', { content: 'C', as: 'inject' })
    expect(agent('s').inbox.nextStep.map(({ wake }) => wake)).toEqual([true, false])
    await agent('s').dispose()
  })
})

describe('a cancel', () => {
  it('answers with its receipt, keeps the queue where asked, and never fails for what is gone', async () => {
    const { post, agent } = rig(['hang "…"'])
    await post('/sessions/s/messages', { content: 'A' })
    await post('/sessions/s/messages', { content: 'B', id: 'b' })
    const kept = await post('/sessions/s/cancel', { keepInbox: true })
    expect(await kept.json()).toEqual({ effect: 'aborted', turn: 1, discarded: [] })
    await agent('s').whenIdle()
    expect(agent('s').parked).toMatchObject({ reason: 'cancel', ids: ['b'] })
    const late = await post('/sessions/s/cancel', { turn: 1 })
    expect(await late.json()).toEqual({ effect: 'none', discarded: [], code: 'TURN_FINISHED' })
    await agent('s').dispose()
    expect(await (await post('/sessions/s/cancel')).json()).toEqual({
      effect: 'none',
      discarded: [],
    })
    expect(await codeOf(await post('/sessions/never/cancel'))).toBe('409 SESSION_NOT_LIVE')
  })
})

describe('approvals', () => {
  it('are answered by the caller, all of them or none', async () => {
    const pay = { name: 'pay', parallel: true, approval: 'always' as const, run: () => 'paid' }
    const tools = [pay]
    const { post, agent, get } = rig(['call c1 pay + call c2 pay', 'text "done"'], {
      agentOptions: { tools },
    })
    await post('/sessions/s/messages', { content: 'A' })
    const frames = new FrameReader(await get('/sessions/s/events'))
    await frames.until(({ data }) => data.includes('"approval/asked"'))
    await frames.until(({ data }) => data.includes('"approval/asked"'))
    await frames.leave()
    const [first = '', second = ''] = agent('s').approvals.open.map(({ call }) => call.key)
    const wrong = {
      answers: [
        { call: first, answer: 'allow' },
        { call: 'x', answer: 'deny' },
      ],
    }
    expect(await codeOf(await post('/sessions/s/approvals', wrong))).toBe('409 APPROVAL_CLOSED')
    const both = { answers: [first, second].map((call) => ({ call, answer: 'allow' })) }
    expect(await (await post('/sessions/s/approvals', both)).json()).toEqual({
      answered: [first, second],
    })
    await agent('s').whenIdle()
    const decided = agent('s')
      .log.read()
      .filter(({ type }) => type === 'approval/decided')
    expect(decided.map(({ data }) => (data as { by: string }).by)).toEqual(['ada', 'ada'])
  })
})

describe('a bad request', () => {
  it.each([
    ['no path of ours', 'GET', '/other', undefined, '404 NOT_FOUND'],
    ['another method', 'GET', '/sessions/s/messages', undefined, '405 METHOD_NOT_ALLOWED'],
    ['an id that no session has', 'POST', '/sessions/..%2Fx/messages', '{}', '400 INVALID_OPTION'],
    ['an id in no encoding', 'POST', '/sessions/%E0%A4/messages', '{}', '404 NOT_FOUND'],
    ['no JSON', 'POST', '/sessions/s/messages', '{"content":', '400 BAD_REQUEST'],
    ['a list', 'POST', '/sessions/s/messages', '[]', '400 BAD_REQUEST'],
    ['no content', 'POST', '/sessions/s/messages', '{}', '400 INVALID_MESSAGE'],
    [
      'an unknown field',
      'POST',
      '/sessions/s/messages',
      '{"content":"A","x":1}',
      '400 BAD_REQUEST',
    ],
    [
      'a verb of nobody',
      'POST',
      '/sessions/s/messages',
      '{"content":"A","as":"x"}',
      '400 BAD_REQUEST',
    ],
    [
      'a reserved cause',
      'POST',
      '/sessions/s/cancel',
      '{"cause":"disposed"}',
      '400 INVALID_OPTION',
    ],
    ['a bad position', 'GET', '/sessions/s/events?from=-1', undefined, '400 BAD_REQUEST'],
  ])('with %s is refused in words', async (_, method, path, body, expected) => {
    const { handle, registry, faults } = rig()
    const headers = { 'content-type': 'application/json' }
    const request = new Request(`${ORIGIN}${path}`, {
      method,
      headers,
      ...(body !== undefined && { body }),
    })
    expect(await codeOf(await handle(request))).toBe(expected)
    expect([registry.list(), faults]).toEqual([[], []])
  })

  it('is refused for its type, and for its length before it is read to its end', async () => {
    const { post, handle } = rig([], { maxBodyBytes: 1000 })
    const plain = await post('/sessions/s/messages', '{"content":"A"}', {
      'content-type': 'text/plain',
    })
    expect(await codeOf(plain)).toBe('415 UNSUPPORTED_MEDIA_TYPE')
    // What any page could send without being asked: no body, no type.
    const bare = await handle(new Request(`${ORIGIN}/sessions/s/cancel`, { method: 'POST' }))
    expect(await codeOf(bare)).toBe('415 UNSUPPORTED_MEDIA_TYPE')
    const bytes = new Uint8Array([0x7b, 0xff, 0x7d])
    const headers = { 'content-type': 'application/json' }
    const broken = new Request(`${ORIGIN}/sessions/s/messages`, {
      method: 'POST',
      headers,
      body: bytes,
    })
    expect(await codeOf(await handle(broken))).toBe('400 BAD_REQUEST')
    let pulled = 0
    const endless = new ReadableStream({
      pull(controller) {
        pulled += 1
        controller.enqueue(new Uint8Array(400).fill(32))
      },
    })
    const request = new Request(`${ORIGIN}/sessions/s/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: endless,
      duplex: 'half',
    })
    expect(await codeOf(await handle(request))).toBe('413 TOO_LARGE')
    expect(pulled).toBeLessThan(8)
  })
})
