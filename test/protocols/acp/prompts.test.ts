/**
 * Prompts among other work of their session: what decides them, what they reach, and what is left of them.
 */
import { describe, expect, it } from 'vitest'
import { deferred } from '../../support/deferred.ts'
import {
  cwd,
  editor,
  type EditorOptions,
  ends,
  finish,
  lines,
  rejection,
  saw,
  streaming,
  texts,
} from './editor.ts'

/** An admission that waits until it is let go. */
function heldAdmission(): {
  readonly options: EditorOptions
  asked: Promise<void>
  go: () => void
} {
  const asked = deferred<void>()
  const held = deferred<void>()
  const admit = [
    async () => {
      asked.resolve()
      await held.promise
    },
  ]
  return { options: { admit }, asked: asked.promise, go: () => held.resolve() }
}

describe('a cancel of the client', () => {
  it('during admission prevents the send and touches no other work', async () => {
    const held = heldAdmission()
    const it = await editor(['text "auto" (gated g)', 'text "next"'], held.options)
    const agent = await it.session()
    agent.followup({ id: 'N', content: 'N' })
    agent.followup({ id: 'M', content: 'M' })
    await saw(agent, 'turn/start')
    const prompt = it.prompt(agent, 'A')
    await held.asked
    await it.cancel(agent)
    await it.heard()
    held.go()
    expect(await prompt).toEqual({ stopReason: 'cancelled' })
    it.model.release('g')
    await agent.whenIdle()
    expect(ends(agent)).toEqual(['turn/end 1 completed', 'turn/end 2 completed'])
    expect(lines(agent, 'cancel/requested')).toEqual([])
    await it.heard()
    expect(texts(it)).toEqual(['auto', 'next'])
    await finish(it)
  })

  it('beats an admission that fails because of it', async () => {
    const it = await editor([], {
      admit: [
        ({ signal }) =>
          new Promise((_, reject) => {
            signal.addEventListener('abort', () => reject(new Error('given up')))
            void it.client.agent.notify('session/cancel', { sessionId: agent.id })
          }),
      ],
    })
    const agent = await it.session()
    expect(await it.prompt(agent, 'A')).toEqual({ stopReason: 'cancelled' })
    await finish(it)
  })

  it('in the same piece as its prompt comes behind it', async () => {
    const it = await editor(['hang "x"'])
    const agent = await it.session()
    const { sessionId, prompt } = { sessionId: agent.id, prompt: [{ type: 'text', text: 'A' }] }
    const line = (body: object): string => `${JSON.stringify({ jsonrpc: '2.0', ...body })}\n`
    const end = saw(agent, 'turn/end')
    it.toAgent.write(
      line({ id: 'own', method: 'session/prompt', params: { sessionId, prompt } }) +
        line({ method: 'session/cancel', params: { sessionId } }),
    )
    expect((await end).data.reason).toMatchObject({ kind: 'aborted' })
    await finish(it)
  })

  it('that comes too late, or without a prompt, stops nobody', async () => {
    const it = await editor(['text "one"', 'text "auto" (gated g)'])
    const agent = await it.session()
    await it.prompt(agent, 'A')
    agent.followup('N')
    await it.cancel(agent)
    await it.cancel({ id: 'unknown' } as never)
    await it.heard()
    it.model.release('g')
    await agent.whenIdle()
    expect(ends(agent)).toEqual(['turn/end 1 completed', 'turn/end 2 completed'])
    await finish(it)
  })

  it('may be one of the request', async () => {
    const it = await editor(['hang "x"'])
    const agent = await it.session()
    const giveUp = new AbortController()
    const prompt = it.prompt(agent, 'A', giveUp.signal)
    await streaming(agent)
    giveUp.abort()
    expect(await prompt).toEqual({ stopReason: 'cancelled' })
    expect(ends(agent)).toEqual(['turn/end 1 aborted:user'])
    await finish(it)
  })

  it('reaches a prompt that waits behind other work: all of it stops', async () => {
    const it = await editor(['hang "auto"'])
    const agent = await it.session()
    agent.followup({ id: 'N', content: 'N' })
    const prompt = it.prompt(agent, 'A')
    await saw(agent, 'inbox/inserted', ({ message }) => message.id !== 'N')
    await it.cancel(agent)
    expect(await prompt).toEqual({ stopReason: 'cancelled' })
    expect(ends(agent)).toEqual(['turn/end 1 aborted:user'])
    await finish(it)
  })
})

