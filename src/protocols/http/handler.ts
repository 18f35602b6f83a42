/**
 * Sessions over HTTP, as one function from a web-standard `Request` to a `Response`: it fits Hono, Fastify and node:http.
 *
 * H1 Nothing is looked at before the hook has said who asks; a hook that throws lets nobody in.
 * H2 A message is answered as soon as it stands in the inbox, 202: what becomes of it is read, never waited for, and
 *    the disk is not waited for either.
 * H3 Streams are pulled by their readers and counted; one more than the bound is refused.
 *
 * @module
 */
import type { Agent } from '../../actors/agent-handle.ts'
import { TurnwiseError } from '../../errors.ts'
import { asInteger } from '../../events/shape.ts'
import type { Making } from '../json-rpc/session-door.ts'
import { projectionNames, VIEWS } from '../views.ts'
import { fieldsOf, jsonBody } from './body.ts'
import { Entry } from './entry.ts'
import { agUiFormat, UI_MESSAGE_HEADERS, uiMessageFormat } from './formats.ts'
import { answersOf, cancelOf } from './given-commands.ts'
import { type Format, IntervalFrames } from './interval-frames.ts'
import type { HttpAsked, HttpHandler, HttpOptions } from './options.ts'
import { agUiMessage, chatMessage, ownMessage } from './prompts.ts'
import { answerTo, HttpRefusal, jsonOf, overloaded } from './refusal.ts'
import { type Route, type RouteName, routeOf } from './routes.ts'
import { SessionFrames } from './session-frames.ts'
import { streamOf } from './sse.ts'
import { Streams } from './streams.ts'
import type { MessageInput } from '../../events/message.ts'

const MIB = 1024 * 1024

/** What a route works with. */
interface Asked extends Route, Pick<HttpAsked, 'request'> {
  readonly actor: string
  readonly url: URL
}

/** The handler as an object. */
class HttpDoor {
  private readonly options: HttpOptions
  private readonly entry: Entry
  private readonly streams: Streams

  constructor(options: HttpOptions) {
    this.options = options
    this.entry = new Entry(options)
    this.streams = new Streams(options)
  }

  async answer(request: Request): Promise<Response> {
    try {
      const route = routeOf(request, this.options.basePath ?? '')
      const caller = await this.options.authenticate({ request, ...route })
      if (caller instanceof Response) return caller
      if (caller === null || typeof caller?.actor !== 'string')
        throw new HttpRefusal(
          401,
          'UNAUTHENTICATED',
          'expected a caller who is known; nothing was done.',
        )
      const url = new URL(request.url)
      return await this.routes[route.name]({ ...route, request, url, actor: caller.actor })
    } catch (error) {
      return answerTo(error, this.report)
    }
  }

  private readonly report = (error: unknown): void => {
    try {
      this.options.onError?.(error)
    } catch {
      // Nobody is left to tell.
    }
  }

  private readonly routes: { readonly [name in RouteName]: (asked: Asked) => Promise<Response> } = {
    messages: async (asked) => {
      const { as, message } = ownMessage(await fieldsOf(asked.request, this.maxBody))
      const messageId = await this.entry.admit(asked.sessionId, this.making(asked), (agent) => {
        this.refuseFull(agent)
        return agent[as](message, { actor: asked.actor })
      })
      return jsonOf(202, { sessionId: asked.sessionId, messageId })
    },
    cancel: async (asked) => {
      const { cause, ...options } = cancelOf(await fieldsOf(asked.request, this.maxBody))
      const receipt = await this.entry.door.liveOrGone(asked.sessionId, (agent) =>
        agent === undefined
          ? { effect: 'none' as const, discarded: [] }
          : agent.cancel(cause, { ...options, actor: asked.actor }),
      )
      return jsonOf(200, receipt)
    },
    approvals: async (asked) => {
      const answers = answersOf(await fieldsOf(asked.request, this.maxBody), asked.actor)
      await this.entry.find(asked.sessionId, this.making(asked), (agent) => {
        agent.approvals.answer(answers)
      })
      return jsonOf(200, { answered: answers.map(({ call }) => call) })
    },
    events: (asked) => this.events(asked),
    projection: async (asked) => {
      const view = VIEWS[asked.projection]
      if (view === undefined || !projectionNames.includes(asked.projection))
        throw new HttpRefusal(
          404,
          'NOT_FOUND',
          `expected one of ${projectionNames.join(', ')}; nothing was done.`,
        )
      const message = asked.url.searchParams.get('message') ?? ''
      const state = await this.entry.find(asked.sessionId, this.making(asked), (agent) => ({
        state: view((projection) => agent.read(projection), message),
        length: agent.log.length,
      }))
      return jsonOf(200, state)
    },
    chat: async (asked) => {
      const message = chatMessage(await jsonBody(asked.request, this.maxBody))
      return this.interval(asked, message, uiMessageFormat, UI_MESSAGE_HEADERS)
    },
    'ag-ui': async (asked) => {
      const { runId, message } = agUiMessage(await jsonBody(asked.request, this.maxBody))
      return this.interval(asked, message, () => agUiFormat(asked.sessionId, runId))
    },
  }

