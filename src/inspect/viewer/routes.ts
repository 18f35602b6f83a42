/**
 * What is asked of the viewer, and who answers it.
 *
 * @module
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { causeChain, TurnwiseError, type ErrorCode } from '../../errors.ts'
import { charts } from './charts.ts'
import { perform, readCommand } from './command-desk.ts'
import { EventStream } from './event-stream.ts'
import { checkSender, checkToken, HttpRefusal, send, sendJson, sendRefusal } from './front-door.ts'
import type { LogSource } from './log-source.ts'
import { sendAsset, sendPage } from './page-files.ts'
import type { SourceList } from './source-list.ts'
import type { AgentList } from './wire.ts'

/** Readers that may follow logs at one time. */
const MOST_STREAMS = 100
/** Ms that a list waits for logs that are long; what is known by then is answered. */
const LIST_WAITS_MS = 500

/** Addresses of one agent: its events, one of them, and commands to it. */
const OF_AGENT = /^\/api\/agents\/([^/]+)\/(commands|events)(?:(?<=events)\/(\d{1,15}))?$/

/** What the routes work with. */
export interface Room {
  readonly list: SourceList
  /** Folder of the built page. */
  readonly page: string
  readonly port: number
  /** Undefined: nothing may be commanded. */
  readonly token: string | undefined
}

/** Answers every request of one server. */
export class ViewerRoutes {
  private readonly room: Room
  private readonly streams = new Set<Promise<void>>()

  constructor(room: Room) {
    this.room = room
  }

  /** Never rejects. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => {})
    try {
      checkSender(request, this.room.port)
      await this.route(request, response)
    } catch (error) {
      if (response.headersSent) response.destroy()
      else sendRefusal(response, refusalOf(error))
      // What was not read of the body is let go: the answer gets through while it is still being sent.
      request.resume()
    }
  }

  /** Resolves when every stream has ended. */
  async quiet(): Promise<void> {
    await Promise.allSettled(this.streams)
  }

  private async route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = addressOf(request)
    const [, id, part, seq] = OF_AGENT.exec(pathname) ?? []
    if (part === 'commands') {
      await this.command(request, response, decoded(id))
      return
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') throw notAllowed()
    if (part === undefined) await this.place(pathname, response)
    else if (seq !== undefined) await sendEvent(response, await this.source(decoded(id)), seq)
    else {
      const from = positionOf(request, searchParams)
      await this.stream(await this.source(decoded(id)), response, from)
    }
  }

  /** The addresses that hold no id. */
  private async place(pathname: string, response: ServerResponse): Promise<void> {
    const asset = /^\/assets\/([^/]+)$/.exec(pathname)?.[1]
    if (asset !== undefined) await sendAsset(response, this.room.page, asset)
    else if (pathname === '/') await sendPage(response, this.room.page)
    else if (pathname === '/api/agents') await this.agents(response)
    else if (pathname === '/api/charts') sendJson(response, charts())
    else throw nothingHere()
  }

  private async agents(response: ServerResponse): Promise<void> {
    const { list, token } = this.room
    const sources = await list.all()
    const waited = new AbortController()
    await Promise.race([
      Promise.all(sources.map((source) => source.refresh())),
      pause(LIST_WAITS_MS, undefined, { signal: waited.signal }).catch(() => {}),
    ])
    waited.abort()
    const control = token !== undefined
    const answer: AgentList = {
      agents: sources.map((source) => source.summary(control)),
      control,
    }
    sendJson(response, answer)
  }

  private async stream(source: LogSource, response: ServerResponse, from: number): Promise<void> {
    if (this.streams.size >= MOST_STREAMS)
      throw new HttpRefusal(503, 'TOO_MANY', `expected at most ${MOST_STREAMS} open streams.`)
    const running = new EventStream(source, response, from).run()
    this.streams.add(running)
    await running
    this.streams.delete(running)
  }

  private async command(
    request: IncomingMessage,
    response: ServerResponse,
    id: string,
  ): Promise<void> {
    const { token } = this.room
    if (request.method !== 'POST') throw notAllowed()
    if (token === undefined) {
      throw new HttpRefusal(
        403,
        'READ_ONLY',
        'this viewer only shows; nothing was done. Open it with control to command agents.',
      )
    }
    checkToken(request, token)
    const command = await readCommand(request)
    const agent = await this.room.list.agentOf(await this.source(id))
    if (agent === undefined) {
      throw new TurnwiseError(
        'SESSION_NOT_LIVE',
        `expected an agent that lives in this process, found the log ${id}; nothing was done. Resume the session to work on it.`,
      )
    }
    sendJson(response, perform(agent, command))
  }

  private async source(id: string): Promise<LogSource> {
    const source = await this.room.list.find(id)
    if (source === undefined) throw nothingHere()
    return source
  }
}

async function sendEvent(response: ServerResponse, source: LogSource, seq: string): Promise<void> {
  await source.refresh()
  const event = await source.whole(Number(seq))
  if (event === undefined) throw nothingHere()
  send(response, event, 'application/json; charset=utf-8')
}

/** Where a stream begins: behind what the reader had, or where it asks for. */
function positionOf({ headers }: IncomingMessage, asked: URLSearchParams): number {
  const last = headers['last-event-id']
  if (typeof last === 'string' && /^\d{1,15}$/.test(last)) return Number(last) + 1
  const from = asked.get('from') ?? '0'
  if (/^\d{1,15}$/.test(from)) return Number(from)
  throw new HttpRefusal(400, 'BAD_REQUEST', 'from must be the seq of an event.')
}

const BASE = 'http://127.0.0.1'

function addressOf({ url = '/' }: IncomingMessage): URL {
  if (!URL.canParse(url, BASE)) throw nothingHere()
  return new URL(url, BASE)
}

function decoded(id = ''): string {
  try {
    return decodeURIComponent(id)
  } catch {
    throw nothingHere()
  }
}

const nothingHere = (): HttpRefusal => new HttpRefusal(404, 'NOT_FOUND', 'there is nothing here.')
const notAllowed = (): HttpRefusal =>
  new HttpRefusal(405, 'BAD_REQUEST', 'this address only answers other methods.')

/** Statuses of the errors that a command may meet; others are faults of this side. */
const STATUS: { readonly [code in ErrorCode]?: number } = {
  INVALID_MESSAGE: 400,
  INVALID_OPTION: 400,
  AGENT_DISPOSED: 409,
  APPROVAL_CLOSED: 409,
  DUPLICATE_ID: 409,
  SESSION_LIVE: 409,
  SESSION_NOT_LIVE: 409,
}

function refusalOf(error: unknown): HttpRefusal {
  if (error instanceof HttpRefusal) return error
  if (error instanceof TurnwiseError)
    return new HttpRefusal(STATUS[error.code] ?? 500, error.code, error.summary)
  return new HttpRefusal(500, 'UNKNOWN', causeChain(error))
}
