/**
 * The real provider packages and what a provider refuses: classified, once, and without a credential.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hear } from '../../support/heard.ts'
import { PACKAGES, SECRET_KEY, type PackageName } from '../../support/provider-models.ts'
import { startProviderServer, type ProviderServer } from '../../support/provider-server.ts'
import { ownRecording, type Recording } from '../../support/recordings.ts'
import type { WireFormat } from '../../support/spoken.ts'

const NAMES = Object.keys(PACKAGES) as PackageName[]

const TEXT = {
  'openai-chat': ownRecording('openai-chat.text'),
  'openai-responses': ownRecording('openai-responses.text'),
  anthropic: ownRecording('anthropic.greeting'),
} satisfies Record<WireFormat, Recording>

const textFor = (name: PackageName): Recording => TEXT[PACKAGES[name].format]
const modelOf = (name: PackageName) => PACKAGES[name].make(server.url)
/** Bytes up to the end of the event that holds `text`. */
const upTo = ({ bytes }: Recording, text: string): number =>
  bytes.indexOf('\n\n', bytes.indexOf(text)) + 2

let server: ProviderServer
beforeAll(async () => {
  server = await startProviderServer()
})
afterAll(async () => {
  await server.close()
})

/** An error as the provider of this format words it. */
const errorBody = (format: WireFormat, message: string, type: string): string =>
  JSON.stringify(
    format === 'anthropic'
      ? { type: 'error', error: { type, message }, request_id: 'req_body' }
      : { error: { message, type, param: null, code: null } },
  )

describe('a refused request is classified, and made once', () => {
  const REFUSALS = [
    { status: 429, type: 'rate_limit_error', code: 'RATE_LIMIT' },
    { status: 500, type: 'server_error', code: 'SERVER' },
    { status: 503, type: 'server_error', code: 'SERVER' },
    { status: 529, type: 'overloaded_error', code: 'SERVER' },
    { status: 401, type: 'authentication_error', code: 'AUTH' },
    { status: 403, type: 'permission_error', code: 'AUTH' },
    { status: 408, type: 'timeout_error', code: 'TIMEOUT' },
    { status: 404, type: 'not_found_error', code: 'UNKNOWN' },
    { status: 400, type: 'invalid_request_error', code: 'UNKNOWN' },
  ]
  it.each(NAMES.flatMap((name) => REFUSALS.map((refusal) => ({ name, ...refusal }))))(
    '$name, $status is $code',
    async ({ name, status, type, code }) => {
      const body = errorBody(PACKAGES[name].format, 'no', type)
      const before = server.asked.length
      server.play({ do: 'refuse', status, body, headers: { 'x-request-id': 'req_7' } })
      const heard = await hear(modelOf(name))
      expect(heard.failure).toEqual({ code, message: 'no', status, requestId: 'req_7' })
      expect(heard.chunks).toEqual([])
      expect(server.asked.length).toBe(before + 1)
    },
  )

  it.each(NAMES)('%s: 429 names its delay, and the next attempt succeeds', async (name) => {
    const { bytes, spoken, format } = textFor(name)
    const body = errorBody(format, 'slow down', 'rate_limit_error')
    server.play(
      { do: 'refuse', status: 429, body, headers: { 'retry-after': '7' } },
      { do: 'refuse', status: 500, body: '', headers: { 'retry-after-ms': '250' } },
      { do: 'send', bytes },
    )
    const before = server.asked.length
    const model = modelOf(name)
    const first = await hear(model)
    expect(first.failure).toMatchObject({ code: 'RATE_LIMIT', status: 429, retryAfterMs: 7000 })
    const second = await hear(model)
    expect(second.failure).toMatchObject({ code: 'SERVER', status: 500, retryAfterMs: 250 })
    const third = await hear(model)
    expect(third).toMatchObject({ text: spoken.text, reason: 'stop' })
    expect(server.asked.length).toBe(before + 3)
  })

  it.each(NAMES)('%s: a request that is too long is CONTEXT_OVERFLOW', async (name) => {
    const message =
      PACKAGES[name].format === 'anthropic'
        ? 'prompt is too long: 213462 tokens > 200000 maximum'
        : "This model's maximum context length is 65536 tokens. However, you requested 70000 tokens."
    const body = errorBody(PACKAGES[name].format, message, 'invalid_request_error')
    server.play({ do: 'refuse', status: 400, body })
    const { failure } = await hear(modelOf(name))
    expect(failure).toMatchObject({ code: 'CONTEXT_OVERFLOW', message, status: 400 })
  })

  it.each(NAMES)('%s never repeats a credential', async (name) => {
    const body = errorBody(
      PACKAGES[name].format,
      `Incorrect API key provided: ${SECRET_KEY} (Authorization: Bearer ${SECRET_KEY})`,
      'authentication_error',
    )
    server.play({ do: 'refuse', status: 401, body })
    const heard = await hear(modelOf(name))
    expect(JSON.stringify(server.asked.at(-1)?.headers)).toContain(SECRET_KEY)
    expect(heard.failure?.code).toBe('AUTH')
    expect(JSON.stringify(heard)).not.toContain('SECRET')
  })

  it.each(NAMES)('%s: nobody listens there', async (name) => {
    const gone = await startProviderServer()
    await gone.close()
    const { failure } = await hear(PACKAGES[name].make(gone.url))
    expect(failure?.code).toBe('TRANSPORT')
  })
})