  private async events(asked: Asked): Promise<Response> {
    const { searchParams } = asked.url
    const last = asked.request.headers.get('last-event-id')
    const from = last === null ? seqOf(searchParams.get('from')) : seqOf(last) + 1
    const deltas = searchParams.get('deltas') !== '0'
    const source = await this.entry.find(asked.sessionId, this.making(asked), (agent) => {
      if (from > agent.log.length)
        throw new TurnwiseError(
          'CURSOR_TOO_OLD',
          `expected a position up to ${agent.log.length}, found ${from}; nothing was sent. Reload a projection.`,
        )
      return this.streams.counted(
        new SessionFrames(agent, this.streams.cursor(agent, from), deltas),
      )
    })
    return streamOf(source, this.report)
  }

  /** Sends a message and answers with what follows from it, until the agent rests. */
  private async interval(
    asked: Asked,
    message: MessageInput,
    format: (messageId: string) => Format,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    const source = await this.entry.admit(asked.sessionId, this.making(asked), (agent) => {
      this.refuseFull(agent)
      const cursor = this.streams.cursor(agent, agent.log.length)
      try {
        const id = agent.followup(message, { actor: asked.actor })
        return this.streams.counted(new IntervalFrames(agent, cursor, format(`answer.${id}`)))
      } catch (error) {
        cursor.close()
        throw error
      }
    })
    return streamOf(source, this.report, headers)
  }

  private making(asked: Asked): Making {
    return { cwd: process.cwd(), agent: this.options.agent?.(asked) ?? {} }
  }

  private get maxBody(): number {
    return this.options.maxBodyBytes ?? MIB
  }

  private refuseFull({ inbox }: Agent): void {
    const { maxPending = 1000 } = this.options
    if (inbox.nextStep.length + inbox.nextTurn.length >= maxPending)
      throw overloaded(`${maxPending} pending messages`)
  }
}

/** A position in a log, as a client names it. @throws ShapeError */
const seqOf = (text: string | null): number =>
  text === null ? 0 : asInteger(/^\d{1,15}$/.test(text) ? Number(text) : text, 'from')

/**
 * Makes the handler. Paths, below `basePath`:
 *
 * - `POST /sessions/:id/messages` `{content, id?, as?}` → 202 `{sessionId, messageId}`
 * - `POST /sessions/:id/cancel` `{cause?, keepInbox?, resume?, restoreClaimed?, turn?}` → the receipt
 * - `POST /sessions/:id/approvals` `{answers: [{call, answer, reason?}]}` → `{answered}`
 * - `GET /sessions/:id/events[?from=SEQ][&deltas=0]` → server-sent events; `Last-Event-ID` goes on
 * - `GET /sessions/:id/projections/:name` → `{state, length}`
 * - `POST /sessions/:id/chat` the body of `useChat` → a UI message stream of the AI SDK
 * - `POST /sessions/:id/ag-ui` a RunAgentInput → events of AG-UI
 *
 * @throws TurnwiseError INVALID_OPTION without `authenticate`.
 */
export function createHttpHandler(options: HttpOptions): HttpHandler {
  if (typeof options?.authenticate !== 'function')
    throw new TurnwiseError(
      'INVALID_OPTION',
      'expected a function `authenticate` that says who asks, found none; no handler was made. There is no default that lets anybody in.',
    )
  const door = new HttpDoor(options)
  return (request) => door.answer(request)
}
