/**
 * What one connection is told of the sessions: their events, their statuses, and the children among them.
 *
 * F1 Every durable event of a session is told once and in order, from its creation on, or from where it was asked for.
 * F2 A session is told about before anything in it happens: it is joined while its creation is announced.
 *
 * @module
 */
import type { Agent } from '../../actors/agent-handle.ts'
import { TurnwiseError } from '../../errors.ts'
import type { Registry, RegistryNotice } from '../../sessions/registry-port.ts'
import { notificationLine } from './envelope.ts'
import type { Outbox } from './outbox.ts'
import type { Children } from '../../sessions/children/child-port.ts'

/** Tells of children that ran in this process and have come to rest, as the service for children does. */
export type ChildRuns = Pick<Children, 'onFinished'>

/** What is told about one session. */
interface Told {
  readonly agent: Agent
  /** Ends the events. */
  leave: () => void
  /** Ends the statuses. */
  readonly mute: () => void
}

/** The notifications of one connection. */
export class Feed {
  private readonly registry: Registry
  private readonly outbox: Outbox
  private readonly children: ChildRuns | undefined
  private readonly told = new Map<string, Told>()
  private readonly ends: (() => void)[] = []
  /** Are new sessions joined by themselves? */
  private all = false

  constructor(registry: Registry, outbox: Outbox, children?: ChildRuns) {
    this.registry = registry
    this.outbox = outbox
    this.children = children
  }

  /** Begins, or changes which sessions are told about. What lives already is told about from now on. */
  start(all: boolean): void {
    this.all = all
    if (this.ends.length === 0) this.listen()
    if (!all) return
    for (const agent of this.registry.list())
      if (!this.told.has(agent.id)) this.join(agent, agent.log.length)
  }

  stop(): void {
    for (const end of this.ends.splice(0)) end()
    for (const id of this.told.keys()) this.leave(id)
  }

  /** Tells the events of a session again, from `from`. @returns the seq behind the last one. @throws TurnwiseError */
  subscribe(agent: Agent, from: number): number {
    if (from > agent.log.length) throw beyond(agent, from)
    const known = this.told.get(agent.id)
    const leave = this.eventsOf(agent, from)
    if (known === undefined) this.told.set(agent.id, { agent, leave, mute: this.statusOf(agent) })
    else {
      known.leave()
      known.leave = leave
    }
    return agent.log.length
  }

  leave(id: string): void {
    const known = this.told.get(id)
    this.told.delete(id)
    known?.leave()
    known?.mute()
  }

  private listen(): void {
    this.ends.push(this.registry.listen((notice) => this.hear(notice)))
    const { children, outbox } = this
    if (children === undefined) return
    this.ends.push(
      children.onFinished((report) => {
        outbox.line(notificationLine('child.finished', report))
      }),
    )
  }

  private hear(notice: RegistryNotice): void {
    if (notice.type === 'session/created') this.hearCreated(notice.agent)
    if (notice.type === 'session/disposed' && this.told.get(notice.id)?.agent === notice.agent)
      this.leave(notice.id)
  }

  private hearCreated(agent: Agent): void {
    const opened = openedAt(agent)
    const { id, parent: recorded, depth } = agent.log.header
    const owner = this.registry.ownerOf(id)
    // A stored session, such as a fork, is a child only while it works for somebody.
    const parent = owner?.id ?? (opened === 0 ? recorded : undefined)
    if (parent !== undefined)
      this.outbox.line(
        notificationLine('child.started', { parent, child: id, depth: depth ?? this.depthOf(id) }),
      )
    if (this.all) this.join(agent, opened)
  }

  private depthOf(id: string): number {
    const owner = this.registry.ownerOf(id)
    return owner === undefined ? 0 : 1 + (owner.log.header.depth ?? this.depthOf(owner.id))
  }

  private join(agent: Agent, from: number): void {
    this.told.set(agent.id, {
      agent,
      leave: this.eventsOf(agent, from),
      mute: this.statusOf(agent),
    })
  }

  private eventsOf(agent: Agent, from: number): () => void {
    const { outbox } = this
    const { id, log } = agent
    return agent.subscribe({ from }, ({ seq }) => {
      outbox.event(id, log, seq)
    })
  }

  private statusOf(agent: Agent): () => void {
    return agent.listen((notice) => {
      if (notice.type === 'status') this.outbox.status(agent.id, notice.status)
    })
  }
}

/** Seq at which this process began with the session: 0 for a new one. */
function openedAt({ log }: Agent): number {
  for (let seq = log.length - 1; seq >= 0; seq -= 1)
    if (log.at(seq)?.type === 'session/opened') return seq
  return 0
}

const beyond = ({ id, log }: Agent, from: number): TurnwiseError =>
  new TurnwiseError(
    'INVALID_OPTION',
    `expected a position of session ${id}, from 0 to ${log.length}, found ${from}; nothing was told.`,
  )
