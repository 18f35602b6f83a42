/**
 * The JSON-RPC server: one registry, and the peers that drive it.
 *
 * V1 Its end comes once: every session is ended first, then what was asked is answered and written, then connections close.
 * V2 A peer that goes away takes nothing along; only one that owns the server ends it.
 *
 * @module
 */
import type { Socket } from 'node:net'
import { systemClock } from '../../actors/clock.ts'
import type { AgentOptions } from '../../actors/agent-options.ts'
import { memoryStore } from '../../sessions/memory-store.ts'
import { createRegistry } from '../../sessions/registry.ts'
import type { Registry } from '../../sessions/registry-port.ts'
import type { SessionStore } from '../../sessions/session-store.ts'
import { VERSION } from '../version.ts'
import { Connection } from './connection.ts'
import { errorLine } from './envelope.ts'
import { listenOn, type Listening, type Place } from './listen.ts'
import type { Service } from './method.ts'
import { errorBody, overloaded } from './rpc-error.ts'
import type {
  Asked,
  Input,
  JsonRpcServerOptions,
  Limits,
  Output,
  ServerSide,
  Terms,
} from './server-port.ts'
import { SessionDoor } from './session-door.ts'
import { MAX_LINE_BYTES } from './wire.ts'

/** What a server takes, unless it is told otherwise. */
export const LIMITS: Limits = {
  maxInFlight: 256,
  maxPending: 1000,
  maxSessions: 10_000,
  maxConnections: 64,
  maxLineBytes: MAX_LINE_BYTES,
  strangerMs: 10_000,
  flushMs: 5000,
}

/** Somebody to serve. */
export interface Peer {
  readonly input: Input
  readonly output: Output
  /** Default false. */
  readonly owns?: boolean
}

/** A running server. */
export interface JsonRpcServer {
  readonly registry: Registry
  /** Resolves when it has ended; rejects with what could not be written. */
  readonly ended: Promise<void>
  /**
   * Serves one more peer.
   *
   * @param peer - one that `owns` the server ends it with its input: every session is suspended, and told about to the last.
   * @returns resolves when that peer is gone.
   */
  connect(peer: Peer): Promise<void>
  /**
   * Serves whoever connects, to a Unix socket or to a port of loopback.
   *
   * @throws Error where that place cannot be had.
   */
  listen(place: Place): Promise<Listening>
  /** Ends everything now: agents are suspended and keep what waits. @throws what could not be written. */
  close(): Promise<void>
}

/** Makes a server that nobody is connected to yet. */
export const createJsonRpcServer = (options: JsonRpcServerOptions): JsonRpcServer =>
  new Server(options)

class Server implements JsonRpcServer, ServerSide {
  readonly registry: Registry
  readonly service: Service
  readonly serverInfo: ServerSide['serverInfo']
  readonly cwd: string
  readonly clock: ServerSide['clock']
  readonly limits: Limits
  readonly children: ServerSide['children']
  readonly ended: Promise<void>
  private readonly options: JsonRpcServerOptions
  private readonly connections = new Set<Connection>()
  private readonly listenings = new Set<Listening>()
  private settle = { resolve: (): void => {}, reject: (_error: unknown): void => {} }
  private finishing = false

  constructor(options: JsonRpcServerOptions) {
    this.options = options
    this.limits = { ...LIMITS, ...options.limits }
    this.clock = options.clock ?? systemClock
    this.service = this.serviceOf(options)
    this.registry = this.service.registry
    this.serverInfo = options.serverInfo ?? { name: 'turnwise', version: VERSION }
    this.cwd = options.cwd ?? process.cwd()
    this.children = options.children
    this.ended = new Promise((resolve, reject) => {
      this.settle = { resolve, reject }
    })
    // Whoever asked for the end is told how it went; `ended` may be looked at or not.
    this.ended.catch(() => {})
  }

  private serviceOf({ store, registry: given, hide }: JsonRpcServerOptions): Service {
    const own = given === undefined ? (store ?? memoryStore()) : store
    const registry = given ?? this.newRegistry(own)
    const door = new SessionDoor(registry, this.clock, this.limits.maxSessions)
    const { maxPending } = this.limits
    return { door, registry, store: own, hide: hide ?? ((text) => text), maxPending }
  }

  private newRegistry(store: SessionStore | undefined): Registry {
    return createRegistry({
      ...(store !== undefined && { store }),
      factory: () => ({}),
      onDiagnostic: ({ message, error }) => this.onDiagnostic(message, error),
    })
  }

  prepare(asked: Asked): AgentOptions | Promise<AgentOptions> {
    return this.options.prepare(asked)
  }

  onDiagnostic(message: string, error?: unknown): void {
    try {
      this.options.onDiagnostic?.(message, error)
    } catch {
      // Nobody is left to tell.
    }
  }

  async connect({ owns = false, ...peer }: Peer): Promise<void> {
    await this.serve(peer, {}, owns)
  }

  async listen(place: Place): Promise<Listening> {
    const listening = await listenOn(place, (socket, terms) => {
      socket.setNoDelay?.(true)
      void this.serve({ input: inputOf(socket), output: socket }, terms, false).finally(() =>
        socket.destroy(),
      )
    })
    this.listenings.add(listening)
    return listening
  }

  shutdown(keepInbox: boolean): Promise<void> {
    const over = this.service.door.shutdown(keepInbox)
    this.finishAfter(over)
    return over
  }

  close(): Promise<void> {
    this.finishAfter(this.service.door.suspend())
    return this.ended
  }

  /** Serves a peer until it is gone. */
  private async serve({ input, output }: Peer, terms: Terms, owns: boolean): Promise<void> {
    if (this.connections.size >= this.limits.maxConnections) {
      const many = overloaded(`expected at most ${this.limits.maxConnections} connections`)
      output.write(errorLine(null, errorBody(many)), () => output.end?.())
      return
    }
    const connection = new Connection(this, input, output, terms)
    this.connections.add(connection)
    await connection.over
    if (this.finishing) {
      // Its connection is finished with the others.
      await this.ended.catch(() => {})
      return
    }
    if (owns) {
      await this.close().catch(() => {})
      return
    }
    this.connections.delete(connection)
    await connection.finish()
  }

  private finishAfter(over: Promise<void>): void {
    if (this.finishing) return
    this.finishing = true
    const finish = (settle: () => void) => (): void => {
      // Everybody who asked for the end is answered in the microtasks before.
      setImmediate(() => void this.finish().then(settle))
    }
    over.then(finish(this.settle.resolve), (error: unknown) =>
      finish(() => this.settle.reject(error))(),
    )
  }

  private async finish(): Promise<void> {
    const listenings = [...this.listenings].map((listening) => listening.close())
    await Promise.allSettled([...this.connections].map((connection) => connection.finish()))
    await Promise.allSettled(listenings)
  }
}

/** The end of its input leaves a socket open for what is still to be said. */
const inputOf = (socket: Socket): Input => ({
  [Symbol.asyncIterator]: () => socket.iterator({ destroyOnReturn: false }),
  destroy: () => socket.destroy(),
})

/**
 * Serves one peer that owns the server, such as the process at the other end of standard input and output. The end of
 * its input suspends every session.
 *
 * @returns resolves when everything has ended and was written.
 * @throws what could not be written.
 */
export async function serveJsonRpc({
  input,
  output,
  ...options
}: JsonRpcServerOptions & { readonly input: Input; readonly output: Output }): Promise<void> {
  const server = createJsonRpcServer(options)
  await server.connect({ input, output, owns: true })
  await server.ended
}
