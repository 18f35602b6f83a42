/**
 * The real server, asked over real HTTP, with a reader of server-sent events.
 */
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request, type IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { serveViewer, type Viewer, type ViewerOptions } from '../../../src/inspect/index.ts'
import type {
  AgentList,
  AgentSummary,
  CaughtUp,
  StreamHeader,
  Trouble,
  WireEvent,
} from '../../../src/inspect/viewer/wire.ts'
import { parseLog } from '../../../src/testing/parse-log.ts'

/** A folder for logs. */
export let folder: string
const viewers: Viewer[] = []

/** Makes the folder before each test; closes and removes everything after it. */
export function useViewer(): void {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'turnwise-viewer-'))
  })
  afterEach(async () => {
    await Promise.all(viewers.splice(0).map((viewer) => viewer.close()))
    rmSync(folder, { recursive: true, force: true })
  })
}

/** Opens a viewer that is closed after the test. */
export async function open(options: ViewerOptions = {}): Promise<Viewer> {
  const viewer = await serveViewer(options)
  viewers.push(viewer)
  return viewer
}

export const place = (name: string): string => join(folder, `${name}.jsonl`)

const textOf = (lines: readonly unknown[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('')

/** Writes a log of printed events. */
export function putLog(name: string, lines: readonly string[]): string {
  const header = { id: name, formatVersion: 1, createdAt: 0 }
  writeFileSync(place(name), textOf([header, ...parseLog(lines)]))
  return place(name)
}

/** Writes lines behind what a file holds. */
export const append = (path: string, lines: readonly unknown[]): void =>
  appendFileSync(path, textOf(lines))

export const at = ({ port }: Viewer, path: string): string => `http://127.0.0.1:${port}${path}`

/** Asks for JSON. */
export async function ask<T>(viewer: Viewer, path: string): Promise<T> {
  return (await (await fetch(at(viewer, path))).json()) as T
}

export const agents = async (viewer: Viewer): Promise<readonly AgentSummary[]> =>
  (await ask<AgentList>(viewer, '/api/agents')).agents

/** The id of the only agent, or of one with this title. */
export async function idOf(viewer: Viewer, title?: string): Promise<string> {
  const all = await agents(viewer)
  const found = title === undefined ? all[0] : all.find((one) => one.title === title)
  return encodeURIComponent(found?.id ?? '')
}

/** A request with headers of every kind, which `fetch` would not send. */
export function raw(
  viewer: Viewer,
  path: string,
  headers: Record<string, string> = {},
  { method = 'GET', body }: { readonly method?: string; readonly body?: string } = {},
): Promise<{ status: number; headers: IncomingHttpHeaders; body: string }> {
  return new Promise((resolve, reject) => {
    const { port } = viewer
    const sent = request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece))
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text })
      })
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** One server-sent event. */
export interface Sent {
  readonly event: string
  readonly id?: string
  readonly data: unknown
}

/** Reads server-sent events as a browser does. */
export class Reader {
  readonly seen: Sent[] = []
  private readonly stop = new AbortController()
  private readonly pieces: AsyncIterator<Uint8Array>
  private readonly decoder = new TextDecoder()
  private rest = ''
  /** How many of the events were looked at. */
  private taken = 0

  private constructor(body: ReadableStream<Uint8Array>, stop: AbortController) {
    this.stop = stop
    this.pieces = body[Symbol.asyncIterator]()
  }

  static async open(url: string, headers: Record<string, string> = {}): Promise<Reader> {
    const stop = new AbortController()
    const response = await fetch(url, { signal: stop.signal, headers })
    if (response.body === null || response.status !== 200)
      throw new Error(`${response.status} ${await response.text()}`)
    return new Reader(response.body as ReadableStream<Uint8Array>, stop)
  }

  close(): void {
    this.stop.abort()
  }

  /** Reads on to the next one of this kind. @returns its data */
  async next<T>(event: string): Promise<T> {
    for (;;) {
      while (this.taken < this.seen.length) {
        const sent = this.seen[this.taken]
        this.taken += 1
        if (sent?.event === event) return sent.data as T
      }
      if (!(await this.more())) throw new Error(`the stream ended without ${event}`)
    }
  }

  /** Every event that has come in a batch. */
  get events(): WireEvent[] {
    return this.seen.flatMap(({ event, data }) => (event === 'batch' ? (data as WireEvent[]) : []))
  }

  /** Reads until everything that is known has come. */
  async caughtUp(): Promise<WireEvent[]> {
    await this.next<CaughtUp>('caughtup')
    return this.events
  }

  get header(): StreamHeader | undefined {
    return this.seen.find(({ event }) => event === 'header')?.data as StreamHeader | undefined
  }

  get trouble(): Trouble | undefined {
    return this.seen.findLast(({ event }) => event === 'trouble')?.data as Trouble | undefined
  }

  /** @returns false when the stream is over */
  async more(): Promise<boolean> {
    const { value, done } = await this.pieces.next()
    if (done === true) return false
    this.rest += this.decoder.decode(value, { stream: true })
    const blocks = this.rest.split('\n\n')
    this.rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const fields = new Map(
        block.split('\n').map((line) => {
          const [name = '', ...rest] = line.split(': ')
          return [name, rest.join(': ')] as const
        }),
      )
      const id = fields.get('id')
      const data = fields.get('data')
      if (data === undefined) continue
      this.seen.push({
        event: fields.get('event') ?? '',
        ...(id !== undefined && { id }),
        data: JSON.parse(data) as unknown,
      })
    }
    return true
  }
}

/** Follows one agent. */
export const follow = async (
  viewer: Viewer,
  id: string,
  query = '',
  headers: Record<string, string> = {},
): Promise<Reader> => Reader.open(at(viewer, `/api/agents/${id}/events${query}`), headers)
