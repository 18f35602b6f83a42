/**
 * A provider on the loopback interface: it plays recorded streams, whole or broken, and remembers what it was asked.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'

/** How one request is answered. */
export type Play =
  /** The whole body at once. */
  | { readonly do: 'send'; readonly bytes: Buffer }
  /** The body in pieces of `size` bytes, wherever that cuts characters and events. */
  | { readonly do: 'drip'; readonly bytes: Buffer; readonly size: number }
  /** The first `at` bytes; then the body ends properly (`end`) or the connection breaks (`break`). */
  | {
      readonly do: 'cut'
      readonly bytes: Buffer
      readonly at: number
      readonly how: 'end' | 'break'
    }
  /** The first `at` bytes, then nothing more. `-1`: not even the head of the answer. */
  | { readonly do: 'hang'; readonly bytes: Buffer; readonly at: number }
  | {
      readonly do: 'refuse'
      readonly status: number
      readonly headers?: Record<string, string>
      readonly body: string
    }

type PlayOf<D extends Play['do']> = Extract<Play, { do: D }>

/** What the provider was asked. */
export interface Asked {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: Readonly<Record<string, unknown>>
  /** The client's port: the same for requests over one connection. */
  readonly port: number | undefined
  /** Resolves when the client or the server has closed the connection of this request. */
  readonly closed: Promise<unknown>
}

export interface ProviderServer {
  /** Base URL without a path. */
  readonly url: string
  /** Requests so far, oldest first. */
  readonly asked: readonly Asked[]
  /** Answers the next requests, one each; the last one also all later requests. */
  play(...plays: readonly Play[]): void
  close(): Promise<void>
}

const HEAD = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' }

async function write(response: ServerResponse, bytes: Buffer): Promise<void> {
  if (bytes.length > 0) await new Promise((resolve) => response.write(bytes, resolve))
}

async function drip(response: ServerResponse, { bytes, size }: PlayOf<'drip'>): Promise<void> {
  for (let at = 0; at < bytes.length; at += size) {
    await write(response, bytes.subarray(at, at + size))
    // A macrotask of its own for each piece, so that the client reads it alone.
    await setImmediate()
  }
  response.end()
}

async function cut(response: ServerResponse, { bytes, at, how }: PlayOf<'cut'>): Promise<void> {
  await write(response, bytes.subarray(0, at))
  if (how === 'end') response.end()
  else response.destroy()
}

async function hang(response: ServerResponse, { bytes, at }: PlayOf<'hang'>): Promise<void> {
  if (at < 0) return
  await write(begin(response), bytes.subarray(0, at))
}

function refuse(response: ServerResponse, { status, headers, body }: PlayOf<'refuse'>): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(body)
}

function begin(response: ServerResponse): ServerResponse {
  response.writeHead(200, HEAD)
  response.flushHeaders()
  return response
}

async function answer(response: ServerResponse, play: Play): Promise<void> {
  switch (play.do) {
    case 'refuse':
      refuse(response, play)
      return
    case 'send':
      begin(response).end(play.bytes)
      return
    case 'drip':
      await drip(begin(response), play)
      return
    case 'cut':
      await cut(begin(response), play)
      return
    case 'hang':
      await hang(response, play)
  }
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  const text = Buffer.concat(pieces).toString()
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
}

/** Starts a provider on a free port. */
export async function startProviderServer(): Promise<ProviderServer> {
  const asked: Asked[] = []
  let plays: readonly Play[] = []
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const closed = once(response, 'close')
    const body = await bodyOf(request)
    const { url = '', headers, socket } = request
    asked.push({ path: url, headers, body, port: socket.remotePort, closed })
    const [play, ...later] = plays
    if (play === undefined) throw new Error('the provider has nothing to play')
    if (later.length > 0) plays = later
    await answer(response, play)
  }
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      response.destroy(error as Error)
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    play(...next) {
      plays = next
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
