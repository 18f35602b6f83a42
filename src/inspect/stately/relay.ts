/**
 * A server of our own for viewers: receivers of @statelyai/inspect, or a browser with Stately's inspector in a frame.
 *
 * W1 It listens on 127.0.0.1 alone, and a page of another origin reaches nothing.
 * W2 Whoever comes is told everything first, however late it is. What viewers say is not read.
 *
 * @module
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { checkSender, HEADERS } from '../viewer/front-door.ts'
import { RECENT } from './actor-book.ts'
import { BRIDGE_FILES, bridgePolicy } from './bridge-page.ts'
import { farewell } from './farewell.ts'
import type { Channel, Told } from './link.ts'
import { Outlet } from './outlet.ts'
import type { Packages } from './packages.ts'

/** Serves viewers. */
export class Relay implements Channel {
  readonly port: number
  readonly #server: Server
  readonly #sockets: InstanceType<Packages['WebSocketServer']>
  readonly #outlets = new Set<Outlet>()

  private constructor(server: Server, told: Told, packages: Packages) {
    this.#server = server
    this.port = (server.address() as AddressInfo).port
    // A viewer has nothing to say, so what it says may be short.
    this.#sockets = new packages.WebSocketServer({ noServer: true, maxPayload: 1024 })
    server.on('request', (request, response) => {
      this.#answer(request, response)
    })
    server.on('upgrade', (request, socket, head) => {
      if (this.#refusal(request) !== undefined) refuse(socket)
      else this.#sockets.handleUpgrade(request, socket, head, (client) => this.#join(client, told))
    })
  }

  /** @param port - 0 for a free one. @throws the system's error, such as EADDRINUSE. */
  static async open(port: number, told: Told, packages: Packages): Promise<Relay> {
    const server = createServer()
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return new Relay(server, told, packages)
  }

  send(text: string): void {
    for (const outlet of this.#outlets) outlet.send(text)
  }

  async close(): Promise<void> {
    const ended = new Promise<void>((resolve) => {
      this.#server.close(() => {
        resolve()
      })
    })
    await Promise.all(Array.from(this.#sockets.clients, farewell))
    this.#server.closeAllConnections()
    await ended
  }

  #join(client: InstanceType<Packages['WebSocket']>, told: Told): void {
    const outlet = new Outlet(client, () => told.greeting(RECENT))
    this.#outlets.add(outlet)
    client.on('error', () => {})
    client.on('close', () => {
      this.#outlets.delete(outlet)
    })
    outlet.greet()
  }

  #refusal(request: IncomingMessage): Error | undefined {
    try {
      checkSender(request, this.port)
      return undefined
    } catch (error) {
      return error as Error
    }
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const file = BRIDGE_FILES[request.url ?? '']
    const refused = this.#refusal(request) !== undefined
    if (refused || file === undefined || request.method !== 'GET') {
      response.writeHead(refused ? 403 : 404, HEADERS).end()
      return
    }
    response.writeHead(200, {
      ...HEADERS,
      'content-security-policy': bridgePolicy(this.port),
      'content-type': file.type,
    })
    response.end(file.body)
  }
}

const refuse = (socket: Duplex): void => {
  socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n')
}
