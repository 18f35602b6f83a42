/**
 * The way of a message, or of an answer to an approval, from another process into a session: left in the inbox of the store,
 * given to the agent by the owner, taken once it stands in the log.
 *
 * V1 A message is sent to the agent once, however often its owner dies in between: what the log has ever held is not sent
 *    again.
 * V2 It leaves the inbox only after its insertion is durable.
 * V3 Of several answers to one question the first counts; an answer to a question that is closed is dropped, and said.
 *
 * @module
 */
import { randomUUID } from 'node:crypto'
import { TurnwiseError } from '../../errors.ts'
import type { InboxList } from '../../events/event.ts'
import type { MessageId, MessageInput } from '../../events/message.ts'
import type { EventLog } from '../event-log.ts'
import type { EventStore, InboxItem } from './event-store.ts'

/** How a message is to be inserted; the defaults are those of `agent.send`. */
export interface DeliveryOptions {
  readonly target?: InboxList
  readonly wake?: boolean
  readonly actor?: string
}

/** An answer to the question about a call; see `agent.approve`. */
export interface DeliveredAnswer {
  /** Key of the call, as in `approval/asked`. */
  readonly call: string
  readonly answer: 'allow' | 'deny'
  /** Default `user`. */
  readonly by?: string
  readonly reason?: string
}

/** What an owner takes messages with: an agent. */
export interface InboxReceiver {
  readonly log: EventLog
  send(message: MessageInput, options?: DeliveryOptions): MessageId
  approve(
    call: string,
    answer: 'allow' | 'deny',
    options?: { readonly by?: string; readonly reason?: string },
  ): void
}

interface Delivery {
  readonly message: MessageInput
  readonly options: DeliveryOptions
}
interface Answer {
  readonly approval: DeliveredAnswer
}

/**
 * Leaves a message for a session that another process owns, or will.
 *
 * @returns its id, once the message is durable: the receipt. A message with an id of its own may be sent again.
 * @throws TurnwiseError SESSION_NOT_FOUND
 */
export async function sendToSession(
  store: EventStore,
  session: string,
  message: MessageInput,
  options: DeliveryOptions = {},
): Promise<MessageId> {
  const whole = typeof message === 'object' && 'content' in message ? message : { content: message }
  const id = whole.id ?? randomUUID()
  const body: Delivery = { message: { ...whole, id }, options }
  await store.inbox.send(session, { id, body })
  return id
}

/**
 * Leaves an answer for a question of a session that another process owns, or will. Whether it counts is decided by the
 * owner: a question that is closed by then stays closed.
 *
 * @returns the id of the answer in the inbox, once it is durable.
 * @throws TurnwiseError SESSION_NOT_FOUND
 */
export async function approveInSession(
  store: EventStore,
  session: string,
  approval: DeliveredAnswer,
): Promise<string> {
  const id = `approval:${randomUUID()}`
  const body: Answer = { approval }
  await store.inbox.send(session, { id, body })
  return id
}

/**
 * Gives `receiver` what others leave for its session, until `signal` aborts or the log stops.
 *
 * @param onRefused - told of a message or an answer that the agent does not take; it is dropped from the inbox.
 */
export async function serveInbox(
  store: EventStore,
  receiver: InboxReceiver,
  signal: AbortSignal,
  onRefused: (id: MessageId, error: unknown) => void = () => {},
): Promise<void> {
  const { log } = receiver
  const session = log.header.id
  const known = new Set(log.read().flatMap(insertedIds))
  const leave = log.observe((event) => {
    for (const id of insertedIds(event)) known.add(id)
  })
  try {
    while (!signal.aborted) {
      const changed = store.inbox.changed(session, signal)
      const items = await store.inbox.pending(session)
      for (const item of items) if (!known.has(item.id)) give(receiver, item, onRefused)
      await log.flush()
      if (items.length > 0) {
        const ids = items.map(({ id }) => id)
        await store.inbox.taken(session, ids)
      }
      await changed
    }
  } finally {
    leave()
  }
}

function give(
  receiver: InboxReceiver,
  { id, body }: InboxItem,
  onRefused: (id: MessageId, error: unknown) => void,
): void {
  try {
    const given = body as Delivery | Answer
    if ('approval' in given) {
      const { call, answer, ...rest } = given.approval
      receiver.approve(call, answer, rest)
    } else receiver.send(given.message, given.options)
  } catch (error) {
    // An agent that ends leaves it to its successor.
    if (error instanceof TurnwiseError && STOPPED.has(error.code)) throw error
    onRefused(id, error)
  }
}

const STOPPED: ReadonlySet<string> = new Set([
  'AGENT_DISPOSED',
  'LEASE_LOST',
  'LOG_CONFLICT',
  'LOG_WRITE_FAILED',
])

function insertedIds(event: ReturnType<EventLog['read']>[number]): MessageId[] {
  if (event.type === 'inbox/inserted') return [event.data.message.id]
  return event.type === 'inbox/replaced' ? event.data.messages.map(({ id }) => id) : []
}
