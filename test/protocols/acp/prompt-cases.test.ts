/**
 * The cases of the area acp about prompts, by their ids: the real bridge between the official client and real agents.
 */
import { describe, expect, test } from 'vitest'
import { defineTool } from '../../../src/adapters/define-tool.ts'
import { deferred } from '../../support/deferred.ts'
import { editor, ends, finish, lines, rejection, saw, streaming, texts } from './editor.ts'

const image = { type: 'image', mimeType: 'image/png', data: 'AAAA' } as const

describe('a prompt and its answer', () => {
  test('AC-01 ordinary prompt: one committed answer, end_turn', async () => {
    const it = await editor(['reasoning "hm" then call c1 t', 'text "one"'], {
      agent: { tools: [defineTool({ name: 't', run: () => 'done' })] },
    })
    const agent = await it.session()
    const answer = await it.prompt(agent, 'A')
    // What was said stands before the answer.
    expect(texts(it)).toEqual(['one'])
    expect(answer).toEqual({ stopReason: 'end_turn' })
    expect(it.updates.map(({ update }) => update.sessionUpdate)).toEqual(['agent_message_chunk'])
    await finish(it)
  })

  test('AC-02 max-tokens maps to end_turn without losing text', async () => {
    const it = await editor(['text "cut" finishing max-tokens'])
    const agent = await it.session()
    expect(await it.prompt(agent, 'A')).toEqual({ stopReason: 'end_turn' })
    expect(texts(it)).toEqual(['cut'])
    expect(ends(agent)).toEqual(['turn/end 1 max-tokens'])
    await finish(it)
  })

  test('AC-03 blocked maps to end_turn', async () => {
    const it = await editor([], {
      agent: { gates: { preStep: () => ({ kind: 'reject', reason: 'no' }) } },
    })
    const agent = await it.session()
    expect(await it.prompt(agent, 'A')).toEqual({ stopReason: 'end_turn' })
    expect(it.updates).toEqual([])
    await finish(it)
  })

  test('AC-04 a model error on the correlated turn rejects the prompt at once; the slot stays taken', async () => {
    const it = await editor([
      'stream "x" then error SERVER "boom"',
      'text "N" (gated g)',
      'text "after"',
    ])
    const agent = await it.session()
    const prompt = rejection(it.prompt(agent, 'A'))
    await saw(agent, 'turn/start')
    agent.followup('N')
    expect(await prompt).toMatchObject({
      message: 'turn failed: boom',
      data: { code: 'SERVER' },
    })
    expect(agent.status).toBe('running')
    expect(it.updates).toEqual([])
    expect(await rejection(it.prompt(agent, 'too early'))).toMatchObject({ code: -32602 })
    it.model.release('g')
    await agent.whenIdle()
    expect(await it.prompt(agent, 'later')).toEqual({ stopReason: 'end_turn' })
    expect(texts(it)).toEqual(['N', 'after'])
    await finish(it)
  })

  test('AC-05 client cancel settles cancelled at quiescence', async () => {
    const it = await editor(['hang "partial"'])
    const agent = await it.session()
    const prompt = it.prompt(agent, 'A')
    await streaming(agent)
    await it.cancel(agent)
    expect(await prompt).toEqual({ stopReason: 'cancelled' })
    expect(agent.status).toBe('idle')
    expect(ends(agent)).toEqual(['turn/end 1 aborted:user'])
    await finish(it)
  })

  test('AC-05 cancelled even if the turn ended with an error', async () => {
    const it = await editor(['stream "x" then error SERVER "boom"'])
    const agent = await it.session()
    const durable = deferred<void>()
    agent.subscribe({}, ({ type }) => {
      if (type !== 'step/end') return
      agent.log.flush = () => durable.promise
      agent.log.durable = () => durable.promise
    })
    const prompt = it.prompt(agent, 'A')
    const { data } = await saw(agent, 'turn/end')
    expect(data.reason.kind).toBe('error')
    await it.cancel(agent)
    await it.heard()
    durable.resolve()
    expect(await prompt).toEqual({ stopReason: 'cancelled' })
    await finish(it)
  })

  test('AC-06 an in-process cancel (not the client) reports end_turn', async () => {
    const it = await editor(['hang "partial"'])
    const agent = await it.session()
    const prompt = it.prompt(agent, 'A')
    await streaming(agent)
    agent.cancel('user')
    expect(await prompt).toEqual({ stopReason: 'end_turn' })
    await finish(it)
  })
})

