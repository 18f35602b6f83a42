/**
 * The inbox as a handle shows it: its lists, and edits that go through the mailbox.
 *
 * @module
 */
import type { ActorName, InboxList } from '../events/event.ts'
import type { Message, MessageId, MessageInput } from '../events/message.ts'
import type { InboxEntry } from '../projections/inbox.ts'
import type { EditAnswer, Inbox } from './agent-handle.ts'
import type { Core } from './core.ts'
import { clear, move, remove, replace, splice } from './inbox-desk.ts'

interface Options {
  readonly actor?: ActorName
}

/** What an edit needs of its agent. */
export interface EditHost {
  readonly core: Core
  /** Applies now, or queues inside a move. Throws when the agent is disposing. */
  apply<T>(command: () => T): T | 'queued'
  parse(message: MessageInput): Message
  actor(options: Options | undefined): ActorName
}

/** The inbox of an agent. */
export class InboxHandle implements Inbox {
  private readonly host: EditHost

  constructor(host: EditHost) {
    this.host = host
  }

  get nextTurn(): readonly InboxEntry[] {
    return this.host.core.state.inbox.nextTurn
  }

  get nextStep(): readonly InboxEntry[] {
    return this.host.core.state.inbox.nextStep
  }

  append(list: InboxList, message: MessageInput, options?: Options): EditAnswer {
    return this.splice(list, Infinity, 0, [message], options)
  }

  prepend(list: InboxList, message: MessageInput, options?: Options): EditAnswer {
    return this.splice(list, 0, 0, [message], options)
  }

  replace(id: MessageId, message: MessageInput, options?: Options): EditAnswer {
    const parsed = this.host.parse(message)
    const actor = this.host.actor(options)
    return this.host.apply(() => replace(this.host.core, id, parsed, actor))
  }

  remove(id: MessageId, options?: Options): EditAnswer {
    const actor = this.host.actor(options)
    return this.host.apply(() => remove(this.host.core, id, actor))
  }

  move(id: MessageId, to: InboxList, index = Infinity, options?: Options): EditAnswer {
    const actor = this.host.actor(options)
    return this.host.apply(() => move(this.host.core, id, to, index, actor))
  }

  clear(options?: Options): EditAnswer {
    const actor = this.host.actor(options)
    return this.host.apply(() => clear(this.host.core, actor))
  }

  splice(
    list: InboxList,
    start: number,
    deleteCount: number,
    messages: readonly MessageInput[] = [],
    options?: Options,
  ): EditAnswer {
    const parsed = messages.map((message) => this.host.parse(message))
    const actor = this.host.actor(options)
    return this.host.apply(() => splice(this.host.core, list, start, deleteCount, parsed, actor))
  }
}
