/**
 * The commands that an explorer issues, each with a message of its own.
 *
 * @module
 */
import type { Agent } from '../../actors/agent-handle.ts'
import type { MessageId, MessageInput } from '../../events/message.ts'
import type { CommandName } from './options.ts'

/** What commands need of a run. */
export interface Commanded {
  readonly agent: Agent
  /** A new message. */
  readonly message: MessageInput
  /** A promise of the agent, which must settle. */
  promised(what: 'dispose' | 'maintain', promise: Promise<unknown>): void
  task(signal: AbortSignal): Promise<void>
}

/** The first pending message, or one that nobody knows. */
function firstPending({ inbox }: Agent): MessageId {
  const [first] = [...inbox.nextStep, ...inbox.nextTurn]
  return first?.message.id ?? 'nobody'
}

/** The list in which `id` is not. */
const otherList = ({ inbox }: Agent, id: MessageId): 'next-turn' | 'next-step' =>
  inbox.nextTurn.some(({ message }) => message.id === id) ? 'next-step' : 'next-turn'

export const COMMANDS: { readonly [name in CommandName]: (run: Commanded) => void } = {
  followup: ({ agent, message }) => void agent.followup(message),
  steer: ({ agent, message }) => void agent.steer(message),
  inject: ({ agent, message }) => void agent.inject(message),
  'inject a turn': ({ agent, message }) => void agent.inject(message, { turn: true }),
  'send without wake': ({ agent, message }) => void agent.send(message, { wake: false }),
  cancel: ({ agent }) => void agent.cancel(),
  'cancel, keep': ({ agent }) => void agent.cancel('user', { keepInbox: true }),
  'cancel, restore': ({ agent }) => void agent.cancel('user', { restoreClaimed: true }),
  'cancel, resume': ({ agent }) => void agent.cancel('user', { keepInbox: true, resume: true }),
  abort: ({ agent }) => void agent.abort(),
  'abort, restore': ({ agent }) => void agent.abort('user', { restoreClaimed: true }),
  dispose(run) {
    run.promised('dispose', run.agent.dispose())
  },
  'dispose, keep'(run) {
    run.promised('dispose', run.agent.dispose({ keepInbox: true }))
  },
  maintain(run) {
    run.promised(
      'maintain',
      run.agent.runMaintenance((signal) => run.task(signal)),
    )
  },
  clear: ({ agent }) => void agent.inbox.clear(),
  remove: ({ agent }) => void agent.inbox.remove(firstPending(agent)),
  replace: ({ agent, message }) => void agent.inbox.replace(firstPending(agent), message),
  move({ agent }) {
    const id = firstPending(agent)
    agent.inbox.move(id, otherList(agent, id))
  },
}

export const isCommand = (name: string): name is CommandName => Object.hasOwn(COMMANDS, name)