describe('the slot', () => {
  test('AC-07 one in-flight prompt per session, independent across sessions', async () => {
    const it = await editor(['hang "x"', 'text "two"', 'text "three"'])
    const [one, two] = [await it.session(), await it.session()]
    const first = it.prompt(one, 'A')
    await streaming(one)
    expect(await rejection(it.prompt(one, 'B'))).toMatchObject({ code: -32602 })
    expect(await it.prompt(two, 'C')).toEqual({ stopReason: 'end_turn' })
    await it.cancel(one)
    expect(await first).toEqual({ stopReason: 'cancelled' })
    expect(await it.prompt(one, 'D')).toEqual({ stopReason: 'end_turn' })
    await finish(it)
  })

  test('AC-08 the slot is reserved before asynchronous admission; cancel during admission never queues a late prompt', async () => {
    const asked = deferred<void>()
    const g = deferred<void>()
    const it = await editor(['text "never"'], {
      attachments: {
        put: async (block) => {
          asked.resolve()
          await g.promise
          return block
        },
        get: () => image as never,
      },
    })
    const agent = await it.session()
    const prompt = it.client.agent.request('session/prompt', {
      sessionId: agent.id,
      prompt: [image],
    })
    let settled = false
    void prompt.then(() => (settled = true))
    await asked.promise
    expect(await rejection(it.prompt(agent, 'B'))).toMatchObject({ code: -32602 })
    await it.cancel(agent)
    // An answer to what was asked after the cancel: it has been heard.
    await rejection(
      it.client.agent.request('session/prompt', { sessionId: agent.id, prompt: [image] }),
    )
    expect(settled).toBe(false)
    g.resolve()
    expect(await prompt).toEqual({ stopReason: 'cancelled' })
    expect(agent.log.length).toBe(0)
    await finish(it)
  })

  test('AC-10 a cancel landing between admission and followup wins', async () => {
    const it = await editor([], {
      admit: [
        ({ content }) => content,
        async ({ sessionId }) => {
          await it.client.agent.notify('session/cancel', { sessionId })
          await it.heard()
        },
      ],
    })
    const agent = await it.session()
    expect(await it.prompt(agent, 'A')).toEqual({ stopReason: 'cancelled' })
    expect(agent.log.length).toBe(0)
    await finish(it)
  })

  test('AC-18 a send that throws frees the slot', async () => {
    let full = true
    const it = await editor(['text "two"'], {
      refuses: ({ type }) => full && type === 'inbox/inserted',
    })
    const agent = await it.session()
    expect(await rejection(it.prompt(agent, 'A'))).toMatchObject({
      message: 'prompt was not queued',
      data: { details: expect.stringContaining('disk full') as string },
    })
    full = false
    expect(await it.prompt(agent, 'B')).toEqual({ stopReason: 'end_turn' })
    expect(texts(it)).toEqual(['two'])
    await finish(it)
  })
})

describe('which turn counts', () => {
  test('AC-11 a turnless prompt settles cancelled at idle', async () => {
    const it = await editor(['text "never"'])
    const agent = await it.session()
    agent.listen((notice) => {
      if (notice.type === 'status' && notice.status === 'running') agent.cancel('user')
    })
    expect(await it.prompt(agent, 'A')).toEqual({ stopReason: 'cancelled' })
    expect(lines(agent, 'turn/start')).toEqual([])
    await finish(it)
  })

  test('AC-14 correlation is by message id at the claim; an autonomous earlier turn does not settle the prompt', async () => {
    const it = await editor(['text "auto" (gated g)', 'text "mine" (gated h)'])
    const agent = await it.session()
    const n = agent.followup('N')
    await saw(agent, 'turn/start')
    const prompt = it.prompt(agent, 'B')
    await saw(agent, 'inbox/inserted', ({ message }) => message.id !== n)
    let settled = false
    void prompt.then(() => (settled = true))
    it.model.release('g')
    await saw(agent, 'turn/start', ({ turn }) => turn === 2)
    expect(settled).toBe(false)
    it.model.release('h')
    expect(await prompt).toEqual({ stopReason: 'end_turn' })
    expect(texts(it)).toEqual(['auto', 'mine'])
    await finish(it)
  })

  test('AC-21 a prompt whose turn could not start has no turn: it settles cancelled and is withdrawn', async () => {
    let full = true
    const it = await editor(['text "never"'], {
      refuses: ({ type }) => full && type === 'turn/start',
    })
    const agent = await it.session()
    const errors: string[] = []
    agent.listen((notice) => {
      if (notice.type === 'error')
        errors.push(`${notice.turn}.${notice.step} ${notice.error.message}`)
    })
    expect(await it.prompt(agent, 'A')).toEqual({ stopReason: 'cancelled' })
    expect(errors).toEqual(['0.0 disk full'])
    const discard = await saw(agent, 'inbox/discarded')
    expect(discard.data).toMatchObject({ reason: 'rejected', actor: 'acp' })
    expect(agent.inbox.nextTurn).toEqual([])
    full = false
    agent.followup('next')
    await agent.whenIdle()
    expect(lines(agent, 'turn/start')).toEqual(['turn/start 1'])
    await finish(it)
  })
})