const ERRORS: Record<WireFormat, (type: string, message: string) => string> = {
  'openai-chat': (type, message) =>
    `data: ${JSON.stringify({ error: { message, type, code: null, param: null } })}\n\n`,
  'openai-responses': (type, message) =>
    `event: error\ndata: ${JSON.stringify({ type: 'error', sequence_number: 3, error: { type, code: type, message, param: null } })}\n\n`,
  anthropic: (type, message) =>
    `event: error\ndata: ${JSON.stringify({ type: 'error', error: { type, message } })}\n\n`,
}
/** The recorded text, an error, and the rest of the recording. */
const withError = (name: PackageName, error: string): Buffer => {
  const recording = textFor(name)
  const at = upTo(recording, 'Grüße')
  return Buffer.concat([
    recording.bytes.subarray(0, at),
    Buffer.from(error),
    recording.bytes.subarray(at),
  ])
}

describe('an error inside a stream fails the attempt', () => {
  const KINDS = [
    { type: 'overloaded_error', message: 'Overloaded', code: 'SERVER' },
    { type: 'rate_limit_error', message: 'Rate limit reached', code: 'RATE_LIMIT' },
  ]
  it.each(NAMES.flatMap((name) => KINDS.map((kind) => ({ name, ...kind }))))(
    '$name: $code behind some text, although the stream goes on',
    async ({ name, type, message, code }) => {
      const error = ERRORS[PACKAGES[name].format](type, message)
      server.play({ do: 'send', bytes: withError(name, error) })
      const heard = await hear(modelOf(name))
      expect(heard.failure).toMatchObject({ code, message })
      expect(heard.reason ?? 'error').toBe('error')
      expect(heard.late).toBe(0)
    },
  )

  it.each(NAMES.flatMap((name) => KINDS.map((kind) => ({ name, ...kind }))))(
    '$name: $code as the first thing that comes',
    async ({ name, type, message, code }) => {
      const error = ERRORS[PACKAGES[name].format](type, message)
      server.play({ do: 'send', bytes: Buffer.from(error) })
      const { failure } = await hear(modelOf(name))
      expect(failure).toMatchObject({ code, message })
    },
  )

  it.each(NAMES)('%s: what is no JSON is TRANSPORT, and is not repeated', async (name) => {
    server.play({ do: 'send', bytes: withError(name, 'data: {"key":"PRIVATE\n\n') })
    const heard = await hear(modelOf(name))
    expect(heard.failure?.code).toBe('TRANSPORT')
    expect(JSON.stringify(heard)).not.toContain('PRIVATE')
  })

  it.each(NAMES)('%s: an answer that is no stream is TRANSPORT', async (name) => {
    server.play({ do: 'send', bytes: Buffer.from('<html>hello</html>') })
    const { failure } = await hear(modelOf(name))
    expect(failure?.code).toBe('TRANSPORT')
  })
})
