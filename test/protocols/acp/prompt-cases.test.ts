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
    const ide = await editor(['reasoning "hm" then call c1 t', 'text "one"'], {
      agent: { tools: [defineTool({ name: 't', run: () => 'done' })] },
    })
    const agent = await ide.session()
    const answer = await ide.prompt(agent, 'A')
    // What was said stands before the answer.
    expect(texts(ide)).toEqual(['one'])
    expect(answer).toEqual({ stopReason: 'end_turn' })
    expect(ide.updates.map(({ update }) => update.sessionUpdate)).toEqual(['agent_message_chunk'])
    await finish(ide)
  })

  test('AC-02 max-tokens maps to end_turn without losing text', async () => {
    const ide = await editor(['text "cut" finishing max-tokens'])
    const agent = await ide.session()
    expect(await ide.prompt(agent, 'A')).toEqual({ stopReason: 'end_turn' })
    expect(texts(ide)).toEqual(['cut'])
    expect(ends(agent)).toEqual(['turn/end 1 max-tokens'])
    await finish(ide)
  })

  test('AC-03 blocked maps to end_turn', async () => {
    const ide = await editor([], {
      agent: { gates: { preStep: () => ({ kind: 'reject', reason: 'no' }) } },
    })
    const agent = await ide.session()
    expect(await ide.prompt(agent, 'A')).toEqual({ stopReason: 'end_turn' })
    expect(ide.updates).toEqual([])
    await finish(ide)
  })

  test('AC-04 a model error on the correlated turn rejects the prompt at once; the slot stays taken', async () => {
    const ide = await editor([
      'stream "x" then error SERVER "boom"',
      'text "N" (gated g)',
      'text "after"',
    ])
    const agent = await ide.session()
    const prompt = rejection(ide.prompt(agent, 'A'))
    await saw(agent, 'turn/start')
    agent.followup('N')
    expect(await prompt).toMatchObject({
      message: 'turn failed: boom',
      data: { code: 'SERVER' },
    })
    expect(agent.status).toBe('running')
    expect(ide.updates).toEqual([])
    expect(await rejection(ide.prompt(agent, 'too early'))).toMatchObject({ code: -32602 })
    ide.model.release('g')
    await agent.whenIdle()
    expect(await ide.prompt(agent, 'later')).toEqual({ stopReason: 'end_turn' })
    expect(texts(ide)).toEqual(['N', 'after'])
    await finish(ide)
  })

  test('AC-05 client cancel settles cancelled at quiescence', async () => {
    const ide = await editor(['hang "partial"'])
    const agent = await ide.session()
    const prompt = ide.prompt(agent, 'A')
    await streaming(agent)
    await ide.cancel(agent)
    expect(await prompt).toEqual({ stopReason: 'cancelled' })
    expect(agent.status).toBe('idle')
    expect(ends(agent)).toEqual(['turn/end 1 aborted:user'])
    await finish(ide)
  })

  test('AC-05 cancelled even if the turn ended with an error', async () => {
    const ide = await editor(['stream "x" then error SERVER "boom"'])
    const agent = await ide.session()
    const durable = deferred<void>()
    agent.subscribe({}, ({ type }) => {
      if (type !== 'step/end') return
      agent.log.flush = () => durable.promise
      agent.log.durable = () => durable.promise
    })
    const prompt = ide.prompt(agent, 'A')
    const { data } = await saw(agent, 'turn/end')
    expect(data.reason.kind).toBe('error')
    await ide.cancel(agent)
    await ide.heard()
    durable.resolve()
    expect(await prompt).toEqual({ stopReason: 'cancelled' })
    await finish(ide)
  })

  test('AC-06 an in-process cancel (not the client) reports end_turn', async () => {
    const ide = await editor(['hang "partial"'])
    const agent = await ide.session()
    const prompt = ide.prompt(agent, 'A')
    await streaming(agent)
    agent.cancel('user')
    expect(await prompt).toEqual({ stopReason: 'end_turn' })
    await finish(ide)
  })
})

