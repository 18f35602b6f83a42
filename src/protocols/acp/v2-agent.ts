/**
 * The draft of version 2 of the protocol: its methods over the sessions of one client.
 *
 * @module
 */
import type {
  AgentApp,
  AgentContext,
  PromptResponse,
  SessionUpdate,
} from '@agentclientprotocol/sdk/experimental/v2'
import { callOf, commonUpdateOf } from './client-words.ts'
import type { Client } from './desk.ts'
import { invalidParams } from './fault.ts'
import type { SessionParts } from './live-session.ts'
import { CHOICES } from './permission.ts'
import type { DraftSdk } from './sdk.ts'
import type { Seat } from './seat.ts'
import { StateDesk } from './state-desk.ts'
import type { Told } from './told.ts'

/** An agent app for one client. */
export function v2Agent(sdk: DraftSdk, seat: Seat): AgentApp {
  const { agent: methods } = sdk.methods
  const { info } = seat
  const session = (client: AgentContext): SessionParts =>
    seat.session(clientOf(sdk, client), (desk) => new StateDesk(desk))
  return sdk
    .agent({ name: info.name })
    .onRequest(methods.initialize, () => ({
      protocolVersion: sdk.PROTOCOL_VERSION,
      info: { ...info },
      capabilities: { session: { prompt: { image: {}, embeddedContext: {} } } },
    }))
    .onRequest(methods.session.new, ({ params, client }) => seat.create(params, session(client)))
    .onRequest(methods.session.resume, ({ params, client }) =>
      seat.load(params, session(client), () => replays(params.replayFrom)),
    )
    .onRequest(methods.session.list, ({ params }) => seat.list(params))
    .onRequest(
      methods.session.prompt,
      async ({ params, signal }) => (await seat.prompt(params, signal)) as PromptResponse,
    )
    .onNotification(methods.session.cancel, ({ params }) => seat.cancel(params))
    .onRequest(methods.session.close, ({ params }) => seat.close(params))
}

/** @throws AcpFault for a position that is not known. */
function replays(from: { readonly type: string } | null | undefined): boolean {
  if (from === null || from === undefined) return false
  if (from.type === 'start') return true
  throw invalidParams(`expected replayFrom of the type start, found ${from.type}`)
}

const clientOf = (sdk: DraftSdk, client: AgentContext): Client => ({
  tell: (sessionId, told) =>
    client.notify(sdk.methods.client.session.update, { sessionId, update: updateOf(told) }),
  ask(sessionId, question, signal) {
    return client.request(
      sdk.methods.client.session.requestPermission,
      {
        sessionId,
        title: question.prompt ?? question.tool,
        subject: { type: 'tool_call', toolCall: callOf(question, 'pending') },
        options: [...CHOICES],
      },
      { cancellationSignal: signal, stopWaitingOnCancel: true },
    )
  },
})

function updateOf(told: Told): SessionUpdate {
  if (told.kind === 'state')
    return { sessionUpdate: 'state_update', ...told.state } as SessionUpdate
  if (told.kind === 'call')
    return { sessionUpdate: 'tool_call_update', ...callOf(told, 'in_progress') }
  return commonUpdateOf(told)
}
