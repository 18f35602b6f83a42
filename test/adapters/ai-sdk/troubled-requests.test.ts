/**
 * The real provider packages in trouble: slow and silent streams, and connections that stay or go.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hear } from '../../support/heard.ts'
import { contextOf, PACKAGES, requestOf, type PackageName } from '../../support/provider-models.ts'
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

describe('a slow stream', () => {
  it.each(NAMES.flatMap((name) => [1, 3, 7].map((size) => ({ name, size }))))(
    '$name hears all of a stream that comes in pieces of $size bytes',
    async ({ name, size }) => {
      const { bytes, spoken } = textFor(name)
      server.play({ do: 'drip', bytes, size })
      const heard = await hear(modelOf(name))
      expect(heard).toMatchObject({ text: spoken.text, reason: 'stop', finishes: 1, late: 0 })
      expect(heard.usage).toEqual(spoken.usage)
    },
  )
})

describe('a silent stream ends when the signal aborts, and its connection is closed', () => {
  it.each(NAMES)('%s, after some text', async (name) => {
    const recording = textFor(name)
    server.play({ do: 'hang', bytes: recording.bytes, at: upTo(recording, 'Grüße') })
    const abort = new AbortController()
    const heard = await hear(modelOf(name), requestOf(), contextOf(abort.signal), ({ kind }) => {
      if (kind === 'text-delta') abort.abort({ kind: 'user' })
    })
    await server.asked.at(-1)?.closed
    expect(heard.text).toBe('Grüße, ')
    expect(heard).toMatchObject({ finishes: 0, thrown: false })
  })

  it.each(NAMES)('%s, before the head of the answer', async (name) => {
    server.play({ do: 'hang', bytes: textFor(name).bytes, at: -1 })
    const abort = new AbortController()
    const before = server.asked.length
    const hearing = hear(modelOf(name), requestOf(), contextOf(abort.signal))
    await expect.poll(() => server.asked.length).toBe(before + 1)
    abort.abort({ kind: 'user' })
    const heard = await hearing
    await server.asked.at(-1)?.closed
    expect(heard).toMatchObject({ chunks: [], thrown: false })
  })

  it.each(NAMES)('%s, as TIMEOUT where that is the reason', async (name) => {
    const recording = textFor(name)
    server.play({ do: 'hang', bytes: recording.bytes, at: upTo(recording, 'Grüße') })
    const abort = new AbortController()
    const heard = await hear(modelOf(name), requestOf(), contextOf(abort.signal), ({ kind }) => {
      if (kind === 'text-delta') {
        abort.abort(Object.assign(new Error('silent'), { code: 'TIMEOUT' }))
      }
    })
    await server.asked.at(-1)?.closed
    expect(heard.failure?.code).toBe('TIMEOUT')
  })

  it.each(NAMES)('%s makes no request at all when the signal has aborted before', async (name) => {
    server.play({ do: 'send', bytes: textFor(name).bytes })
    const before = server.asked.length
    const heard = await hear(
      modelOf(name),
      requestOf(),
      contextOf(AbortSignal.abort({ kind: 'user' })),
    )
    expect(heard.chunks).toEqual([])
    expect(server.asked.length).toBe(before)
  })

  it.each(NAMES)('%s, when the reader leaves early', async (name) => {
    const recording = textFor(name)
    server.play({ do: 'hang', bytes: recording.bytes, at: upTo(recording, 'Grüße') })
    for await (const chunk of modelOf(name).stream(requestOf(), contextOf())) {
      if (chunk.kind === 'text-delta') break
    }
    await server.asked.at(-1)?.closed
    expect(server.asked.at(-1)?.body['stream']).toBe(true)
  })
})

describe('a connection is used again after a finished stream', () => {
  it.each(NAMES)('%s', async (name) => {
    // A server of its own: a pool may hold other idle connections to the shared one.
    const own = await startProviderServer()
    // Behind the finish comes a little more, on its own.
    const { bytes } = textFor(name)
    const more = Buffer.concat([bytes, Buffer.from(': bye\n\n')])
    own.play({ do: 'drip', bytes: more, size: bytes.length })
    const model = PACKAGES[name].make(own.url)
    for (let n = 0; n < 6; n += 1) await hear(model)
    const ports = own.asked.map(({ port }) => port)
    await own.close()
    // A request that follows at once may need a second connection.
    expect(new Set(ports).size).toBeLessThan(3)
    expect(ports).toHaveLength(6)
  })
})
