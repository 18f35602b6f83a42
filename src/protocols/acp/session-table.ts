/**
 * The sessions of one client: which are open, and how they are opened and ended.
 *
 * T1 A session is open here from the moment its agent is there; its id means nothing to this client before and after.
 * T2 The end comes once: everything is cancelled before anything is waited for, nothing is opened any more, then agents end
 *    with what lives in them, and what failed is told together.
 *
 * @module
 */
import { isAbsolute } from 'node:path'
import type { Agent } from '../../actors/agent-handle.ts'
import type { Registry, StartOptions } from '../../sessions/registry-port.ts'
import type { SessionStore } from '../../sessions/session-store.ts'
import type { AcpAgentOptions, AcpSession } from './acp-port.ts'
import { closing, invalidParams, noSession } from './fault.ts'
import { LiveSession, type SessionParts } from './live-session.ts'
import { withdrawAbandoned } from './slot-desk.ts'

/** What tables of one ACP agent share. */
export interface House {
  readonly registry: Registry
  readonly store: SessionStore | undefined
  readonly options: AcpAgentOptions
}

/** What a client says of a session that it wants. */
export interface Wanted {
  readonly cwd: string
  readonly mcpServers?: readonly unknown[] | null | undefined
}

type Start = Pick<StartOptions, 'agent' | 'setup' | 'signal'>

/** Knows the agent once it is made. */
class Made {
  private known: Agent | undefined

  readonly agent = (): Agent => {
    if (this.known === undefined) throw new Error('the agent is made of what is returned here')
    return this.known
  }

  readonly note = (agent: Agent): void => {
    this.known = agent
  }
}

/** The table of one client. */
export class SessionTable {
  readonly house: House
  private readonly live = new Map<string, LiveSession>()
  private readonly closing = new Map<string, Promise<void>>()
  private readonly opening = new Set<Promise<unknown>>()
  private readonly givenUp = new AbortController()
  private readonly unlisten: () => void
  private ended: Promise<void> | undefined

  constructor(house: House) {
    this.house = house
    this.unlisten = house.registry.listen((notice) => {
      if (notice.type !== 'agent/disposed') return
      const session = this.live.get(notice.id)
      if (session?.agent !== notice.agent) return
      this.live.delete(notice.id)
      session.end()
    })
  }

  find(id: string): LiveSession | undefined {
    return this.live.get(id)
  }

  /** @throws AcpFault for a session that this client has not opened. */
  get(id: string): LiveSession {
    const session = this.live.get(id)
    if (session === undefined) throw noSession(id)
    return session
  }

  /** Opens a new session. @throws AcpFault; what `prepare` and the registry throw. */
  async create(wanted: Wanted, parts: SessionParts): Promise<string> {
    const { registry } = this.house
    const session = await this.open(wanted, 'startup', async (start) =>
      this.seat(await registry.create({ ...start, cwd: wanted.cwd }), parts),
    )
    session.hold()
    return session.agent.id
  }

  /** Opens a stored session, or one that is open already. Resolves when its client was told what it asked for. */
  async load(id: string, wanted: Wanted, parts: SessionParts, replay: boolean): Promise<void> {
    // Who asks for a session that is on its way out gets it back.
    await this.closing.get(id)?.catch(() => {})
    const known = this.live.get(id)
    const session = known ?? (await this.resume(id, wanted, parts))
    await session.catchUp(replay)
  }

  private resume(id: string, wanted: Wanted, parts: SessionParts): Promise<LiveSession> {
    return this.open(wanted, 'resume', async (start) => {
      const agent = await this.house.registry.resume(id, { ...start, wake: false })
      withdrawAbandoned(agent)
      return this.seat(agent, parts)
    })
  }

  /** Whoever ends this table waits for what is being opened. */
  private async open(
    { cwd, mcpServers }: Wanted,
    how: AcpSession['how'],
    make: (start: Start) => Promise<LiveSession>,
  ): Promise<LiveSession> {
    if (this.ended !== undefined) throw closing()
    if (!isAbsolute(cwd)) throw invalidParams(`expected an absolute path as cwd, found ${cwd}`)
    const made = new Made()
    const { agent } = made
    const opening = (async () => {
      const { options } = this.house
      const prepared = await options.prepare({ cwd, mcpServers: mcpServers ?? [], how, agent })
      if (this.ended !== undefined) throw closing()
      return make({ agent: prepared, setup: made.note, signal: this.givenUp.signal })
    })()
    this.opening.add(opening)
    try {
      return await opening
    } finally {
      this.opening.delete(opening)
    }
  }

  private seat(agent: Agent, parts: SessionParts): LiveSession {
    const session = new LiveSession(agent, parts)
    this.live.set(agent.id, session)
    if (this.ended !== undefined) session.leave()
    return session
  }

  /** Ends one session: cancelled, told to the last, suspended. @throws what could not be written. */
  close(id: string): Promise<void> {
    const session = this.get(id)
    session.leave()
    this.live.delete(id)
    const closed = this.endOne(session).finally(() => this.closing.delete(id))
    this.closing.set(id, closed)
    return closed
  }

  private async endOne(session: LiveSession): Promise<void> {
    try {
      await session.agent.dispose({ keepInbox: true })
    } finally {
      await session.drained()
      session.end()
    }
  }

  /** Ends everything. @throws AggregateError (the promise rejects) of what failed. */
  end(): Promise<void> {
    if (this.ended === undefined) {
      for (const session of this.live.values()) session.leave()
      this.givenUp.abort(closing())
      this.ended = this.endAll()
    }
    return this.ended
  }

  private async endAll(): Promise<void> {
    await Promise.allSettled([...this.opening, ...this.closing.values()])
    const sessions = [...this.live.values()]
    const families = sessions.flatMap(({ agent }) => this.familyOf(agent))
    const ends = await Promise.allSettled(
      families.map((agent) => agent.dispose({ keepInbox: true })),
    )
    await Promise.all(sessions.map((session) => session.drained()))
    this.unlisten()
    const failures = ends.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    const different = [...new Set<unknown>(failures)]
    if (different.length === 0) return
    throw new AggregateError(
      different,
      `${different.length} of the sessions could not be ended in good order; the others were.`,
    )
  }

  /** An agent and everybody below it, the lowest first. */
  private familyOf(agent: Agent): Agent[] {
    const children = this.house.registry.childrenOf(agent.id)
    return [...children.flatMap((child) => this.familyOf(child)), agent]
  }
}
