/**
 * What a server is made with, and what its connections need of it.
 *
 * @module
 */
import type { AgentOptions } from '../../actors/agent-options.ts'
import type { Clock } from '../../actors/clock.ts'
import type { Registry } from '../../sessions/registry-port.ts'
import type { SessionStore } from '../../sessions/session-store.ts'
import type { ChildRuns } from './feed.ts'
import type { LineOutput } from './outbox.ts'
import type { Service } from './method.ts'

/** What `initialize` asked for; `cwd` is absolute. */
export interface Asked {
  readonly cwd: string
  readonly provider: string
  readonly model: string
  readonly maxTokens?: number
}

/** Where lines come from, such as a Node stream. */
export type Input = AsyncIterable<Uint8Array | string> & {
  /** Ends it. */
  destroy?(): unknown
}

/** Where lines go, such as a Node stream. */
export interface Output extends LineOutput {
  on?(event: 'error', listener: (error: Error) => void): unknown
  /** Says that nothing comes any more. */
  end?(): unknown
}

/** On what terms a peer is let in. */
export interface Terms {
  /** Must be shown in `initialize`; a line that is not JSON then ends the connection. Default: none is needed. */
  readonly token?: string
}

/** How much a server takes. What is beyond it is answered with OVERLOADED. */
export interface Limits {
  /** Unanswered requests of one connection. Default 256. */
  readonly maxInFlight: number
  /** Messages that wait in one session. Default 1000. */
  readonly maxPending: number
  /** Live sessions, beyond which none is created. Default 10 000. */
  readonly maxSessions: number
  /** Open connections. Default 64. */
  readonly maxConnections: number
  /** Longest line in bytes. Default 16 MiB. */
  readonly maxLineBytes: number
  /** Ms in which a token must be shown. Default 10 000. */
  readonly strangerMs: number
  /** Ms that a peer gets to read what waits for it when its connection ends. Default 5000. */
  readonly flushMs: number
}

export interface JsonRpcServerOptions {
  /**
   * Loads what agents are made with. Awaited by `initialize`, which is refused with whatever this throws: a TurnwiseError
   * or a {@link JsonRpcFailure} with its code, such as UNKNOWN_PROVIDER.
   */
  readonly prepare: (asked: Asked) => AgentOptions | Promise<AgentOptions>
  /** Where the sessions live; the server ends it. Default: a new one on `store`. */
  readonly registry?: Registry
  /** Where sessions are kept, and stored ones are read from. Default: in memory, unless a registry is given. */
  readonly store?: SessionStore
  /** Default: this library and its version. */
  readonly serverInfo?: { readonly name: string; readonly version: string }
  /** What a relative `cwd` is relative to. Default: the folder of this process. */
  readonly cwd?: string
  readonly clock?: Clock
  readonly limits?: Partial<Limits>
  /** The service for children of this registry, which `child.finished` is told from. Default: it is not told. */
  readonly children?: ChildRuns
  /** Changes the texts of messages before anything else sees them, such as to hide secrets. */
  readonly hide?: (text: string) => string
  /** Told of what was passed over or contained. */
  readonly onDiagnostic?: (message: string, error?: unknown) => void
}

/** What connections need of their server. */
export interface ServerSide {
  readonly service: Service
  readonly serverInfo: { readonly name: string; readonly version: string }
  readonly cwd: string
  readonly clock: Clock
  readonly limits: Limits
  readonly children: ChildRuns | undefined
  /** Tells nobody, if nobody wants to hear. */
  onDiagnostic(message: string, error?: unknown): void
  prepare(asked: Asked): AgentOptions | Promise<AgentOptions>
  /** Ends all sessions and then the server. @throws what could not be written. */
  shutdown(keepInbox: boolean): Promise<void>
}
