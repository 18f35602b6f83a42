/**
 * Methods that make a session work, or stop: each is one verb of the handle.
 *
 * @module
 */
import type { Agent } from '../../actors/agent-handle.ts'
import { asInteger, asName, asText, asWord } from '../../events/shape.ts'
import type { CauseInput } from '../../actors/agent-handle.ts'
import type { MessageId, MessageInput, Source } from '../../events/message.ts'
import { parseCause } from '../../events/parse-message.ts'
import { checkSessionId } from '../../log/log-place.ts'
import { asFlag, asWithin, type Given } from './given.ts'
import {
  actorOf,
  asContent,
  type Caller,
  hidden,
  type MethodsOf,
  naming,
  sessionOf,
} from './method.ts'
import { queueOf } from './queue.ts'
import { overloaded } from './rpc-error.ts'
import type { ParamsOf, Receipt } from './wire.ts'

/** Ms that running work gets when its session is closed. */
const CLOSE_GRACE_MS = 10_000
const DAY_MS = 86_400_000

type Sending = ParamsOf<'session/prompt'>

const sending = (given: Given): Sending => ({
  ...sessionOf(given),
  contentBlocks: given.need('contentBlocks', asContent),
  ...naming(given),
})

const messageOf = (
  { contentBlocks, messageId }: Sending,
  service: Pick<Caller, 'hide'>,
  source?: Source,
): MessageInput => ({
  content: hidden(contentBlocks, service),
  ...(messageId !== undefined && { id: messageId }),
  ...(source !== undefined && { source }),
})

/** A session takes no more messages than it can be expected to work off. */
function receive(
  agent: Agent,
  { maxPending, tell }: Pick<Caller, 'maxPending' | 'tell'>,
  send: () => MessageId,
): Receipt {
  const { nextStep, nextTurn } = agent.inbox
  if (nextStep.length + nextTurn.length >= maxPending)
    throw overloaded(`expected fewer than ${maxPending} pending messages in session ${agent.id}`)
  const receipt = { messageId: send() }
  tell(receipt)
  return receipt
}

const causeOf = (value: unknown): CauseInput => parseCause(value as CauseInput)

/** The verbs. */
export const workMethods: MethodsOf<
  | 'session/prompt'
  | 'session/steer'
  | 'session/inject'
  | 'session/cancel'
  | 'session/approve'
  | 'session/close'
  | 'session/resume'
  | 'session/fork'
  | 'session/whenIdle'
> = {
  'session/prompt': {
    read: sending,
    run: (asked, caller) =>
      caller.door.admit(asked.sessionId, caller.making, (agent) =>
        receive(agent, caller, () => agent.followup(messageOf(asked, caller), actorOf(asked))),
      ),
  },
  'session/steer': {
    read: sending,
    run: (asked, caller) =>
      caller.door.send(asked.sessionId, (agent) =>
        receive(agent, caller, () => agent.steer(messageOf(asked, caller), actorOf(asked))),
      ),
  },
  'session/inject': {
    read: (given) => ({
      ...sending(given),
      ...given.maybe('plugin', asText),
      ...given.maybe('turn', asFlag),
    }),
    run: (asked, caller) => {
      const { plugin = '', turn = false } = asked
      const message = messageOf(asked, caller, { kind: 'plugin', plugin })
      return caller.door.send(asked.sessionId, (agent) =>
        receive(agent, caller, () => agent.inject(message, { turn, ...actorOf(asked) })),
      )
    },
  },
  'session/cancel': {
    urgent: true,
    read: (given) => ({
      ...sessionOf(given),
      ...given.maybe('cause', causeOf),
      ...given.maybe('keepInbox', asFlag),
      ...given.maybe('resume', asFlag),
      ...given.maybe('restoreClaimed', asFlag),
      ...given.maybe('turn', (value, path) => asInteger(value, path, 1)),
      ...given.maybe('actor', asName),
    }),
    run: ({ sessionId, cause = 'user', ...options }, { door }) =>
      // A cancel has no failing path: what is gone is not hit.
      door.liveOrGone(
        sessionId,
        (agent) => agent?.cancel(cause, options) ?? { effect: 'none' as const, discarded: [] },
      ),
  },
  'session/approve': {
    urgent: true,
    read: (given) => ({
      ...sessionOf(given),
      call: given.need('call', asName),
      answer: given.need('answer', (value, path) => asWord(value, path, ['allow', 'deny'])),
      ...given.maybe('by', asName),
      ...given.maybe('reason', asText),
    }),
    run: ({ sessionId, call, answer, ...options }, { door }) =>
      door.live(sessionId, (agent) => {
        agent.approve(call, answer, options)
        return {}
      }),
  },
  'session/close': {
    read: (given) => ({
      ...sessionOf(given),
      ...given.maybe('keepInbox', asFlag),
      ...given.maybe('graceMs', asWithin(0, DAY_MS)),
    }),
    run: async ({ sessionId, keepInbox = false, graceMs = CLOSE_GRACE_MS }, { door }) => {
      await door.close(sessionId, keepInbox, graceMs)
      return {}
    },
  },
  'session/resume': {
    read: (given) => ({ ...sessionOf(given), ...given.maybe('wake', asFlag) }),
    run: ({ sessionId, wake = false }, { door, making }: Caller) =>
      door.resume(sessionId, wake, making, queueOf),
  },
  'session/fork': {
    read: (given) => ({
      ...sessionOf(given),
      ...given.maybe('at', asInteger),
      ...given.maybe('inheritInbox', asFlag),
      ...given.maybe('closeOpen', asFlag),
      ...given.maybe('newSessionId', (value, path) => checkSessionId(asName(value, path))),
    }),
    run: async ({ sessionId, newSessionId: id, ...options }, { door, registry }) => {
      await door.settled(sessionId)
      const header = await registry.fork(sessionId, id === undefined ? options : { ...options, id })
      return { sessionId: header.id, header }
    },
  },
  'session/whenIdle': {
    read: sessionOf,
    run: async ({ sessionId }, { door }) => {
      const { idle } = await door.live(sessionId, (agent) => ({ idle: agent.whenIdle() }))
      await idle
      return {}
    },
  },
}
