/**
 * The viewer: a page on loopback that shows agents and logs, and what it asks for.
 *
 * V1 It listens on 127.0.0.1 alone, and answers nobody but its own page (`front-door.ts`).
 * V2 It changes nothing unless `control` is given, and then only for who has the token.
 * V3 Whatever agents, logs or readers do, it goes on, and nothing of it reaches an agent.
 *
 * @module
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Agent } from '../../actors/agent-handle.ts'
import { ViewerRoutes } from './routes.ts'
import { SourceList, type Agents } from './source-list.ts'
import { builtPage } from './page-files.ts'

export type { Agents } from './source-list.ts'

/** What a viewer is opened with. */
export interface ViewerOptions {
  /** Living agents; a function is asked at each look. Default: none. */
  readonly agents?: Agents
  /** Log files, or folders of them. They are followed while they grow. Default: none. */
  readonly logs?: readonly string[]
  /** Default 0: a free one. */
  readonly port?: number
  /** May living agents be commanded from the page? Default false. */
  readonly control?: boolean
  /**
   * With `control`: makes an agent live that goes on with the log in `file`, once a command is sent to it. It is asked once
   * for each file, and whoever gave it disposes the agent. Default: a log in a file is only shown.
   */
  readonly revive?: (file: string) => Promise<Agent>
  /** Folder of the built page; default: the one that comes with the package. */
  readonly page?: string
}

/** An open viewer. */
export interface Viewer {
  /** Where a browser finds it; with `control` it carries the token, behind `#`, which no server is told. */
  readonly url: string
  readonly port: number
  /** Only with `control`: whoever has it may command the agents. */
  readonly token?: string
  /** Ends every connection. Resolves when nothing of it is left; may be called twice. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Opens a viewer.
 *
 * Whoever can open connections on this machine can read what it shows.
 *
 * @throws the system's error, such as EADDRINUSE, if the port cannot be had.
 */
export async function serveViewer(options: ViewerOptions = {}): Promise<Viewer> {
  const { agents = [], logs = [], page = builtPage(), revive } = options
  const token = options.control === true ? randomBytes(24).toString('base64url') : undefined
  const server = createServer()
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const list = new SourceList(agents, logs, token === undefined ? undefined : revive)
  const routes = new ViewerRoutes({ list, page, port, token })
  server.on('request', (request, response) => {
    void routes.answer(request, response)
  })
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => (closing ??= ended(server).then(() => routes.quiet()))
  return {
    port,
    ...addressOf(port, token),
    close,
    [Symbol.asyncDispose]: close,
  }
}

function addressOf(port: number, token: string | undefined): Pick<Viewer, 'url' | 'token'> {
  const url = `http://127.0.0.1:${port}/`
  return token === undefined ? { url } : { url: `${url}#token=${token}`, token }
}

const ended = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => {
      resolve()
    })
    server.closeAllConnections()
  })
