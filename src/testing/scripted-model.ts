/**
 * A model that follows a script, for tests and docs: it needs no key and answers the same every time.
 *
 * M1 A request takes the next entry of the script; a request beyond it throws "script exhausted".
 * M2 Every request is kept, as the agent sent it.
 *
 * @module
 */
import { systemClock, type Clock } from '../actors/clock.ts'
import type { Model, ModelContext, ModelRequest } from '../actors/model.port.ts'
import type { Chunk } from '../events/chunk.ts'
import { defined } from './defined.ts'
import { aborted, Latches } from './latches.ts'
import { parseScript } from './parse-script.ts'
import { printRequest } from './print-request.ts'
import { DEFAULT_USAGE, type ScriptEntry, type ScriptItem } from './script.ts'

/** One request that was made. */
export interface RecordedRequest {
  readonly request: ModelRequest
  readonly context: ModelContext
  /** The history in the notation of scenarios: `user:A`, `assistant:one`, `tool-result c1 ok`. */
  readonly history: readonly string[]
  /** Does it wait at a gate of its script? */
  gated: boolean
  /** Does it wait for its abort signal? */
  stalled: boolean
}

export interface ScriptedModel extends Model {
  /** Every request so far. */
  readonly requests: readonly RecordedRequest[]
  /** Opens the gate of `(gated g)`. */
  release(gate: string): void
}

export interface ScriptedModelOptions {
  /** Route of the model; null leaves it out. Default `mock`. */
  readonly provider?: string | null
  readonly modelId?: string | null
  /** Tokens that fit into one request. */
  readonly contextWindow?: number
  /** For `hang-slow` and pauses; default: the clock of this machine. */
  readonly clock?: Clock
  /** Gates shared with others; default: its own. */
  readonly latches?: Latches
  /** Called in the synchronous part of every request. */
  readonly onRequest?: (made: RecordedRequest) => void
}

const pause = (clock: Clock, ms: number): Promise<void> =>
  new Promise((resolve) => {
    clock.after(ms, resolve)
  })

type BlockItem = ScriptItem & { do: 'text' | 'reasoning' | 'call' }

/** What of a block is streamed: half of the arguments of a call that is left open. */
const sentOf = (item: BlockItem): string => {
  if (item.do !== 'call') return item.text
  const { arguments: args } = item
  return item.open === true ? args.slice(0, Math.ceil(args.length / 2)) : args
}

function blockOf(item: BlockItem, block: number): Chunk[] {
  const type = item.do === 'call' ? 'tool-call' : item.do
  const named = item.do === 'call' ? { id: item.id, name: item.name } : {}
  const text = sentOf(item)
  const delta: Chunk = { kind: `${type}-delta`, block, text }
  const chunks: Chunk[] = [{ kind: 'block-start', block, type, ...named }]
  if (text !== '' || item.do !== 'call') chunks.push(delta)
  if (item.open !== true) chunks.push({ kind: 'block-end', block })
  return chunks
}

/** What may be said about a stream so far. */
interface Told {
  blocks: number
  calls: boolean
  usage: boolean
}

function chunksOf(item: ScriptItem, told: Told): readonly Chunk[] {
  if (item.do === 'text' || item.do === 'reasoning' || item.do === 'call') {
    told.calls ||= item.do === 'call'
    told.blocks += 1
    return blockOf(item, told.blocks - 1)
  }
  if (item.do === 'usage') told.usage = true
  if (item.do === 'usage') return [{ kind: 'usage', usage: item.usage }]
  if (item.do === 'chunk') return [item.chunk]
  return []
}

/** The last chunk of a stream that failed or says how it finished. */
function lastOf(item: ScriptItem, told: Told): readonly Chunk[] | undefined {
  if (item.do === 'fail') return [{ kind: 'finish', reason: 'error', failure: item.failure }]
  if (item.do !== 'finish') return undefined
  const failure = item.failure === undefined ? {} : { failure: item.failure }
  const usage =
    told.usage || told.blocks === 0 ? [] : [{ kind: 'usage' as const, usage: DEFAULT_USAGE }]
  return [...usage, { kind: 'finish', reason: item.reason, ...failure }]
}

