/**
 * Ends a connection: what was sent is written first, but nobody waits long for a viewer that does not read.
 *
 * @module
 */
import { once } from 'node:events'
import type { Packages } from './packages.ts'

/** Ms that a viewer gets to read and to say goodbye. */
const GOODBYE_MS = 1000

/** Resolves when the connection is over. */
export async function farewell(socket: InstanceType<Packages['WebSocket']>): Promise<void> {
  if (socket.readyState === socket.CLOSED) return
  const closed = once(socket, 'close')
  // A connection that never came is given up.
  if (socket.readyState === socket.CONNECTING) socket.terminate()
  else socket.close()
  const timer = setTimeout(() => {
    socket.terminate()
  }, GOODBYE_MS)
  await closed
  clearTimeout(timer)
}
