/**
 * Methods that edit what waits in a session. Insertions by edit do not wake.
 *
 * @module
 */
import { randomUUID } from 'node:crypto'
import type { Agent, EditAnswer } from '../../actors/agent-handle.ts'
import { asInteger, asName, asWord } from '../../events/shape.ts'
import type { InboxList } from '../../events/event.ts'
import type { MessageInput } from '../../events/message.ts'
import type { Given } from './given.ts'
import {
  actorOf,
  asContent,
  hidden,
  type Method,
  type MethodsOf,
  naming,
  sessionOf,
} from './method.ts'
import type { ParamsOf } from './wire.ts'

const asInboxList = (value: unknown, path: string): InboxList =>
  asWord(value, path, ['next-turn', 'next-step'])

const inserting = (given: Given): ParamsOf<'inbox/append'> => ({
  ...sessionOf(given),
  list: given.need('list', asInboxList),
  contentBlocks: given.need('contentBlocks', asContent),
  ...naming(given),
})

type Insert = (
  agent: Agent,
  list: InboxList,
  message: MessageInput,
  options: { readonly actor?: string },
) => EditAnswer

const insertion = (insert: Insert): Pick<Method<'inbox/append'>, 'read' | 'run'> => ({
  read: inserting,
  run: (asked, caller) =>
    caller.door.send(asked.sessionId, (agent) => {
      const { list, messageId = randomUUID() } = asked
      const content = hidden(asked.contentBlocks, caller)
      const applied = insert(agent, list, { id: messageId, content }, actorOf(asked))
      return { applied, messageId }
    }),
})

/** The edits. */
export const inboxMethods: MethodsOf<
  'inbox/append' | 'inbox/prepend' | 'inbox/replace' | 'inbox/remove' | 'inbox/move' | 'inbox/clear'
> = {
  'inbox/append': insertion(({ inbox }, ...edit) => inbox.append(...edit)),
  'inbox/prepend': insertion(({ inbox }, ...edit) => inbox.prepend(...edit)),
  'inbox/replace': {
    read: (given) => ({
      ...sessionOf(given),
      id: given.need('id', asName),
      contentBlocks: given.need('contentBlocks', asContent),
      ...naming(given),
    }),
    run: (asked, caller) =>
      caller.door.live(asked.sessionId, ({ inbox }) => {
        const { id, messageId = id } = asked
        const content = hidden(asked.contentBlocks, caller)
        return {
          applied: inbox.replace(id, { id: messageId, content }, actorOf(asked)),
          messageId,
        }
      }),
  },
  'inbox/remove': {
    read: (given) => ({
      ...sessionOf(given),
      id: given.need('id', asName),
      ...given.maybe('actor', asName),
    }),
    run: (asked, { door }) =>
      door.live(asked.sessionId, ({ inbox }) => ({
        applied: inbox.remove(asked.id, actorOf(asked)),
      })),
  },
  'inbox/move': {
    read: (given) => ({
      ...sessionOf(given),
      id: given.need('id', asName),
      to: given.need('to', asInboxList),
      ...given.maybe('index', asInteger),
      ...given.maybe('actor', asName),
    }),
    run: (asked, { door }) =>
      door.live(asked.sessionId, ({ inbox }) => ({
        applied: inbox.move(asked.id, asked.to, asked.index ?? Infinity, actorOf(asked)),
      })),
  },
  'inbox/clear': {
    read: (given) => ({ ...sessionOf(given), ...given.maybe('actor', asName) }),
    run: (asked, { door }) =>
      door.live(asked.sessionId, ({ inbox }) => ({ applied: inbox.clear(actorOf(asked)) })),
  },
}
