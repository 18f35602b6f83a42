/**
 * The real server at one end of a pair of streams, and somebody who speaks plain lines at the other.
 *
 * @module
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { expect } from 'vitest'
import type { AgentOptions } from '../../../src/actors/agent-options.ts'
import { TurnwiseError } from '../../../src/errors.ts'
import type { RpcErrorBody } from '../../../src/protocols/json-rpc/notifications.ts'
import { createJsonRpcServer, type JsonRpcServer } from '../../../src/protocols/json-rpc/server.ts'
import type { JsonRpcServerOptions } from '../../../src/protocols/json-rpc/server-port.ts'
import { printLog } from '../../../src/testing/print-event.ts'
import { scriptedModel, type ScriptedModel } from '../../../src/testing/scripted-model.ts'

/** A line that the server wrote. */
export interface Said {
  readonly id?: number | string | null
  readonly result?: never
  readonly error?: RpcErrorBody
  readonly method?: string
  // eslint-disable-next-line typescript/no-explicit-any -- the tests say what they expect
  readonly params?: any
}

/** Lines in, lines out. */
export class Peer {
  readonly input = new PassThrough()
  readonly output = new PassThrough()
  readonly said: Said[] = []
  private rest = ''
  private asked = 0
  private readonly watchers = new Set<() => void>()

  constructor() {
    this.output.setEncoding('utf8').on('data', (piece: string) => this.hear(piece))
  }

  hear(piece: string): void {
    const lines = (this.rest + piece).split('\n')
    this.rest = lines.pop() ?? ''
    for (const line of lines) this.said.push(JSON.parse(line) as Said)
    for (const watch of this.watchers) watch()
  }

  /** Resolves with the first line that fits, past or future. */
  until(fits: (said: Said) => boolean): Promise<Said> {
    return new Promise((resolve) => {
      const watch = (): void => {
        const found = this.said.find(fits)
        if (found === undefined) return
        this.watchers.delete(watch)
        resolve(found)
      }
      this.watchers.add(watch)
      watch()
    })
  }

  write(text: string): void {
    this.input.write(text)
  }

  /** Writes requests in one piece. @returns their answers. */
  batch(...requests: readonly (readonly [method: string, params?: unknown])[]): Promise<Said>[] {
    const ids = requests.map(() => (this.asked += 1))
    this.write(
      requests
        .map(([method, params], i) =>
          JSON.stringify({ jsonrpc: '2.0', id: ids[i], method, params }),
        )
        .map((line) => `${line}\n`)
        .join(''),
    )
    return ids.map((id) => this.until((said) => said.id === id))
  }

  ask(method: string, params?: unknown): Promise<Said> {
    return this.batch([method, params])[0] as Promise<Said>
  }

  initialize(more: object = {}): Promise<Said> {
    const asked = { protocolVersion: 1, cwd: '.', provider: 'mock', model: 'm', ...more }
    return this.ask('initialize', asked)
  }

  prompt(sessionId: string, text: string, more: object = {}): Promise<Said> {
    return this.ask('session/prompt', promptOf(sessionId, text, more))
  }

  /** Events of a session so far, in the order of the wire. */
  events(sessionId: string): { seq: number; type: string; data: never }[] {
    return this.said
      .filter(({ method, params }) => method === 'session.event' && params.sessionId === sessionId)
      .map(({ params }) => params.event)
  }

  saw(sessionId: string, type: string, count = 1): Promise<unknown> {
    return this.until(
      () => this.events(sessionId).filter((event) => event.type === type).length >= count,
    )
  }

  status(sessionId: string, status: string, count = 1): Promise<unknown> {
    return this.until(
      () => this.statuses(sessionId).filter((known) => known === status).length >= count,
    )
  }

  statuses(sessionId: string): string[] {
    return this.said
      .filter(({ method, params }) => method === 'session.status' && params.sessionId === sessionId)
      .map(({ params }) => params.status)
  }
}

export const text = (words: string): object => ({ type: 'text', text: words })

export const promptOf = (sessionId: string, words: string, more: object = {}): object => ({
  sessionId,
  contentBlocks: [text(words)],
  ...more,
})

export interface Wire extends Peer {
  readonly server: JsonRpcServer
  readonly model: ScriptedModel
  readonly diagnostics: string[]
  /** Resolves when the server let go of the peer. */
  readonly gone: Promise<void>
}

/** A server with a scripted model that answers to the provider `mock`, and a peer that has not said anything. */
export function wire(
  script: readonly string[] = [],
  {
    agent = {},
    ...options
  }: Partial<JsonRpcServerOptions> & { readonly agent?: AgentOptions } = {},
): Wire {
  const model = scriptedModel(script, { modelId: 'm' })
  const diagnostics: string[] = []
  const server = createJsonRpcServer({
    prepare: mockOnly(() => ({ model, ...agent })),
    onDiagnostic: (message) => diagnostics.push(message),
    ...options,
  })
  const peer = new Peer()
  const gone = server.connect(peer)
  return Object.assign(peer, { server, model, diagnostics, gone })
}

/** Knows one provider. */
export const mockOnly =
  (make: () => AgentOptions) =>
  ({ provider }: { readonly provider: string }): AgentOptions => {
    if (provider === 'mock') return make()
    throw new TurnwiseError('UNKNOWN_PROVIDER', `there is no provider ${provider}`)
  }

/** An answer that refuses with this code of JSON-RPC and this code of the table. */
export const refused = (code: number, name: string, more: object = {}): unknown =>
  expect.objectContaining({
    error: {
      code,
      message: expect.any(String),
      data: expect.objectContaining({ code: name, ...more }),
    },
  })

/** How the turns of a session ended, as far as it was told. */
export const turnEnds = (peer: Peer, id = 's1'): string[] =>
  printLog(peer.events(id) as never).filter((line) => line.startsWith('turn/end'))

/** A peer that connects to a socket or a port. */
export async function dial(
  place: string | number,
): Promise<{ peer: Peer; socket: Socket; gone: Promise<unknown> }> {
  const socket = typeof place === 'string' ? connect(place) : connect(place, '127.0.0.1')
  await once(socket, 'connect')
  const peer = new Peer()
  peer.input.pipe(socket)
  socket.setEncoding('utf8').on('data', (piece: string) => peer.hear(piece))
  return { peer, socket, gone: once(socket, 'close') }
}
