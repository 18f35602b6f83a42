/**
 * An agent, a tool, a real provider package and HTTP: a tool call, its result, an answer, and one owner of retries.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createAgent } from '../../../src/actors/agent.ts'
import { defineTool } from '../../../src/adapters/define-tool.ts'
import { PACKAGES, SECRET_KEY, type PackageName } from '../../support/provider-models.ts'
import {
  startProviderServer,
  type Play,
  type ProviderServer,
} from '../../support/provider-server.ts'
import { ownRecording } from '../../support/recordings.ts'
import type { WireFormat } from '../../support/spoken.ts'

const NAMES = Object.keys(PACKAGES) as PackageName[]
const CALLING: Record<WireFormat, string> = {
  'openai-chat': 'openai-chat.tool-calls',
  'openai-responses': 'openai-responses.reasoning-tool-call',
  anthropic: 'anthropic.thinking-tool-call',
}
const ANSWERING: Record<WireFormat, string> = {
  'openai-chat': 'openai-chat.text',
  'openai-responses': 'openai-responses.text',
  anthropic: 'anthropic.greeting',
}

let server: ProviderServer
beforeAll(async () => {
  server = await startProviderServer()
})
afterAll(async () => {
  await server.close()
})

const weatherTool = (asked: string[]) =>
  defineTool({
    name: 'weather',
    description: 'Tells the weather of a city.',
    input: z.object({ city: z.string() }),
    parallel: true,
    run: ({ city }, { call }) => {
      asked.push(`${call.providerId}:${city}`)
      return `sunny in ${city}`
    },
  })

async function runWith(name: PackageName, plays: readonly Play[], retries: number) {
  const asked: string[] = []
  server.play(...plays)
  const before = server.asked.length
  const agent = createAgent({
    model: PACKAGES[name].make(server.url),
    tools: [weatherTool(asked)],
    system: 'Be brief.',
    retry: { retries, baseMs: 1, maxMs: 2, jitter: 0 },
  })
  const result = await agent.run('How is it?')
  await agent.dispose()
  return { asked, result, events: agent.log.read(), requests: server.asked.slice(before) }
}

const refused = (status: number): Play => ({
  do: 'refuse',
  status,
  headers: { 'retry-after': '0' },
  body: JSON.stringify({
    type: 'error',
    error: { type: 'rate_limit_error', message: 'slow down' },
  }),
})

describe.each(NAMES)('an agent over %s', (name) => {
  const { format } = PACKAGES[name]
  const calling = ownRecording(CALLING[format])
  const answering = ownRecording(ANSWERING[format])
  it('runs the tools that the model calls and ends with its answer; each attempt is one request', async () => {
    const plays: Play[] = [
      refused(429),
      { do: 'send', bytes: calling.bytes },
      { do: 'cut', bytes: answering.bytes, at: answering.saidAt - 1, how: 'end' },
      { do: 'send', bytes: answering.bytes },
    ]
    const { asked, result, events, requests } = await runWith(name, plays, 2)
    expect(result.turns).toEqual([{ turn: 1, reason: { kind: 'completed' } }])
    expect(result.finalResponse).toBe(answering.spoken.text)
    expect(asked).toEqual(
      calling.spoken.calls.map(
        (call) => `${call.id}:${(JSON.parse(call.arguments) as { city: string }).city}`,
      ),
    )
    const failed = events.filter((event) => event.type === 'request/failed')
    expect(failed.map(({ data }) => data)).toMatchObject([
      {
        step: 1,
        attempt: 1,
        action: 'retry',
        failure: { code: 'RATE_LIMIT', status: 429, retryAfterMs: 0 },
      },
      { step: 2, attempt: 1, action: 'retry', failure: { code: 'TRANSPORT' } },
    ])
    expect(requests).toHaveLength(4)
  })

  it('sends the history back in the words of the provider, with its private data', async () => {
    const plays: Play[] = [
      { do: 'send', bytes: calling.bytes },
      { do: 'send', bytes: answering.bytes },
    ]
    const { requests } = await runWith(name, plays, 0)
    const sent = JSON.stringify(requests[1]?.body)
    expect(sent).toContain('sunny in Köln')
    expect(sent).toContain('Be brief.')
    for (const { id } of calling.spoken.calls) expect(sent).toContain(id)
    const privately = {
      anthropic: ['sig==', 'hidden=='],
      'openai-responses': ['rs_1'],
      'openai-chat': [],
    }
    for (const data of privately[format]) expect(sent).toContain(data)
  })

  it('gives up after its own retries, and the key is nowhere in the log', async () => {
    const { result, events, requests } = await runWith(name, [refused(429)], 2)
    expect(requests).toHaveLength(3)
    expect(result.turns).toMatchObject([{ turn: 1, reason: { kind: 'error', code: 'RATE_LIMIT' } }])
    expect(JSON.stringify(events)).not.toContain(SECRET_KEY)
  })
})

describe('a cancel while a provider is silent', () => {
  it.each(NAMES)('keeps the text that was seen and closes the connection, %s', async (name) => {
    const { bytes } = ownRecording(ANSWERING[PACKAGES[name].format])
    const at = bytes.indexOf('\n\n', bytes.indexOf('Grüße')) + 2
    server.play({ do: 'hang', bytes, at })
    const agent = createAgent({ model: PACKAGES[name].make(server.url) })
    agent.subscribe({}, ({ type, data }) => {
      if (type === 'assistant/chunk' && data.chunk.kind === 'text-delta') agent.cancel('user')
    })
    const result = await agent.run('How is it?')
    await server.asked.at(-1)?.closed
    expect(result.finalResponse).toBe('Grüße, ')
    expect(result.turns).toMatchObject([{ reason: { kind: 'aborted', cause: { kind: 'user' } } }])
    await agent.dispose()
  })
})
