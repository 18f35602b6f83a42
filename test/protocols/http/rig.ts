/**
 * A handler in this process: requests go in, and streams are read frame by frame.
 *
 * @module
 */
import type { Agent } from '../../../src/actors/agent-handle.ts'
import type { AgentOptions } from '../../../src/actors/agent-options.ts'
import { createHttpHandler } from '../../../src/protocols/http/handler.ts'
import type { HttpOptions } from '../../../src/protocols/http/options.ts'
import { memoryStore } from '../../../src/sessions/memory-store.ts'
import { createRegistry } from '../../../src/sessions/registry.ts'
import type { Registry } from '../../../src/sessions/registry-port.ts'
import { type ScriptedModel, scriptedModel } from '../../../src/testing/scripted-model.ts'

export interface Rig {
  readonly registry: Registry
  readonly model: ScriptedModel
  readonly faults: unknown[]
  readonly handle: (request: Request) => Promise<Response>
  readonly post: (
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<Response>
  readonly get: (path: string, headers?: Record<string, string>) => Promise<Response>
  readonly agent: (id: string) => Agent
}

export const ORIGIN = 'http://service.test'

export function rig(
  script: readonly string[] = [],
  options: Partial<HttpOptions> & { readonly agentOptions?: AgentOptions } = {},
): Rig {
  const { agentOptions = {}, ...given } = options
  const model = scriptedModel(script)
  const registry = createRegistry({
    store: memoryStore(),
    factory: () => ({ model, ...agentOptions }),
  })
  const faults: unknown[] = []
  const handle = createHttpHandler({
    registry,
    authenticate: () => ({ actor: 'ada' }),
    onError: (error) => faults.push(error),
    ...given,
  })
  return {
    registry,
    model,
    faults,
    handle,
    post: (path, body, headers = {}) =>
      handle(
        new Request(`${ORIGIN}${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: typeof body === 'string' ? body : JSON.stringify(body ?? {}),
        }),
      ),
    get: (path, headers = {}) => handle(new Request(`${ORIGIN}${path}`, { headers })),
    agent: (id) => {
      const agent = registry.get(id)
      if (agent === undefined) throw new Error(`expected a live session ${id}`)
      return agent
    },
  }
}

/** Status and code of a refusal; it must say something. */
export async function codeOf(response: Response): Promise<string> {
  const { error } = (await response.json()) as { error: { code: string; message: string } }
  if (error.message === '') throw new Error('expected a message')
  return `${response.status} ${error.code}`
}

/** A frame as it came over the wire. */
export interface ReadFrame {
  readonly event?: string
  readonly id?: string
  readonly data: string
}

/** Reads frames, one at a time. */
export class FrameReader {
  private readonly reader: ReadableStreamDefaultReader<Uint8Array>
  private readonly decoder = new TextDecoder()
  private text = ''

  constructor(response: Response) {
    if (response.body === null) throw new Error('expected a body')
    this.reader = response.body.getReader() as ReadableStreamDefaultReader<Uint8Array>
  }

  /** The next frame; undefined at the end. Comments are passed over. */
  async next(): Promise<ReadFrame | undefined> {
    for (;;) {
      const end = this.text.indexOf('\n\n')
      if (end === -1) {
        const { done, value } = await this.reader.read()
        if (done) return undefined
        this.text += this.decoder.decode(value, { stream: true })
        continue
      }
      const block = this.text.slice(0, end)
      this.text = this.text.slice(end + 2)
      const frame = frameOf(block)
      if (frame !== undefined) return frame
    }
  }

  /** Frames up to the first that `is`, that one included. */
  async until(is: (frame: ReadFrame) => boolean): Promise<ReadFrame[]> {
    const frames: ReadFrame[] = []
    for (;;) {
      const frame = await this.next()
      if (frame === undefined) return frames
      frames.push(frame)
      if (is(frame)) return frames
    }
  }

  async rest(): Promise<ReadFrame[]> {
    return this.until(() => false)
  }

  leave(): Promise<void> {
    return this.reader.cancel()
  }
}

function frameOf(block: string): ReadFrame | undefined {
  const fields = new Map(
    block
      .split('\n')
      .filter((line) => !line.startsWith(':'))
      .map((line) => {
        const at = line.indexOf(': ')
        return [line.slice(0, at), line.slice(at + 2)] as const
      }),
  )
  const data = fields.get('data')
  if (data === undefined) return undefined
  const [event, id] = [fields.get('event'), fields.get('id')]
  return { data, ...(event !== undefined && { event }), ...(id !== undefined && { id }) }
}

/** Is it the status of an agent at rest? */
export const isIdle = ({ event, data }: ReadFrame): boolean =>
  event === 'status' && data.includes('"status":"idle"')
