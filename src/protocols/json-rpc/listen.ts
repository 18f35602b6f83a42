/**
 * Where peers connect: a Unix socket that only its owner may open, or a port of loopback behind a token.
 *
 * @module
 */
import { chmod, lstat, mkdtemp, rename, rm, unlink } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { TurnwiseError } from '../../errors.ts'
import type { Terms } from './server-port.ts'

/** A place to listen at. */
export type Place =
  /** A Unix socket; its file gets mode 0600. */
  | { readonly path: string }
  /** A port of 127.0.0.1, 0 for any. `token` must be shown in `initialize`; at least 16 characters. */
  | { readonly port: number; readonly token: string }

/** A place that is listened at. */
export interface Listening {
  /** The port, where it is one. */
  readonly port?: number
  /** Lets nobody in any more. */
  close(): Promise<void>
}

type Serve = (socket: Socket, terms: Terms) => void

/** @throws TurnwiseError INVALID_OPTION for a short token or a long path; Error where the place cannot be had. */
export function listenOn(place: Place, serve: Serve): Promise<Listening> {
  return 'path' in place ? listenPath(place.path, serve) : listenPort(place, serve)
}

const MIN_TOKEN = 16

async function listenPort(
  { port, token }: { readonly port: number; readonly token: string },
  serve: Serve,
): Promise<Listening> {
  if (token.length < MIN_TOKEN)
    throw new TurnwiseError(
      'INVALID_OPTION',
      `expected a token of at least ${MIN_TOKEN} characters, found ${token.length}; nothing was opened.`,
    )
  const server = createServer(HALF_OPEN, (socket) => serve(contained(socket), { token }))
  await listening(server, () => server.listen({ host: '127.0.0.1', port, exclusive: true }))
  const address = server.address()
  const bound = typeof address === 'object' && address !== null ? address.port : port
  return { port: bound, close: () => closed(server) }
}

/** What every kernel can connect to; a longer name would be a socket that nobody reaches. */
const MAX_PATH_BYTES = 103

/** It appears at its place with its mode: made in a private folder, then moved. */
async function listenPath(path: string, serve: Serve): Promise<Listening> {
  if (Buffer.byteLength(path) > MAX_PATH_BYTES)
    throw new TurnwiseError(
      'INVALID_OPTION',
      `expected a path of a socket of at most ${MAX_PATH_BYTES} bytes, found ${Buffer.byteLength(path)}; nothing was opened.`,
    )
  await makeRoom(path)
  const folder = await mkdtemp(join(dirname(path), '.tw-'))
  const server = createServer(HALF_OPEN, (socket) => serve(contained(socket), {}))
  try {
    const made = join(folder, 's')
    await listening(server, () => server.listen(made))
    await chmod(made, 0o600)
    await rename(made, path)
  } catch (error) {
    server.close()
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  const close = async (): Promise<void> => {
    await unlink(path).catch(() => {})
    await closed(server)
  }
  return { close }
}

/** A peer that says nothing more still hears what it has asked for. */
const HALF_OPEN = { allowHalfOpen: true }

/** A socket that a dead process left behind is replaced; nothing else is. @throws Error */
async function makeRoom(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined)
  if (found === undefined) return
  const inUse = (what: string): Error =>
    new Error(`expected no file at ${path}, found ${what}; nothing was opened`)
  if (!found.isSocket()) throw inUse('one that is no socket')
  if (await answers(path)) throw inUse('a socket that somebody listens at')
}

const answers = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(path)
    const over = (alive: boolean) => (): void => {
      socket.destroy()
      resolve(alive)
    }
    socket.once('connect', over(true)).once('error', over(false))
  })

const listening = (server: Server, listen: () => void): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject).once('listening', () => {
      server.off('error', reject)
      // A failing accept, as when files run out, concerns nobody who is connected.
      server.on('error', () => {})
      resolve()
    })
    listen()
  })

/** A peer that resets its connection is a peer that is gone. */
const contained = (socket: Socket): Socket => socket.on('error', () => {})

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
  })
