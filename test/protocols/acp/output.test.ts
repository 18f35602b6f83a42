/**
 * What a client is told, in which order, and what it is asked.
 */
import { describe, expect, it } from 'vitest'
import { Teller, type Told } from '../../../src/protocols/acp/told.ts'
import type { StoredEvent } from '../../../src/events/event.ts'
import type { AssistantBlock } from '../../../src/events/message.ts'
import { defineTool } from '../../../src/adapters/define-tool.ts'
import { deferred } from '../../support/deferred.ts'
import { editor, ends, finish, rejection, saw, streaming, texts } from './editor.ts'

/** A gate that puts blocks into the answer of the model. */
const answering = (...content: readonly AssistantBlock[]) => ({
  gates: { stepResult: () => ({ role: 'assistant' as const, content }) },
})
const picture = { type: 'image', mediaType: 'image/png', data: 'AAAA' } as const
const kept = { type: 'image', mediaType: 'image/png', url: 'kept:1', name: 'sheep' } as const
const text = (words: string) => ({ type: 'text', text: words }) as const

const contents = ({ updates }: { updates: readonly { update: object }[] }): unknown[] =>
  updates.map(({ update }) => (update as { content: unknown }).content)

describe('committed text and images', () => {
  it('are told in order, and files are not', async () => {
    const file = { ...picture, type: 'file', mediaType: 'text/csv' } as const
    const ide = await editor(['text "x"'], {
      agent: answering(text('before'), picture, file, text('after'), text('')),
    })
    const agent = await ide.session()
    await ide.prompt(agent, 'A')
    expect(contents(ide)).toEqual([
      text('before'),
      { type: 'image', mimeType: 'image/png', data: 'AAAA' },
      text('after'),
    ])
    await finish(ide)
  })

  it('that are kept elsewhere are fetched, and nothing overtakes them', async () => {
    const fetched = deferred<{ mediaType: string; data: string }>()
    const ide = await editor(['text "x"', 'text "x"'], {
      agent: answering(text('before'), kept, text('after')),
      attachments: { put: (block) => block, get: () => fetched.promise },
    })
    const agent = await ide.session()
    const prompt = ide.prompt(agent, 'A')
    let settled = false
    void prompt.then(() => (settled = true))
    await agent.whenIdle()
    await ide.heard()
    // Quiescent, and still not answered: the output has not drained.
    expect(settled).toBe(false)
    expect(await rejection(ide.prompt(agent, 'B'))).toMatchObject({ code: -32602 })
    fetched.resolve({ mediaType: 'image/webp', data: 'BBBB' })
    expect(await prompt).toEqual({ stopReason: 'end_turn' })
    expect(contents(ide)).toEqual([
      text('before'),
      { type: 'image', mimeType: 'image/webp', data: 'BBBB', uri: 'kept:1' },
      text('after'),
    ])
    await finish(ide)
  })

  it('that are kept where nobody can fetch them are told as links', async () => {
    const ide = await editor(['text "x"'], { agent: answering(kept) })
    await ide.prompt(await ide.session(), 'A')
    expect(contents(ide)).toEqual([
      { type: 'resource_link', name: 'sheep', uri: 'kept:1', mimeType: 'image/png' },
    ])
    await finish(ide)
  })

  it('that cannot be fetched reject the prompt, but not the next one', async () => {
    let broken = true
    const ide = await editor(['text "x"', 'text "x"'], {
      agent: answering(kept, text('after')),
      attachments: {
        put: (block) => block,
        get: () => {
          if (broken) throw new Error('no such picture')
          return { mediaType: 'image/png', data: 'BBBB' }
        },
      },
    })
    const agent = await ide.session()
    expect(await rejection(ide.prompt(agent, 'A'))).toMatchObject({
      message: 'output failed: no such picture',
    })
    expect(ends(agent)).toEqual(['turn/end 1 completed'])
    expect(ide.diagnostics.join()).toContain('no such picture')
    broken = false
    expect(await ide.prompt(agent, 'B')).toEqual({ stopReason: 'end_turn' })
    await finish(ide)
  })

  it('that cannot be fetched matter less than a cancel and than an error of the turn', async () => {
    const ide = await editor(['text "x"', 'hang "y"'], {
      agent: { tools: [], ...answering(kept), continueAfter: {} },
      attachments: {
        put: (block) => block,
        get: async () => {
          await ide.client.agent.notify('session/cancel', { sessionId: agent.id })
          await ide.heard()
          throw new Error('no such picture')
        },
      },
    })
    const agent = await ide.session()
    expect(await ide.prompt(agent, 'A')).toEqual({ stopReason: 'cancelled' })
    await finish(ide)
  })

  it('are told of a turn that was stopped, up to where it was', async () => {
    const ide = await editor(['hang "partial"'])
    const agent = await ide.session()
    const prompt = ide.prompt(agent, 'A')
    await streaming(agent)
    await ide.cancel(agent)
    await prompt
    expect(texts(ide)).toEqual(['partial'])
    await finish(ide)
  })
})

describe('what is told only where it is asked for', () => {
  it('calls and their outcomes', async () => {
    const ide = await editor(['call c1 t {"a":1}', 'text "done"'], {
      show: { tools: true },
      agent: { tools: [defineTool({ name: 't', run: () => 'found' })] },
    })
    const agent = await ide.session()
    await ide.prompt(agent, 'A')
    const call = (await saw(agent, 'tool/call')).data.call.key
    expect(ide.updates.map(({ update }) => update)).toMatchObject([
      { sessionUpdate: 'tool_call', toolCallId: call, title: 't', status: 'in_progress' },
      {
        sessionUpdate: 'tool_call_update',
        toolCallId: call,
        status: 'completed',
        content: [{ type: 'content', content: text('found') }],
      },
      { sessionUpdate: 'agent_message_chunk', content: text('done') },
    ])
    await finish(ide)
  })
})

describe('usage', () => {
  const at = { turn: 1, step: 1 }
  const events = [
    { type: 'request/context', data: { ...at, provider: 'p', model: 'm', contextWindow: 1000 } },
    {
      type: 'assistant/message',
      data: {
        ...at,
        message: { role: 'assistant', content: [] },
        usage: { inputTokens: 10, outputTokens: 2 },
      },
    },
  ].map((event, seq) => ({ seq, time: 0, ...event }) as StoredEvent)

  it.each([
    [true, [{ kind: 'usage', used: 12, size: 1000 }]],
    [false, []],
  ])('is told where it is asked for: %j', async (usage, expected) => {
    const teller = new Teller({ usage }, undefined)
    const told: Told[] = []
    for (const event of events) told.push(...((await teller.read(event)?.()) ?? []))
    expect(told).toEqual(expected)
  })
})
