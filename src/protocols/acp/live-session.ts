/**
 * One session that a client has open: what happens in it goes to the client, what the client wants goes to its desk.
 *
 * @module
 */
import type { Agent } from '../../actors/agent-handle.ts'
import { doorOf } from '../../actors/service-door.ts'
import type { StoredEvent } from '../../events/event.ts'
import type { AcpAgentOptions } from './acp-port.ts'
import type { Client, Desk, DeskParts } from './desk.ts'
import { OutputQueue } from './output-queue.ts'
import { type AskClient, Permissions } from './permission.ts'
import { Teller, type Told } from './told.ts'

/** What sessions share. */
export interface SessionParts {
  readonly client: Client
  readonly options: AcpAgentOptions
  /** Resolves when the client is gone. */
  readonly gone: Promise<void>
  readonly desk: (parts: DeskParts) => Desk
  onFault(what: string, error: unknown): void
}

/** One session. */
export class LiveSession {
  readonly agent: Agent
  readonly desk: Desk
  private readonly parts: SessionParts
  private readonly queue: OutputQueue<Told>
  private readonly permissions: Permissions
  private readonly ends: (() => void)[] = []

  constructor(agent: Agent, parts: SessionParts) {
    this.agent = agent
    this.parts = parts
    const { options, client } = parts
    const sink = {
      send: (told: Told) => client.tell(agent.id, told),
      onFailed: (error: unknown) => {
        this.desk.outputFailed(error)
        parts.onFault(`output of session ${agent.id} failed`, error)
      },
    }
    this.queue = new OutputQueue(sink, parts.gone)
    const teller = this.teller()
    this.desk = parts.desk({ agent, queue: this.queue, teller, options })
    this.permissions = new Permissions(agent, this.ask, (error) =>
      parts.onFault(`an answer could not be recorded in session ${agent.id}`, error),
    )
    this.listen(teller)
  }

  readonly ask: AskClient = (question, signal) =>
    this.parts.client.ask(this.agent.id, question, signal)

  private teller(): Teller {
    const { show = {}, attachments } = this.parts.options
    return new Teller(show, attachments)
  }

  private listen(teller: Teller): void {
    const { agent, desk, permissions } = this
    const hear = (event: StoredEvent): void => {
      desk.see(event)
      permissions.see(event)
      const made = teller.read(event)
      if (made !== undefined) this.queue.put(made)
    }
    this.ends.push(
      agent.subscribe({ from: agent.log.length }, hear),
      agent.listen((notice) => {
        if (notice.type === 'status') desk.status(notice.status)
      }),
      doorOf(agent).endFirst(() => {
        desk.ending()
        return undefined
      }),
    )
    permissions.begin()
  }

  /** Nothing is told in this macrotask: the client hears of its session first. */
  hold(): void {
    this.queue.put(() => new Promise<[]>((resolve) => setImmediate(() => resolve([]))))
  }

  /** Tells what was said so far, on both sides, and where the session stands. Resolves when that was told. */
  catchUp(replay: boolean): Promise<void> {
    const { agent, queue, desk } = this
    const teller = this.teller()
    for (const event of replay ? agent.log.read() : []) {
      const made = teller.user(event) ?? teller.read(event)
      if (made !== undefined) queue.put(made)
    }
    queue.put(() => desk.snapshot())
    return queue.drained()
  }

  /** The client's cancel. */
  cancel(): void {
    this.desk.cancel()
  }

  /** The client goes: cancels what runs, in this very call. */
  leave(): void {
    this.desk.cancel()
    this.desk.ending()
    if (this.agent.status === 'running') this.agent.cancel('user', { actor: 'acp' })
  }

  drained(): Promise<void> {
    return this.queue.drained()
  }

  /** Nothing more is told or asked. */
  end(): void {
    this.permissions.end()
    for (const end of this.ends.splice(0)) end()
  }
}
