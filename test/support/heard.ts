/**
 * What a model has streamed, put together by hand.
 */
import type { Model, ModelContext, ModelRequest } from '../../src/actors/model.port.ts'
import type { Chunk, FinishReason } from '../../src/events/chunk.ts'
import type { Failure, Usage } from '../../src/events/message.ts'
import { contextOf, requestOf } from './provider-models.ts'
import type { SpokenCall } from './spoken.ts'

export interface Heard {
  readonly chunks: Chunk[]
  text: string
  reasoning: string
  readonly calls: (SpokenCall & { ended: boolean })[]
  usage?: Usage
  reason?: FinishReason
  /** Of an error finish, or thrown. */
  failure?: Failure
  thrown: boolean
  finishes: number
  /** Chunks behind the finish. */
  late: number
}

type Calls = Map<number, Heard['calls'][number]>
type Take<K extends Chunk['kind']> = (
  heard: Heard,
  chunk: Extract<Chunk, { kind: K }>,
  calls: Calls,
) => void

const ignored = (): void => {}

const TAKE: { readonly [K in Chunk['kind']]: Take<K> } = {
  'text-delta': (heard, chunk) => {
    heard.text += chunk.text
  },
  'reasoning-delta': (heard, chunk) => {
    heard.reasoning += chunk.text
  },
  'block-start': (heard, { type, block, id = '', name = '' }, calls) => {
    if (type !== 'tool-call') return
    const call = { id, name, arguments: '', ended: false }
    calls.set(block, call)
    heard.calls.push(call)
  },
  'tool-call-delta': (_, chunk, calls) => {
    const call = calls.get(chunk.block)
    if (call === undefined) throw new Error('a piece of a call without its start')
    call.arguments += chunk.text
  },
  'block-end': (_, { block }, calls) => {
    const call = calls.get(block)
    if (call !== undefined) call.ended = true
  },
  usage: (heard, { usage }) => {
    heard.usage = usage
  },
  finish: (heard, { reason, failure }) => {
    heard.finishes += 1
    heard.reason = reason
    if (failure !== undefined) heard.failure = failure
  },
  file: ignored,
  provider: ignored,
}

const defined = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T

/** Streams one request to its end. A thrown value must be a classified failure. */
export async function hear(
  model: Model,
  request: ModelRequest = requestOf(),
  context: ModelContext = contextOf(),
  onChunk: (chunk: Chunk) => void = ignored,
): Promise<Heard> {
  const start = { text: '', reasoning: '', thrown: false, finishes: 0, late: 0 }
  const heard: Heard = { ...start, chunks: [], calls: [] }
  const calls: Calls = new Map()
  try {
    for await (const chunk of model.stream(request, context)) {
      heard.chunks.push(chunk)
      if (heard.finishes > 0) heard.late += 1
      const take = TAKE[chunk.kind] as Take<Chunk['kind']>
      take(heard, chunk, calls)
      onChunk(chunk)
    }
  } catch (thrown) {
    const { code, message, status, retryAfterMs, requestId } = thrown as Failure
    if (typeof code !== 'string') throw thrown
    heard.thrown = true
    heard.failure = defined({ code, message, status, retryAfterMs, requestId } as Failure)
  }
  return heard
}
