/**
 * A way to a server that somebody else runs: a Unix socket, or a port of loopback.
 *
 * @module
 */
import { once } from 'node:events'
import { createConnection } from 'node:net'
import { TransportClosedError } from './client-errors.ts'
import type { Line } from './server-process.ts'

/** Where a server listens. */
export type ServerAddress =
  | { readonly path: string }
  | { readonly port: number; readonly host?: string }

/** Connects. @throws Error when nobody listens there. */
export async function connectServer(address: ServerAddress): Promise<Line> {
  const socket =
    'path' in address
      ? createConnection(address.path)
      : createConnection({ port: address.port, host: address.host ?? '127.0.0.1' })
  await once(socket, 'connect')
  socket.setNoDelay(true)
  const ended = (): Promise<TransportClosedError> => {
    socket.destroy()
    return Promise.resolve(new TransportClosedError('the connection to the server ended'))
  }
  return {
    streams: { input: socket, output: socket, ended },
    // The server belongs to somebody else: it is left running.
    end: () =>
      new Promise((resolve) => {
        if (socket.closed) {
          resolve()
          return
        }
        socket.once('close', () => resolve())
        socket.destroy()
      }),
  }
}
