/**
 * What a host is: the sessions of one service on one store, in memory only while there is something to do.
 *
 * @module
 */
import type { Agent, SendOptions } from '../../actors/agent-handle.ts'
import type { Diagnostic } from '../../actors/agent-options.ts'
import type { Clock } from '../../actors/clock.ts'
import type { TurnReason, MessageId, MessageInput } from '../../events/message.ts'
import type { AgentFactory, Registry } from '../registry-port.ts'
import type { SessionStore } from '../session-store.ts'
import type { CloseOptions, CloseReport, SignalOptions, SignalSource } from './closing-port.ts'
import type { HostMetrics } from './metrics-port.ts'

/** How much a tenant may have at a time. What is left out is unlimited. */
export interface TenantLimits {
  /** Sessions in memory. */
  readonly maxResident?: number
  /** Turns that are running. Those that wait for an approval do not count. */
  readonly maxRunning?: number
  /** Messages that no turn works on yet: on their way in, in the inboxes of sessions in memory, and of turns that wait. */
  readonly maxPending?: number
}

export interface HostOptions {
  readonly store: SessionStore
  /** Says what agents are made with. */
  readonly factory: AgentFactory
  /** What the first message to a session that is not stored does. Default `create`. */
  readonly unknown?: 'create' | 'refuse'
  /** See `RegistryOptions`. A session that does nothing but wait for an approval is evicted like an idle one then. */
  readonly keepApprovals?: boolean
  /** Ms after which an idle session leaves the memory; Infinity: never. Default 300 000. */
  readonly idleMs?: number
  /** Sessions in memory, of all tenants. Default 1000. Beyond it the one that was idle longest leaves. */
  readonly maxResident?: number
  /** Turns that run at a time, of all tenants. Default: no limit. */
  readonly maxRunning?: number
  /** Messages that no turn works on yet, of all tenants. Default 10 000. */
  readonly maxPending?: number
  /** Whose a session is. Default: everything belongs to one tenant. */
  readonly tenantOf?: (session: string) => string
  /** Asked once for a tenant, until none of its sessions is in memory. Default: no limits. */
  readonly tenantLimits?: TenantLimits | ((tenant: string) => TenantLimits)
  /** For idle times and bounds. Default: the clock of this machine. */
  readonly clock?: Clock
  /** Ms for the durations in the metrics. Default: `performance.now`. */
  readonly elapsed?: () => number
  /** Told of contained faults. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void
}

/** Where a session of a host stands. */
export interface HostedAt {
  readonly id: string
  readonly tenant: string
}

/** Why a session left the memory: `pressure` made room for another one, `lost` to another owner, `elsewhere` by hand. */
export type EvictionCause = 'idle' | 'pressure' | 'lost' | 'closing' | 'elsewhere'

/** What a host tells of. */
export type HostNotice =
  /** A session is in memory. `found`: it came into the registry by another door. */
  | ({ readonly type: 'opened'; readonly how: 'created' | 'resumed' | 'found' } & HostedAt)
  /** It no longer is. */
  | ({ readonly type: 'evicted'; readonly why: EvictionCause } & HostedAt)
  /** A turn waits because as many run as may. */
  | ({ readonly type: 'waiting' } & HostedAt)
  /** A turn has got its place. */
  | ({ readonly type: 'started' } & HostedAt)
  | ({ readonly type: 'ended'; readonly turn: number; readonly reason: TurnReason } & HostedAt)

/** How a session is entered. */
export interface EnterOptions {
  /** If the session has to be resumed: waking work that waits in it starts by itself. Default false. */
  readonly wake?: boolean
}

/** Does the service live? */
export interface HostHealth {
  readonly status: 'open' | 'closing' | 'closed'
  readonly resident: number
  readonly running: number
  readonly pending: number
  /** What was contained last, with the time of the clock. */
  readonly lastFault?: { readonly at: number; readonly message: string }
}

/** May the service be given work? */
export interface HostReadiness {
  readonly ready: boolean
  /** Why not: it is closing, has as much pending as it takes, or its store does not answer. */
  readonly reasons: readonly ('closing' | 'overloaded' | 'store')[]
}

/** The sessions of one service. */
export interface AgentHost {
  /**
   * For what takes a registry, such as children and protocols. What is created or resumed there belongs to the host as well:
   * it is counted, waits to run, and is evicted; only nobody asks whether there is room.
   */
  readonly registry: Registry
  /**
   * Sends a message to a session, which is resumed, or created, if it is not in memory.
   *
   * @returns the id of the message, once its insertion is durable: the receipt.
   * @throws TurnwiseError OVERLOADED, HOST_CLOSING, SESSION_NOT_FOUND with `unknown: 'refuse'`, SESSION_LIVE when another
   *   process owns it, INVALID_OPTION, INVALID_MESSAGE, DUPLICATE_ID; LEASE_LOST, LOG_CONFLICT or LOG_WRITE_FAILED when the
   *   message did not become durable.
   */
  send(session: string, message: MessageInput, options?: SendOptions): Promise<MessageId>
  /**
   * Uses the agent of a session. It stays in memory until what `use` returns has settled.
   *
   * @returns what `use` returns.
   * @throws TurnwiseError as `send`; what `use` throws.
   */
  with<T>(
    session: string,
    use: (agent: Agent) => T | PromiseLike<T>,
    options?: EnterOptions,
  ): Promise<T>
  /** Hears notices from now on. @returns ends it. */
  listen(listener: (notice: HostNotice) => void): () => void
  health(): HostHealth
  /** Asks the store for a sign of life, for a second at most. */
  readiness(): Promise<HostReadiness>
  metrics(): HostMetrics
  /**
   * Takes nothing more, lets what runs come to its end for `drainMs`, suspends what does not, writes everything, and ends.
   * Whatever waits is kept in the store. Later calls share the first one.
   */
  close(options?: CloseOptions): Promise<CloseReport>
  /** Closes at the first SIGTERM or SIGINT and exits; a second one exits at once. @returns takes the listeners off. */
  onSignals(source: SignalSource, options?: SignalOptions): () => void
  [Symbol.asyncDispose](): Promise<void>
}