describe('the slot', () => {
  test('AC-07 one in-flight prompt per session, independent across sessions', async () => {
    const ide = await editor(['hang "x"', 'text "two"', 'text "three"'])
    const [one, two] = [await ide.session(), await ide.session()]
    const first = ide.prompt(one, 'A')
    await streaming(one)
    expect(await rejection(ide.prompt(one, 'B'))).toMatchObject({ code: -32602 })
    expect(await ide.prompt(two, 'C')).toEqual({ stopReason: 'end_turn' })
    await ide.cancel(one)
    expect(await first).toEqual({ stopReason: 'cancelled' })
    expect(await ide.prompt(one, 'D')).toEqual({ stopReason: 'end_turn' })
    await finish(ide)
  })

  test('AC-08 the slot is reserved before asynchronous admission; cancel during admission never queues a late prompt', async () => {
    const asked = deferred<void>()
    const g = deferred<void>()
    const ide = await editor(['text "never"'], {
      attachments: {
        put: async (block) => {
          asked.resolve()
          await g.promise
          return block
        },
        get: () => image as never,
      },
    })
    const agent = await ide.session()
    const prompt = ide.client.agent.request('session/prompt', {
      sessionId: agent.id,
      prompt: [image],
    })
    let settled = false
    void prompt.then(() => (settled = true))
    await asked.promise
    expect(await rejection(ide.prompt(agent, 'B'))).toMatchObject({ code: -32602 })
    await ide.cancel(agent)
    // An answer to what was asked after the cancel: it has been heard.
    await rejection(
      ide.client.agent.request('session/prompt', { sessionId: agent.id, prompt: [image] }),
    )
    expect(settled).toBe(false)
    g.resolve()
    expect(await prompt).toEqual({ stopReason: 'cancelled' })
    expect(agent.log.length).toBe(0)
    await finish(ide)
  })

  test('AC-10 a cancel landing between admission and followup wins', async () => {
    const ide = await editor([], {
      admit: [
        ({ content }) => content,
        async ({ sessionId }) => {
          await ide.client.agent.notify('session/cancel', { sessionId })
          await ide.heard()
        },
      ],
    })
    const agent = await ide.session()
    expect(await ide.prompt(agent, 'A')).toEqual({ stopReason: 'cancelled' })
    expect(agent.log.length).toBe(0)
    await finish(ide)
  })

  test('AC-18 a send that throws frees the slot', async () => {
    let full = true
    const ide = await editor(['text "two"'], {
      refuses: ({ type }) => full && type === 'inbox/inserted',
    })
    const agent = await ide.session()
    expect(await rejection(ide.prompt(agent, 'A'))).toMatchObject({
      message: 'prompt was not queued',
      data: { details: expect.stringContaining('disk full') as string },
    })
    full = false
    expect(await ide.prompt(agent, 'B')).toEqual({ stopReason: 'end_turn' })
    expect(texts(ide)).toEqual(['two'])
    await finish(ide)
  })
})

describe('which turn counts', () => {
  test('AC-11 a turnless prompt settles cancelled at idle', async () => {
    const ide = await editor(['text "never"'])
    const agent = await ide.session()
    agent.listen((notice) => {
      if (notice.type === 'status' && notice.status === 'running') agent.cancel('user')
    })
    expect(await ide.prompt(agent, 'A')).toEqual({ stopReason: 'cancelled' })
    expect(lines(agent, 'turn/start')).toEqual([])
    await finish(ide)
  })

  test('AC-14 correlation is by message id at the claim; an autonomous earlier turn does not settle the prompt', async () => {
    const ide = await editor(['text "auto" (gated g)', 'text "mine" (gated h)'])
    const agent = await ide.session()
    const n = agent.followup('N')
    await saw(agent, 'turn/start')
    const prompt = ide.prompt(agent, 'B')
    await saw(agent, 'inbox/inserted', ({ message }) => message.id !== n)
    let settled = false
    void prompt.then(() => (settled = true))
    ide.model.release('g')
    await saw(agent, 'turn/start', ({ turn }) => turn === 2)
    expect(settled).toBe(false)
    ide.model.release('h')
    expect(await prompt).toEqual({ stopReason: 'end_turn' })
    expect(texts(ide)).toEqual(['auto', 'mine'])
    await finish(ide)
  })

  test('AC-21 a prompt whose turn could not start has no turn: it settles cancelled and is withdrawn', async () => {
    let full = true
    const ide = await editor(['text "never"'], {
      refuses: ({ type }) => full && type === 'turn/start',
    })
    const agent = await ide.session()
    const errors: string[] = []
    agent.listen((notice) => {
      if (notice.type === 'error')
        errors.push(`${notice.turn}.${notice.step} ${notice.error.message}`)
    })
    expect(await ide.prompt(agent, 'A')).toEqual({ stopReason: 'cancelled' })
    expect(errors).toEqual(['0.0 disk full'])
    const discard = await saw(agent, 'inbox/discarded')
    expect(discard.data).toMatchObject({ reason: 'rejected', actor: 'acp' })
    expect(agent.inbox.nextTurn).toEqual([])
    full = false
    agent.followup('next')
    await agent.whenIdle()
    expect(lines(agent, 'turn/start')).toEqual(['turn/start 1'])
    await finish(ide)
  })
})
