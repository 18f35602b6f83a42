/**
 * What the handler is given: the sessions, who may do what, and how much is taken.
 *
 * @module
 */
import type { AgentOptions } from '../../actors/agent-options.ts'
import type { Clock } from '../../actors/clock.ts'
import type { AgentHost } from '../../sessions/host/host-port.ts'
import type { Registry } from '../../sessions/registry-port.ts'

/** What a request wants to do. */
export type HttpAction = 'send' | 'cancel' | 'approve' | 'read'

/** What is asked of the hook. */
export interface HttpAsked {
  readonly request: Request
  readonly sessionId: string
  readonly action: HttpAction
}

/** Who asks. The name is recorded as the actor of what is done. */
export interface HttpCaller {
  readonly actor: string
}

export interface HttpOptions {
  /** The sessions. Not beside `host`. */
  readonly registry?: Registry
  /**
   * A host of sessions, instead of a registry: messages are admitted like those of anybody else, within its limits, and it
   * says whether an unknown session is made.
   */
  readonly host?: Pick<AgentHost, 'registry' | 'with'>
  /**
   * Says who asks, or that nobody may: null is 401, a `Response` is sent as it is, a throw is 500. There is no default:
   * whoever wants to let everybody in has to write so.
   */
  readonly authenticate: (
    asked: HttpAsked,
  ) => HttpCaller | Response | null | Promise<HttpCaller | Response | null>
  /** Options for the agent of a session that is made or resumed for a request. Default: those of the factory. */
  readonly agent?: (asked: HttpAsked) => AgentOptions
  /** Makes a session that does not exist for a message. Default true; where there is a host, it decides. */
  readonly create?: boolean
  /** Path in front of `/sessions`. Default none. */
  readonly basePath?: string
  /** Bytes of the longest body. Default 1 MiB. */
  readonly maxBodyBytes?: number
  /** Streams that are open at once. Default 1000. */
  readonly maxStreams?: number
  /** Sessions that live at once. Default 10,000. */
  readonly maxSessions?: number
  /** Messages that may be pending in one session. Default 1000. */
  readonly maxPending?: number
  /** Ms of silence after which a comment keeps a stream open. Default 15,000. */
  readonly heartbeatMs?: number
  readonly clock?: Clock
  /** Told of faults that are not the client's. Default: the diagnostics are dropped. */
  readonly onError?: (error: unknown) => void
}

/** Answers requests; never rejects. */
export type HttpHandler = (request: Request) => Promise<Response>