describe('the failure of another turn decides nothing', () => {
  it('that ran before it', async () => {
    const it = await editor(['stream "x" (gated g) then error SERVER "boom"', 'text "mine"'])
    const agent = await it.session()
    agent.followup({ id: 'N', content: 'N' })
    const prompt = it.prompt(agent, 'A')
    await saw(agent, 'inbox/inserted', ({ message }) => message.id !== 'N')
    it.model.release('g')
    expect(await prompt).toEqual({ stopReason: 'end_turn' })
    expect(texts(it)).toEqual(['mine'])
    await finish(it)
  })

  it('that runs behind it', async () => {
    const it = await editor(['text "mine" (gated g)', 'error SERVER "boom"'])
    const agent = await it.session()
    const prompt = it.prompt(agent, 'A')
    await saw(agent, 'turn/start')
    agent.followup('N')
    it.model.release('g')
    expect(await prompt).toEqual({ stopReason: 'end_turn' })
    expect(ends(agent)[1]).toContain('error:SERVER')
    await finish(it)
  })

  it('that parks it: it never got a turn, and never gets one', async () => {
    const it = await editor(['stream "x" (gated g) then error SERVER "boom"', 'text "next"'], {
      agent: { continueAfter: { error: false } },
    })
    const agent = await it.session()
    agent.followup({ id: 'N', content: 'N' })
    const prompt = it.prompt(agent, 'A')
    await saw(agent, 'inbox/inserted', ({ message }) => message.id !== 'N')
    it.model.release('g')
    expect(await prompt).toEqual({ stopReason: 'cancelled' })
    expect((await saw(agent, 'inbox/discarded')).data.reason).toBe('rejected')
    agent.followup('M')
    await agent.whenIdle()
    expect(lines(agent, 'user/message')).toEqual(['user/message "N"', 'user/message "M"'])
    await finish(it)
  })
})

describe('a prompt whose message still waits is withdrawn', () => {
  it('after an in-process cancel that kept the queue', async () => {
    const it = await editor(['hang "auto"'])
    const agent = await it.session()
    agent.followup({ id: 'N', content: 'N' })
    const prompt = it.prompt(agent, 'A')
    await saw(agent, 'inbox/inserted', ({ message }) => message.id !== 'N')
    agent.cancel('user', { keepInbox: true })
    expect(await prompt).toEqual({ stopReason: 'cancelled' })
    expect(agent.inbox.nextTurn).toEqual([])
    await finish(it)
  })

  it('after a gate put it back: it had a turn', async () => {
    const it = await editor([], {
      agent: {
        gates: {
          preStep: ({ batch }) => ({
            kind: 'reject',
            reason: 'later',
            restore: batch.map(({ id }) => id),
          }),
        },
        continueAfter: { blocked: false },
      },
    })
    const agent = await it.session()
    expect(await it.prompt(agent, 'A')).toEqual({ stopReason: 'end_turn' })
    expect(agent.inbox.nextTurn).toEqual([])
    expect((await saw(agent, 'inbox/discarded')).data.reason).toBe('rejected')
    await finish(it)
  })

  it('when its agent is suspended: whoever resumes it finds nothing', async () => {
    const it = await editor(['hang "auto"'])
    const agent = await it.session()
    agent.followup({ id: 'N', content: 'N' })
    const prompt = it.prompt(agent, 'A')
    await saw(agent, 'inbox/inserted', ({ message }) => message.id !== 'N')
    await agent.dispose({ keepInbox: true })
    expect(await prompt).toEqual({ stopReason: 'cancelled' })
    expect((await saw(agent, 'inbox/discarded')).data.reason).toBe('rejected')
    expect(await rejection(it.prompt(agent, 'B'))).toMatchObject({
      code: -32002,
      data: { code: 'SESSION_NOT_FOUND', sessionId: agent.id },
    })
    await finish(it)
  })
})

describe('an answer says what happened', () => {
  it('cancelled, where its session ends with its turn', async () => {
    const it = await editor(['hang "x"'])
    const agent = await it.session()
    const prompt = it.prompt(agent, 'A')
    await streaming(agent)
    await agent.dispose()
    expect(await prompt).toEqual({ stopReason: 'cancelled' })
    await finish(it)
  })

  it('no success where the end of the turn could not be recorded', async () => {
    let full = true
    const it = await editor(['text "x"'], { refuses: ({ type }) => full && type === 'turn/end' })
    const agent = await it.session()
    expect(await rejection(it.prompt(agent, 'A'))).toMatchObject({
      message: 'turn failed: its end could not be recorded',
    })
    full = false
    await finish(it)
  })

  it('a limit is end_turn', async () => {
    const it = await editor(['error SERVER "boom"'], {
      agent: { maxAttempts: 1, retry: { baseMs: 1 } },
    })
    const agent = await it.session()
    expect(await it.prompt(agent, 'A')).toEqual({ stopReason: 'end_turn' })
    expect(ends(agent)[0]).toContain('limit:attempts')
    await finish(it)
  })

  it('refused where a hook refuses it', async () => {
    const it = await editor([], {
      admit: [
        () => {
          throw new Error('not now')
        },
      ],
    })
    const agent = await it.session()
    expect(await rejection(it.prompt(agent, 'A'))).toMatchObject({ message: 'not now' })
    expect(agent.log.length).toBe(0)
    await finish(it)
  })
})

it('a hundred sessions of one client are answered each for itself', async () => {
  const it = await editor(Array.from({ length: 100 }, (_, i) => `text "${i}"`))
  const sessions = await Promise.all(Array.from({ length: 100 }, () => it.session()))
  const answers = await Promise.all(sessions.map((agent) => it.prompt(agent, 'A')))
  expect(new Set(answers.map(({ stopReason }) => stopReason))).toEqual(new Set(['end_turn']))
  expect(new Set(it.updates.map(({ sessionId }) => sessionId)).size).toBe(100)
  expect(cwd).toBe(sessions[0]?.log.header.cwd)
  await finish(it)
})
