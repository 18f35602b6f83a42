/**
 * How prompts end, and what is left of them.
 */
import { describe, expect, it } from 'vitest'
import { cwd, editor, ends, finish, rejection, saw, streaming } from './editor.ts'

describe('a prompt whose message still waits is withdrawn', () => {
  it('after an in-process cancel that kept the queue', async () => {
    const ide = await editor(['hang "auto"'])
    const agent = await ide.session()
    agent.followup({ id: 'N', content: 'N' })
    const prompt = ide.prompt(agent, 'A')
    await saw(agent, 'inbox/inserted', ({ message }) => message.id !== 'N')
    agent.cancel('user', { keepInbox: true })
    expect(await prompt).toEqual({ stopReason: 'cancelled' })
    expect(agent.inbox.nextTurn).toEqual([])
    await finish(ide)
  })

  it('after a gate put it back: it had a turn', async () => {
    const ide = await editor([], {
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
    const agent = await ide.session()
    expect(await ide.prompt(agent, 'A')).toEqual({ stopReason: 'end_turn' })
    expect(agent.inbox.nextTurn).toEqual([])
    expect((await saw(agent, 'inbox/discarded')).data.reason).toBe('rejected')
    await finish(ide)
  })

  it('when its agent is suspended: whoever resumes it finds nothing', async () => {
    const ide = await editor(['hang "auto"'])
    const agent = await ide.session()
    agent.followup({ id: 'N', content: 'N' })
    const prompt = ide.prompt(agent, 'A')
    await saw(agent, 'inbox/inserted', ({ message }) => message.id !== 'N')
    await agent.dispose({ keepInbox: true })
    expect(await prompt).toEqual({ stopReason: 'cancelled' })
    expect((await saw(agent, 'inbox/discarded')).data.reason).toBe('rejected')
    expect(await rejection(ide.prompt(agent, 'B'))).toMatchObject({
      code: -32002,
      data: { code: 'SESSION_NOT_FOUND', sessionId: agent.id },
    })
    await finish(ide)
  })
})

describe('an answer says what happened', () => {
  it('to the message that somebody put in its place', async () => {
    const ide = await editor(['text "auto" (gated g)', 'error SERVER "boom"'])
    const agent = await ide.session()
    agent.followup({ id: 'N', content: 'N' })
    const prompt = ide.prompt(agent, 'A')
    const { data } = await saw(agent, 'inbox/inserted', ({ message }) => message.id !== 'N')
    agent.inbox.replace(data.message.id, { id: 'better', content: 'better' })
    ide.model.release('g')
    expect(await rejection(prompt)).toMatchObject({ message: 'turn failed: boom' })
    await finish(ide)
  })

  it('cancelled, where its session ends with its turn', async () => {
    const ide = await editor(['hang "x"'])
    const agent = await ide.session()
    const prompt = ide.prompt(agent, 'A')
    await streaming(agent)
    await agent.dispose()
    expect(await prompt).toEqual({ stopReason: 'cancelled' })
    await finish(ide)
  })

  it('no success where the end of the turn could not be recorded', async () => {
    let full = true
    const ide = await editor(['text "x"'], { refuses: ({ type }) => full && type === 'turn/end' })
    const agent = await ide.session()
    expect(await rejection(ide.prompt(agent, 'A'))).toMatchObject({
      message: 'turn failed: its end could not be recorded',
    })
    full = false
    await finish(ide)
  })

  it('a limit is end_turn', async () => {
    const ide = await editor(['error SERVER "boom"'], {
      agent: { maxAttempts: 1, retry: { baseMs: 1 } },
    })
    const agent = await ide.session()
    expect(await ide.prompt(agent, 'A')).toEqual({ stopReason: 'end_turn' })
    expect(ends(agent)[0]).toContain('limit:attempts')
    await finish(ide)
  })

  it('refused where a hook refuses it', async () => {
    const ide = await editor([], {
      admit: [
        () => {
          throw new Error('not now')
        },
      ],
    })
    const agent = await ide.session()
    expect(await rejection(ide.prompt(agent, 'A'))).toMatchObject({ message: 'not now' })
    expect(agent.log.length).toBe(0)
    await finish(ide)
  })
})

it('a hundred sessions of one client are answered each for itself', async () => {
  const ide = await editor(Array.from({ length: 100 }, (_, i) => `text "${i}"`))
  const sessions = await Promise.all(Array.from({ length: 100 }, () => ide.session()))
  const answers = await Promise.all(sessions.map((agent) => ide.prompt(agent, 'A')))
  expect(new Set(answers.map(({ stopReason }) => stopReason))).toEqual(new Set(['end_turn']))
  expect(new Set(ide.updates.map(({ sessionId }) => sessionId)).size).toBe(100)
  expect(cwd).toBe(sessions[0]?.log.header.cwd)
  await finish(ide)
})
