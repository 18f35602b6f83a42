/**
 * What a registry is: the sessions that live in this process, and how they come and go.
 *
 * @module
 */
import type { Agent } from '../actors/agent-handle.ts'
import type { AgentOptions, Diagnostic } from '../actors/agent-options.ts'
import type { LogHeader } from '../events/event.ts'
import type { ForkOptions } from './fork.ts'
import type { SessionStore } from './session-store.ts'

/** For what an agent is being made. */
export interface FactoryInput {
  readonly id: string
  readonly header: LogHeader
  readonly how: 'startup' | 'resume'
  /** Aborts when the creation is given up. */
  readonly signal: AbortSignal
}

/** Says what an agent is made with: its model, tools, gates and policies. */
export type AgentFactory = (input: FactoryInput) => AgentOptions | Promise<AgentOptions>

/** A factory that was set. */
export interface FactoryHandle {
  readonly active: boolean
  /**
   * Ends the factory: creations under way are rolled back, its agents are suspended, and only then it is gone.
   *
   * @throws what an agent could not write.
   */
  tearDown(): Promise<void>
}

/** What creating and resuming have in common. */
export interface StartOptions {
  /** Options of this agent; they win over those of the factory. */
  readonly agent?: AgentOptions
  /** Prepares the agent before anybody hears of it. A rejection rolls everything back. */
  readonly setup?: (agent: Agent, signal: AbortSignal) => unknown
  /** Gives the creation up. It stops mattering once the handle is returned. */
  readonly signal?: AbortSignal
  /** What the agent belongs to and ends with. Default: the agent in whose gate or tool this is called. */
  readonly owner?: Agent | OwnerScope
}

export interface CreateOptions extends StartOptions {
  /** Default: a random one. */
  readonly id?: string
  readonly cwd?: string
}

export interface ResumeOptions extends StartOptions {
  /** Pending waking work starts by itself. Default false: it is parked until the next wake. */
  readonly wake?: boolean
}

/** An owner that is no agent, such as a plugin or a connection. */
export interface OwnerScope {
  readonly name: string
  /** Creates a session that belongs to this scope. */
  create(options?: CreateOptions): Promise<Agent>
  /** Resumes a session on behalf of this scope. */
  resume(id: string, options?: ResumeOptions): Promise<Agent>
  /** Rolls back what is being created on its behalf, suspends what belongs to it, and then takes no more. */
  unload(): Promise<void>
}

/** An agent that is started with the registry. */
export interface ConfiguredAgent extends StartOptions {
  /** Names the entry, also where its start fails. */
  readonly id: string
  /** This very session: resumed if it is stored, created if not. Default: a new one each time. */
  readonly sessionId?: string
  /** This very session, which must be stored. Instead of `sessionId`. */
  readonly resumeSessionId?: string
  readonly wake?: boolean
}

/** What a registry announces. */
export type RegistryNotice =
  | {
      readonly type: 'session/created' | 'agent/created' | 'agent/disposed' | 'session/disposed'
      readonly id: string
      readonly agent: Agent
    }
  | {
      readonly type: 'session-start'
      readonly id: string
      readonly agent: Agent
      readonly how: 'startup' | 'resume'
    }
  /** A configured agent could not be started. */
  | { readonly type: 'start-failed'; readonly id: string; readonly error: unknown }

/**
 * Hears announcements. A synchronous throw at `agent/created` vetoes the publication; any other throw or rejection is
 * contained. What is returned for `session-start` is awaited before the handle is given out.
 */
export type RegistryListener = (notice: RegistryNotice) => unknown

export interface RegistryOptions {
  /** Where sessions are kept. Without one they live in memory, and nothing can be resumed or forked. */
  readonly store?: SessionStore
  readonly factory?: AgentFactory
  readonly agents?: readonly ConfiguredAgent[]
  /**
   * A turn that waits for an approval outlives its process: what suspends its agent leaves it open, and resuming the session
   * takes it over. Default false: the question is closed as cancelled.
   */
  readonly keepApprovals?: boolean
  /** ms since the epoch. Default: the clock of this machine. */
  readonly now?: () => number
  /** Makes ids of sessions. Default: random UUIDs. */
  readonly ids?: () => string
  /** Told of contained faults. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void
}

/** The sessions that live in this process. */
export interface Registry {
  /** @throws TurnwiseError FACTORY_ALREADY_SET */
  setFactory(factory: AgentFactory): FactoryHandle
  /**
   * Creates a session with its agent, as one transaction.
   *
   * @throws TurnwiseError SESSION_ALREADY_EXISTS, NO_FACTORY, FACTORY_INACTIVE, INVALID_OPTION; what `setup` throws; the
   *   reason of `signal`. Nothing of it is left then.
   */
  create(options?: CreateOptions): Promise<Agent>
  /**
   * Opens a stored session, repairs what a crash left open, and makes its agent.
   *
   * @throws TurnwiseError SESSION_LIVE, SESSION_NOT_FOUND, NO_PERSISTENCE, NO_FACTORY, FACTORY_INACTIVE; LogCorruptError.
   */
  resume(id: string, options?: ResumeOptions): Promise<Agent>
  /**
   * Copies a session, live or stored, into a new stored one; resume it to work on it.
   *
   * @returns the header of the new session.
   * @throws TurnwiseError SESSION_ALREADY_EXISTS, SESSION_NOT_FOUND, SESSION_NOT_LIVE, INVALID_BOUNDARY, OPEN_TURN, in this
   *   order; NO_PERSISTENCE without a store.
   */
  fork(id: string, options?: ForkOptions): Promise<LogHeader>
  /**
   * Lists an agent that was made elsewhere, until it is disposed.
   *
   * @returns takes it off the list; an agent that came after it under the same id stays.
   * @throws TurnwiseError SESSION_ALREADY_EXISTS; what a listener of `agent/created` throws.
   */
  register(agent: Agent, options?: { readonly owner?: Agent | OwnerScope }): () => void
  /**
   * Makes an agent belong to `to` instead of to the agent it belongs to; by default to nobody but the registry, so that it
   * outlives its parent. The parent in its header stays.
   *
   * @throws TurnwiseError SESSION_NOT_LIVE for an agent, or an owner, that does not live here; INVALID_OPTION for an owner that
   *   belongs to the agent; AGENT_DISPOSED or FACTORY_INACTIVE for one that has ended.
   */
  handOver(agent: Agent, to?: Agent | OwnerScope): void
  get(id: string): Agent | undefined
  /** Live agents, oldest first. */
  list(): readonly Agent[]
  /** Live agents that belong to no other agent. */
  roots(): readonly Agent[]
  /** The live agent that `id` belongs to. */
  ownerOf(id: string): Agent | undefined
  /** Live agents that belong to `id`. */
  childrenOf(id: string): readonly Agent[]
  /** An owner that is no agent. */
  scope(name?: string): OwnerScope
  /**
   * Hears announcements from now on.
   *
   * @param of - only those about this agent; the listener then goes with it.
   * @returns ends it.
   */
  listen(listener: RegistryListener, of?: Agent): () => void
  /** Starts the configured agents, in order. A failure is announced; it never rejects. */
  start(): Promise<void>
  /** Suspends everything: pending input stays in the store. Nothing can be created afterwards. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}
