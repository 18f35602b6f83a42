/**
 * The work that every subject does, with a model and tools that cost nothing: what is measured is the machinery.
 *
 * The model reads what a real adapter reads (the messages, the signal) and makes a new object for every chunk.
 *
 * @module
 */
import type { Chunk } from '../src/events/chunk.ts'
import type { Model, ModelContext, ModelRequest } from '../src/actors/model.port.ts'
import type { AnyTool } from '../src/actors/tool.port.ts'

/** What a turn consists of. */
export interface Workload {
  readonly name: string
  readonly what: string
  /** A model for one session. */
  readonly model: () => Model
  readonly tools: readonly AnyTool[]
}

const CHUNKS = 20
const LONG_CHUNKS = 100_000
/** One turn of W2: three steps with calls, then one that speaks. */
const STEPS = 4
const CALLS = 2

function* saying(count: number, text: string): Generator<Chunk> {
  yield { kind: 'block-start', block: 0, type: 'text' }
  for (let i = 0; i < count; i++) yield { kind: 'text-delta', block: 0, text }
  yield { kind: 'block-end', block: 0 }
  yield { kind: 'usage', usage: { inputTokens: 10, outputTokens: count } }
  yield { kind: 'finish', reason: 'stop' }
}

function* calling(): Generator<Chunk> {
  for (let block = 0; block < CALLS; block++) {
    yield { kind: 'block-start', block, type: 'tool-call', id: `c${block}`, name: 'look' }
    yield { kind: 'tool-call-delta', block, text: '{"at":"here"}' }
    yield { kind: 'block-end', block }
  }
  yield { kind: 'usage', usage: { inputTokens: 10, outputTokens: 5 } }
  yield { kind: 'finish', reason: 'tool-calls' }
}

/** A model that answers its `n`-th request with `answer(n)`. */
function modelOf(answer: (request: number) => Iterable<Chunk>): Model {
  let requests = 0
  return {
    provider: 'scripted',
    modelId: 'none',
    async *stream(request: ModelRequest, { signal }: ModelContext): AsyncGenerator<Chunk> {
      if (request.messages.length === 0) throw new Error('a request without messages')
      for (const chunk of answer(requests++)) {
        if (signal.aborted) return
        yield chunk
      }
    },
  }
}

const look: AnyTool = { name: 'look', run: async () => 'nothing to see' }

export const W1: Workload = {
  name: 'W1',
  what: 'turns of one step, 20 text chunks',
  model: () => modelOf(() => saying(CHUNKS, 'word ')),
  tools: [],
}

export const W2: Workload = {
  name: 'W2',
  what: 'turns of four steps, three of them with two tool calls, 20 text chunks at the end',
  model: () => modelOf((n) => (n % STEPS === STEPS - 1 ? saying(CHUNKS, 'word ') : calling())),
  tools: [look],
}

export const W6: Workload = {
  name: 'W6',
  what: 'one step with 100,000 text chunks of 8 characters',
  model: () => modelOf(() => saying(LONG_CHUNKS, '8 chars ')),
  tools: [],
}

/** Chunks of text in one turn of {@link W6}. */
export const W6_CHUNKS = LONG_CHUNKS
