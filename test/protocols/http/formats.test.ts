/**
 * What others read: the UI message stream by the AI SDK itself, AG-UI by its own schemas.
 */
import { EventSchemas } from '@ag-ui/core/schemas'
import { DefaultChatTransport, readUIMessageStream, type UIMessage } from 'ai'
import { describe, expect, it } from 'vitest'
import { FrameReader, ORIGIN, rig } from './rig.ts'

const tools = [
  { name: 'echo', run: (input: unknown) => `echo ${JSON.stringify(input)}` },
  {
    name: 'broken',
    run: () => {
      throw new Error('the disk is full')
    },
  },
]

const prompt = (text: string): UIMessage => ({
  id: 'u1',
  role: 'user',
  parts: [{ type: 'text', text }],
})

/** What `useChat` would hold in the end. */
async function chat(
  script: readonly string[],
  options: Parameters<typeof rig>[1] = { agentOptions: { tools } },
): Promise<{ parts: UIMessage['parts']; errors: string[]; rig: ReturnType<typeof rig> }> {
  const service = rig(script, options)
  const transport = new DefaultChatTransport({
    api: `${ORIGIN}/sessions/s/chat`,
    fetch: (url, init) => service.handle(new Request(url, init)),
  })
  const stream = await transport.sendMessages({
    trigger: 'submit-message',
    chatId: 's',
    messageId: undefined,
    messages: [prompt('hello')],
    abortSignal: undefined,
  })
  let parts: UIMessage['parts'] = []
  const errors: string[] = []
  const onError = (error: unknown): void => {
    errors.push(String(error))
  }
  for await (const message of readUIMessageStream({ stream, onError })) parts = message.parts
  return { parts, errors, rig: service }
}

describe('the UI message stream, read by the AI SDK', () => {
  it('holds text and reasoning as they were streamed', async () => {
    const { parts, errors } = await chat(['reasoning "hm" + text "Hello."'])
    expect(errors).toEqual([])
    expect(parts).toMatchObject([
      { type: 'step-start' },
      { type: 'reasoning', text: 'hm', state: 'done' },
      { type: 'text', text: 'Hello.', state: 'done' },
    ])
  })

  it('holds calls with their input and their outcome, good or bad', async () => {
    const { parts, errors } = await chat(['call c1 echo {"v":1} + call c2 broken', 'text "Done."'])
    expect(errors).toEqual([])
    const calls = parts.filter(({ type }) => type === 'dynamic-tool')
    expect(calls).toMatchObject([
      { toolName: 'echo', state: 'output-available', input: { v: 1 }, output: 'echo {"v":1}' },
      { toolName: 'broken', state: 'output-error' },
    ])
    expect(parts.at(-1)).toMatchObject({ type: 'text', text: 'Done.' })
  })

  it('tells a failed turn as an error, and an abort as one', async () => {
    const failed = await chat(['error AUTH'])
    expect(failed.errors.join()).toContain('AUTH')
  })

  it('is told whole where chunks are recorded nowhere and nobody saw them', async () => {
    const { parts } = await chat(['text "Hello."'], {
      agentOptions: { chunks: 'live' },
    })
    expect(parts.at(-1)).toMatchObject({ type: 'text', text: 'Hello.' })
  })

  it('asks for approvals', async () => {
    const pay = [{ name: 'pay', approval: 'always' as const, run: () => 'paid' }]
    const service = rig(['call c1 pay', 'text "done"'], { agentOptions: { tools: pay } })
    const reader = new FrameReader(
      await service.post('/sessions/s/chat', { id: 's', messages: [prompt('hello')] }),
    )
    const asked = (await reader.until(({ data }) => data.includes('approval-request'))).at(-1)
    const { toolCallId } = JSON.parse(asked?.data ?? '{}') as { toolCallId: string }
    await service.post('/sessions/s/approvals', {
      answers: [{ call: toolCallId, answer: 'deny' }],
    })
    const rest = await reader.rest()
    expect(rest.some(({ data }) => data.includes('tool-output-denied'))).toBe(true)
    expect(rest.at(-1)?.data).toBe('[DONE]')
  })

  it('refuses a conversation whose last message is not the user’s', async () => {
    const { post, registry } = rig()
    const answer = await post('/sessions/s/chat', { messages: [{ role: 'assistant', parts: [] }] })
    expect(answer.status).toBe(400)
    expect((await post('/sessions/s/chat', { messages: [] })).status).toBe(400)
    expect(registry.list()).toEqual([])
  })
})

async function agUi(script: readonly string[]): Promise<{ type: string; delta?: string }[]> {
  const { post } = rig(script, { agentOptions: { tools } })
  const response = await post('/sessions/s/ag-ui', {
    threadId: 's',
    runId: 'r1',
    messages: [{ id: 'u1', role: 'user', content: 'hello' }],
    tools: [],
    context: [],
    state: {},
    forwardedProps: {},
  })
  const frames = await new FrameReader(response).rest()
  return frames.map(({ data }) => EventSchemas.parse(JSON.parse(data)) as { type: string })
}

describe('events of AG-UI, read by its schemas', () => {
  it('begin and end the run, with messages and calls between', async () => {
    const events = await agUi(['call c1 echo {"v":1}', 'reasoning "hm" + text "Done."'])
    const types = events.map(({ type }) => type)
    expect(types[0]).toBe('RUN_STARTED')
    expect(types.at(-1)).toBe('RUN_FINISHED')
    expect(types).toEqual(
      expect.arrayContaining([
        'STEP_STARTED',
        'TOOL_CALL_START',
        'TOOL_CALL_ARGS',
        'TOOL_CALL_END',
        'TOOL_CALL_RESULT',
        'STEP_FINISHED',
        'REASONING_MESSAGE_CONTENT',
        'TEXT_MESSAGE_CONTENT',
      ]),
    )
    for (const [start, end] of [
      ['TEXT_MESSAGE_START', 'TEXT_MESSAGE_END'],
      ['TOOL_CALL_START', 'TOOL_CALL_END'],
      ['STEP_STARTED', 'STEP_FINISHED'],
    ])
      expect(types.filter((type) => type === start)).toHaveLength(
        types.filter((type) => type === end).length,
      )
  })

  it('end in an error where the turn did', async () => {
    expect((await agUi(['error AUTH'])).at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'AUTH' })
  })
})