/** Where a stream waits. */
type Doors = Pick<Latches, 'wait'>

class Playing {
  readonly #made: RecordedRequest
  readonly #latches: Doors
  readonly #clock: Clock

  constructor(made: RecordedRequest, latches: Doors, clock: Clock) {
    this.#made = made
    this.#latches = latches
    this.#clock = clock
  }

  /** Waits where the item waits. @returns whether the stream is over. */
  async #waits(item: ScriptItem): Promise<boolean> {
    const { signal } = this.#made.context
    if (item.do === 'wait') await pause(this.#clock, item.ms)
    if (item.do === 'gate') {
      this.#made.gated = true
      await this.#latches.wait(item.gate, signal)
      this.#made.gated = false
      return signal.aborted
    }
    if (item.do !== 'stall') return false
    this.#made.stalled = true
    await (item.deaf === true ? new Promise(() => {}) : aborted(signal))
    if (item.slowMs !== undefined) await pause(this.#clock, item.slowMs)
    return true
  }

  async *play(items: readonly ScriptItem[]): AsyncGenerator<Chunk> {
    const told: Told = { blocks: 0, calls: false, usage: false }
    for (const item of items) {
      if (item.do === 'throw') throw thrown(item)
      if (item.do === 'end' || (await this.#waits(item))) return
      yield* chunksOf(item, told)
      const last = lastOf(item, told)
      if (last === undefined) continue
      yield* last
      return
    }
    yield* lastOf({ do: 'finish', reason: told.calls ? 'tool-calls' : 'stop' }, told) ?? []
  }
}

/** Plays `items` as the answer to one request; its gates wait at `doors`. */
export const playItems = (
  items: readonly ScriptItem[],
  made: RecordedRequest,
  doors: Doors,
  clock: Clock,
): AsyncGenerator<Chunk> => new Playing(made, doors, clock).play(items)

const thrown = (item: ScriptItem & { do: 'throw' }): Error =>
  new Error(item.message, item.cause === undefined ? {} : { cause: new Error(item.cause) })

type Entry = string | readonly ScriptItem[] | ScriptEntry

const entryOf = (entry: Entry): ScriptEntry => {
  if (typeof entry === 'string') return parseScript(entry)
  return 'items' in entry ? entry : { items: entry }
}

/** Gives the entries one after another, repetitions unrolled. */
function* unrolled(entries: readonly ScriptEntry[]): Generator<ScriptEntry, undefined> {
  for (const entry of entries) for (let i = 0; i < (entry.times ?? 1); i += 1) yield entry
  return undefined
}

const EXHAUSTED: readonly ScriptItem[] = [{ do: 'throw', message: 'script exhausted' }]
const named = (given: string | null | undefined): string | undefined =>
  given === null ? undefined : (given ?? 'mock')

/**
 * Makes a model that follows `entries`: texts in the notation (`text "hi"`, `call c1 echo`, `error SERVER`), lists of
 * items made with `script`, or whole entries.
 *
 * @throws ScriptPhraseError for a text that it cannot read.
 */
export function scriptedModel(
  entries: readonly Entry[],
  options: ScriptedModelOptions = {},
): ScriptedModel {
  const { latches = new Latches(), clock = systemClock } = options
  const script = unrolled(entries.map(entryOf))
  const requests: RecordedRequest[] = []
  return {
    ...defined({
      provider: named(options.provider),
      modelId: named(options.modelId),
      contextWindow: options.contextWindow,
    }),
    requests,
    release: (gate) => latches.open(gate),
    stream(request, context) {
      const history = printRequest(request.messages)
      const made = { request, context, history, gated: false, stalled: false }
      requests.push(made)
      const items = script.next().value?.items ?? EXHAUSTED
      options.onRequest?.(made)
      return playItems(items, made, latches, clock)
    },
  }
}
