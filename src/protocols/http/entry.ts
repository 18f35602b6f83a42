/**
 * Finds the agent of the session that a request names: the living one, or that of the stored session, resumed and parked.
 *
 * @module
 */
import type { Agent } from '../../actors/agent-handle.ts'
import { systemClock } from '../../actors/clock.ts'
import { TurnwiseError } from '../../errors.ts'
import type { Registry } from '../../sessions/registry-port.ts'
import { type Making, SessionDoor } from '../json-rpc/session-door.ts'
import type { HttpOptions } from './options.ts'

/** What is done with an agent, in the tick in which it is found. */
type Use<T> = (agent: Agent) => T

export class Entry {
  /** For what asks for a living session only. */
  readonly door: SessionDoor
  private readonly options: HttpOptions
  private readonly registry: Registry

  constructor(options: HttpOptions) {
    const { clock = systemClock, maxSessions = 10_000 } = options
    const registry = registryOf(options)
    this.options = options
    this.registry = registry
    this.door = new SessionDoor(registry, clock, maxSessions)
  }

  /** The agent for a message; its session is made if need be and allowed. @throws TurnwiseError */
  async admit<T>(id: string, making: Making, use: Use<T>): Promise<T> {
    const { host, create } = this.options
    if (host !== undefined) return host.with(id, use)
    if (create === false) return this.find(id, making, use)
    try {
      return await this.door.admit(id, making, use)
    } catch (error) {
      // An agent that somebody disposed of, such as an idle one, does not end its session.
      if (codeOf(error) !== 'AGENT_DISPOSED' || this.isLive(id)) throw error
      return this.resume(id, making, use)
    }
  }

  /** The agent of a session that there is. @throws TurnwiseError */
  async find<T>(id: string, making: Making, use: Use<T>): Promise<T> {
    return this.isLive(id) ? this.door.live(id, use) : this.resume(id, making, use)
  }

  private async resume<T>(id: string, making: Making, use: Use<T>): Promise<T> {
    try {
      return await this.door.resume(id, false, making, use)
    } catch (error) {
      // Somebody else was as fast.
      if (codeOf(error) === 'SESSION_LIVE' && this.isLive(id)) return this.door.live(id, use)
      throw codeOf(error) === 'NO_PERSISTENCE' ? notFound(id) : error
    }
  }

  private isLive(id: string): boolean {
    return this.registry.get(id) !== undefined
  }
}

/** @throws TurnwiseError INVALID_OPTION unless there is exactly one place where sessions live. */
function registryOf({ registry, host }: HttpOptions): Registry {
  const found = registry ?? host?.registry
  if (found !== undefined && (registry === undefined || host === undefined)) return found
  throw new TurnwiseError(
    'INVALID_OPTION',
    `expected either a registry or a host, found ${found === undefined ? 'neither' : 'both'}; no handler was made.`,
  )
}

const codeOf = (error: unknown): string => (error instanceof TurnwiseError ? error.code : '')

const notFound = (id: string): TurnwiseError =>
  new TurnwiseError('SESSION_NOT_FOUND', `expected a session ${id}, found none; nothing was done.`)
