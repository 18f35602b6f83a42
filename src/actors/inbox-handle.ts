/**
 * The inbox as a handle shows it: its lists, and edits that go through the mailbox.
 *
 * @module
 */
import type { ActorName, InboxList } from '../events/event.ts'
import type { MessageId, MessageInput } from '../events/message.ts'
import type { InboxEntry } from '../projections/inbox.ts'
import type { EditAnswer, Inbox } from './agent-handle.ts'
import { type Commands, USER } from './commands.ts'
import type { Core } from './core.ts'
import { clear, move, remove, replace, splice } from './inbox-desk.ts'

interface Options {
  readonly actor?: ActorName
}

/** The inbox of an agent. */
export class InboxHandle implements Inbox {
  private readonly core: Core
  private readonly commands: Commands

  constructor(core: Core, commands: Commands) {
    this.core = core
    this.commands = commands
  }

  get nextTurn(): readonly InboxEntry[] {
    return this.core.state.inbox.nextTurn
  }

  get nextStep(): readonly InboxEntry[] {
    return this.core.state.inbox.nextStep
  }

  append(list: InboxList, message: MessageInput, options?: Options): EditAnswer {
    return this.splice(list, Infinity, 0, [message], options)
  }

  prepend(list: InboxList, message: MessageInput, options?: Options): EditAnswer {
    return this.splice(list, 0, 0, [message], options)
  }

  replace(id: MessageId, message: MessageInput, options?: Options): EditAnswer {
    const parsed = this.commands.parse(message, USER)
    const actor = this.commands.actor(options)
    return this.commands.apply(() => replace(this.core, id, parsed, actor))
  }

  remove(id: MessageId, options?: Options): EditAnswer {
    const actor = this.commands.actor(options)
    return this.commands.apply(() => remove(this.core, id, actor))
  }

  move(id: MessageId, to: InboxList, index = Infinity, options?: Options): EditAnswer {
    const actor = this.commands.actor(options)
    return this.commands.apply(() => move(this.core, id, to, index, actor))
  }

  clear(options?: Options): EditAnswer {
    const actor = this.commands.actor(options)
    return this.commands.apply(() => clear(this.core, actor))
  }

  splice(
    list: InboxList,
    start: number,
    deleteCount: number,
    messages: readonly MessageInput[] = [],
    options?: Options,
  ): EditAnswer {
    const parsed = messages.map((message) => this.commands.parse(message, USER))
    const actor = this.commands.actor(options)
    return this.commands.apply(() => splice(this.core, list, start, deleteCount, parsed, actor))
  }
}
