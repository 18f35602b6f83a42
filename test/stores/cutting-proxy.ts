/**
 * A TCP proxy on the loopback interface that cuts a connection in the middle of an append.
 *
 * @module
 */
import { connect, createServer } from 'node:net'
import type { Server, Socket } from 'node:net'
import type { CutAt } from '../../src/testing/log-contract.ts'

/** Execution of the statement of appends: its name stands in the message that binds its parameters. */
const APPEND = Buffer.from('turnwise-commit\0')

/** A proxy in front of a server on `port`. */
export class CuttingProxy {
  port = 0
  /** How often it has cut. */
  cuts = 0
  private readonly target: number
  private readonly server: Server
  private readonly sockets = new Set<Socket>()
  private next: CutAt | undefined

  constructor(target: number) {
    this.target = target
    this.server = createServer((client) => {
      this.join(client)
    })
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.server.listen(0, '127.0.0.1', resolve)
    })
    this.port = (this.server.address() as { port: number }).port
  }

  /** Cuts once, at the next append: before its request gets through, or before its answer does. */
  cut(at: CutAt): void {
    this.next = at
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy()
    await new Promise((resolve) => this.server.close(resolve))
  }

  private join(client: Socket): void {
    const server = connect(this.target, '127.0.0.1')
    let dropAnswer = false
    for (const socket of [client, server]) {
      this.sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        this.sockets.delete(socket)
        client.destroy()
        server.destroy()
      })
    }
    client.on('data', (data) => {
      if (this.next !== undefined && data.includes(APPEND)) {
        const at = this.next
        this.next = undefined
        this.cuts++
        if (at === 'request') {
          client.destroy()
          return
        }
        dropAnswer = true
      }
      server.write(data)
    })
    server.on('data', (data) => {
      // The server answers once the transaction is over.
      if (dropAnswer) client.destroy()
      else client.write(data)
    })
  }
}
