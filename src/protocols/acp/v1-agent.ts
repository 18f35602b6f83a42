/**
 * Version 1 of the protocol: its methods over the sessions of one client.
 *
 * @module
 */
import type {
  AgentApp,
  AgentContext,
  PromptResponse,
  SessionUpdate,
} from '@agentclientprotocol/sdk'
import { callOf, commonUpdateOf } from './client-words.ts'
import type { Client } from './desk.ts'
import type { SessionParts } from './live-session.ts'
import { CHOICES } from './permission.ts'
import type { Sdk } from './sdk.ts'
import type { Seat } from './seat.ts'
import { SlotDesk } from './slot-desk.ts'
import type { Told } from './told.ts'

/** An agent app for one client. */
export function v1Agent(sdk: Sdk, seat: Seat): AgentApp {
  const { agent: methods } = sdk.methods
  const { info, keeps } = seat
  const session = (client: AgentContext): SessionParts =>
    seat.session(clientOf(sdk, client), (desk) => new SlotDesk(desk))
  return sdk
    .agent({ name: info.name })
    .onRequest(methods.initialize, () => ({
      protocolVersion: sdk.PROTOCOL_VERSION,
      agentInfo: { ...info },
      agentCapabilities: {
        loadSession: keeps,
        promptCapabilities: { image: true, audio: false, embeddedContext: true },
        sessionCapabilities: { close: {}, ...(keeps && { list: {}, resume: {} }) },
      },
      authMethods: [],
    }))
    .onRequest(methods.session.new, ({ params, client }) => seat.create(params, session(client)))
    .onRequest(methods.session.load, ({ params, client }) =>
      seat.load(params, session(client), () => true),
    )
    .onRequest(methods.session.resume, ({ params, client }) =>
      seat.load(params, session(client), () => false),
    )
    .onRequest(methods.session.list, ({ params }) => seat.list(params))
    .onRequest(
      methods.session.prompt,
      async ({ params, signal }) => (await seat.prompt(params, signal)) as PromptResponse,
    )
    .onNotification(methods.session.cancel, ({ params }) => seat.cancel(params))
    .onRequest(methods.session.close, ({ params }) => seat.close(params))
}

const clientOf = (sdk: Sdk, client: AgentContext): Client => ({
  async tell(sessionId, told) {
    const update = updateOf(told)
    if (update !== undefined)
      await client.notify(sdk.methods.client.session.update, { sessionId, update })
  },
  ask(sessionId, question, signal) {
    const toolCall = {
      ...callOf(question, 'pending'),
      ...(question.prompt !== undefined && { title: question.prompt }),
    }
    return client.request(
      sdk.methods.client.session.requestPermission,
      { sessionId, toolCall, options: [...CHOICES] },
      { cancellationSignal: signal, stopWaitingOnCancel: true },
    )
  },
})

/** Version 1 knows no states. */
function updateOf(told: Told): SessionUpdate | undefined {
  if (told.kind === 'state') return undefined
  if (told.kind === 'call') return { sessionUpdate: 'tool_call', ...callOf(told, 'in_progress') }
  return commonUpdateOf(told)
}
