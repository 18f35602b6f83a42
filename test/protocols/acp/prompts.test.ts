/**
 * Prompts among other work of their session: what decides them, what they reach, and what is left of them.
 */
import { describe, expect, it } from 'vitest'
import { deferred } from '../../support/deferred.ts'
import { editor, type EditorOptions, ends, finish, lines, saw, streaming, texts } from './editor.ts'

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

const line = (body: object): string => `${JSON.stringify({ jsonrpc: '2.0', ...body })}\n`

describe('a cancel of the client', () => {
  it('during admission prevents the send and touches no other work', async () => {
    const held = heldAdmission()
    const ide = await editor(['text "auto" (gated g)', 'text "next"'], held.options)
    const agent = await ide.session()
    agent.followup({ id: 'N', content: 'N' })
    agent.followup({ id: 'M', content: 'M' })
    await saw(agent, 'turn/start')
    const prompt = ide.prompt(agent, 'A')
    await held.asked
    await ide.cancel(agent)
    await ide.heard()
    held.go()
    expect(await prompt).toEqual({ stopReason: 'cancelled' })
    ide.model.release('g')
    await agent.whenIdle()
    expect(ends(agent)).toEqual(['turn/end 1 completed', 'turn/end 2 completed'])
    expect(lines(agent, 'cancel/requested')).toEqual([])
    await ide.heard()
    expect(texts(ide)).toEqual(['auto', 'next'])
    await finish(ide)
  })

  it('beats an admission that fails because of it', async () => {
    const ide = await editor([], {
      admit: [
        ({ signal }) =>
          new Promise((_, reject) => {
            signal.addEventListener('abort', () => reject(new Error('given up')))
            void ide.client.agent.notify('session/cancel', { sessionId: agent.id })
          }),
      ],
    })
    const agent = await ide.session()
    expect(await ide.prompt(agent, 'A')).toEqual({ stopReason: 'cancelled' })
    await finish(ide)
  })

  it('in the same piece as its prompt comes behind it', async () => {
    const ide = await editor(['hang "x"'])
    const agent = await ide.session()
    const { sessionId, prompt } = { sessionId: agent.id, prompt: [{ type: 'text', text: 'A' }] }
    const end = saw(agent, 'turn/end')
    ide.toAgent.write(
      line({ id: 'own', method: 'session/prompt', params: { sessionId, prompt } }) +
        line({ method: 'session/cancel', params: { sessionId } }),
    )
    expect((await end).data.reason).toMatchObject({ kind: 'aborted' })
    await finish(ide)
  })

  it('that comes too late, or without a prompt, stops nobody', async () => {
    const ide = await editor(['text "one"', 'text "auto" (gated g)'])
    const agent = await ide.session()
    await ide.prompt(agent, 'A')
    agent.followup('N')
    await ide.cancel(agent)
    await ide.cancel({ id: 'unknown' } as never)
    await ide.heard()
    ide.model.release('g')
    await agent.whenIdle()
    expect(ends(agent)).toEqual(['turn/end 1 completed', 'turn/end 2 completed'])
    await finish(ide)
  })

  it('may be one of the request', async () => {
    const ide = await editor(['hang "x"'])
    const agent = await ide.session()
    const giveUp = new AbortController()
    const prompt = ide.prompt(agent, 'A', giveUp.signal)
    await streaming(agent)
    giveUp.abort()
    expect(await prompt).toEqual({ stopReason: 'cancelled' })
    expect(ends(agent)).toEqual(['turn/end 1 aborted:user'])
    await finish(ide)
  })

  it('reaches a prompt that waits behind other work: all of it stops', async () => {
    const ide = await editor(['hang "auto"'])
    const agent = await ide.session()
    agent.followup({ id: 'N', content: 'N' })
    const prompt = ide.prompt(agent, 'A')
    await saw(agent, 'inbox/inserted', ({ message }) => message.id !== 'N')
    await ide.cancel(agent)
    expect(await prompt).toEqual({ stopReason: 'cancelled' })
    expect(ends(agent)).toEqual(['turn/end 1 aborted:user'])
    await finish(ide)
  })
})

describe('the failure of another turn decides nothing', () => {
  it('that ran before it', async () => {
    const ide = await editor(['stream "x" (gated g) then error SERVER "boom"', 'text "mine"'])
    const agent = await ide.session()
    agent.followup({ id: 'N', content: 'N' })
    const prompt = ide.prompt(agent, 'A')
    await saw(agent, 'inbox/inserted', ({ message }) => message.id !== 'N')
    ide.model.release('g')
    expect(await prompt).toEqual({ stopReason: 'end_turn' })
    expect(texts(ide)).toEqual(['mine'])
    await finish(ide)
  })

  it('that runs behind it', async () => {
    const ide = await editor(['text "mine" (gated g)', 'error SERVER "boom"'])
    const agent = await ide.session()
    const prompt = ide.prompt(agent, 'A')
    await saw(agent, 'turn/start')
    agent.followup('N')
    ide.model.release('g')
    expect(await prompt).toEqual({ stopReason: 'end_turn' })
    expect(ends(agent)[1]).toContain('error:SERVER')
    await finish(ide)
  })

  it('that parks it: it never got a turn, and never gets one', async () => {
    const ide = await editor(['stream "x" (gated g) then error SERVER "boom"', 'text "next"'], {
      agent: { continueAfter: { error: false } },
    })
    const agent = await ide.session()
    agent.followup({ id: 'N', content: 'N' })
    const prompt = ide.prompt(agent, 'A')
    await saw(agent, 'inbox/inserted', ({ message }) => message.id !== 'N')
    ide.model.release('g')
    expect(await prompt).toEqual({ stopReason: 'cancelled' })
    expect((await saw(agent, 'inbox/discarded')).data.reason).toBe('rejected')
    agent.followup('M')
    await agent.whenIdle()
    expect(lines(agent, 'user/message')).toEqual(['user/message "N"', 'user/message "M"'])
    await finish(ide)
  })
})
