/**
 * The command with the real provider packages, against a server on the loopback interface: it works, and no key passes.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HIDDEN } from '../../src/cli/secrets.ts'
import { chatStream } from '../support/chat-stream.ts'
import { startProviderServer } from '../support/provider-server.ts'
import type { Play, ProviderServer } from '../support/provider-server.ts'
import { call, cwd, logFiles, put, storedEvents, useCommand } from './command-rig.ts'
import type { Called } from './command-rig.ts'

useCommand()

const KEY = 'sk-loopback-0123456789abcdef'
let server: ProviderServer

beforeAll(async () => {
  server = await startProviderServer()
})
afterAll(() => server.close())

const chat = (deltas: readonly object[], finish: string): Play => ({
  do: 'send',
  bytes: chatStream(deltas, finish),
})
const text = (...pieces: string[]): Play =>
  chat(
    pieces.map((content) => ({ content })),
    'stop',
  )
const toolCall = (name: string, args: object): Play =>
  chat(
    [
      {
        tool_calls: [
          {
            index: 0,
            id: 'c1',
            type: 'function',
            function: { name, arguments: JSON.stringify(args) },
          },
        ],
      },
    ],
    'tool_calls',
  )

const compatible = (): Record<string, string> => ({
  OPENAI_BASE_URL: `${server.url}/v1`,
  OPENAI_API_KEY: KEY,
})

/** Everything a call has written anywhere. */
const traces = ({ out, err }: Called): string =>
  [out, err, ...logFiles().map((file) => readFileSync(join(cwd, '.turnwise', file), 'utf8'))].join(
    '\n',
  )

describe('a compatible server', () => {
  it('is asked with the key, calls the real tools, and answers', async () => {
    server.play(toolCall('read_file', { path: 'README.md' }), text('It counts ', 'sheep.'))
    const called = await call(['run', 'What is this?'], { env: compatible() })
    expect(called).toEqual({ code: 0, out: 'It counts sheep.\n', err: '', exits: [] })
    const [first, second] = server.asked.slice(-2)
    expect(first).toMatchObject({
      path: '/v1/chat/completions',
      headers: { authorization: `Bearer ${KEY}` },
      body: { model: 'gpt-5-mini' },
    })
    expect(JSON.stringify(second?.body)).toContain('Counts sheep.')
    expect(storedEvents().find(({ type }) => type === 'request/header')).toMatchObject({
      data: { provider: 'openai-compatible', model: 'gpt-5-mini' },
    })
  })

  it('is asked again after a 429 and a 500, because the command retries what is transient', async () => {
    server.play(
      {
        do: 'refuse',
        status: 429,
        headers: { 'retry-after-ms': '1' },
        body: '{"error":{"message":"slow"}}',
      },
      {
        do: 'refuse',
        status: 500,
        headers: { 'retry-after-ms': '1' },
        body: '{"error":{"message":"broken"}}',
      },
      text('at last'),
    )
    expect(await call(['run', 'A'], { env: compatible() })).toMatchObject({
      code: 0,
      out: 'at last\n',
    })
    expect(storedEvents().filter(({ type }) => type === 'request/failed')).toHaveLength(2)
  })

  it('is named by --model with any name a server may use', async () => {
    server.play(text('ok'))
    const words = ['run', 'A', '--model', 'openai-compatible:org/model:7b']
    expect(await call(words, { env: { OPENAI_BASE_URL: `${server.url}/v1` } })).toMatchObject({
      code: 0,
    })
    expect(server.asked.at(-1)?.body).toMatchObject({ model: 'org/model:7b' })
    expect(server.asked.at(-1)?.headers.authorization).toBeUndefined()
  })
})

describe('no key', () => {
  const echo: Play = {
    do: 'refuse',
    status: 401,
    headers: { 'x-request-id': `r-${KEY}` },
    body: JSON.stringify({
      type: 'error',
      error: {
        type: 'authentication_error',
        message: `Incorrect API key provided: ${KEY}`,
        code: KEY,
      },
    }),
  }

  it.each([
    ['openai', 'OPENAI'],
    ['openai-compatible', 'OPENAI'],
    ['anthropic', 'ANTHROPIC'],
    ['deepseek', 'DEEPSEEK'],
  ])('of %s reaches log, output or error when the provider echoes it', async (name, prefix) => {
    server.play(echo)
    const env = { [`${prefix}_API_KEY`]: KEY, [`${prefix}_BASE_URL`]: `${server.url}/v1` }
    for (const show of ['--json', '--live', '--quiet']) {
      const called = await call(['run', 'A', '--model', `${name}:m`, show], { env })
      expect(called.code).toBe(1)
      expect(JSON.stringify(server.asked.at(-1)?.headers)).toContain(KEY)
      expect(traces(called)).toContain('AUTH')
      expect(traces(called)).not.toContain(KEY)
    }
  })

  it('reaches anything from a text, a tool, a prompt or a broken address', async () => {
    put('notes.txt', `the key is ${KEY}\n`)
    server.play(
      toolCall('read_file', { path: 'notes.txt' }),
      text(`it is ${KEY.slice(0, 9)}`, KEY.slice(9)),
    )
    const called = await call(['run', `is it ${KEY}?`], { env: compatible() })
    expect(called).toMatchObject({ code: 0, out: `it is ${HIDDEN}\n` })
    expect(traces(called)).not.toContain(KEY)
    const env = { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `http://me:${KEY}@127.0.0.1:1/v1` }
    const refused = await call(['run', 'A', '--model', 'openai-compatible:m'], {
      env: { ...env, OPENAI_API_KEY: 'another-key' },
    })
    expect(refused.code).toBe(1)
    expect(traces(refused)).not.toContain(KEY)
  })
})
