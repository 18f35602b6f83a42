/**
 * A run as it is told to somebody who watches: blocks that open, grow and close, calls and their outcomes, the ends of
 * steps and turns. Formats of others (AI SDK, AG-UI) are made from this.
 *
 * N1 What was streamed is not said again by its message; what was not streamed, or not to its end, is said by its message.
 * N2 Every block that was opened is closed, also where its attempt failed or was cut.
 * N3 A call is told by its own key, never by the provider's id, which may repeat.
 *
 * @module
 */
import type { Chunk } from '../../events/chunk.ts'
import type { ApprovalQuestion, StepAt, StoredEvent } from '../../events/event.ts'
import type { AssistantBlock, FileBlock, Outcome, TurnReason } from '../../events/message.ts'

/** A chunk that is told as it comes and recorded nowhere. */
export interface LiveChunk extends StepAt {
  readonly type: 'chunk'
  readonly attempt: number
  readonly chunk: Chunk
}

export type BlockType = 'text' | 'reasoning' | 'tool-call'

/** One thing that is told. Ids of blocks are unique in the session; `call` is the key of a call. */
export type Told =
  | { readonly kind: 'turn-start'; readonly turn: number }
  | { readonly kind: 'step-start'; readonly turn: number; readonly step: number }
  | { readonly kind: 'block-start'; readonly id: string; readonly type: 'text' | 'reasoning' }
  | {
      readonly kind: 'block-start'
      readonly id: string
      readonly type: 'tool-call'
      readonly call: string
      readonly name: string
    }
  | {
      readonly kind: 'delta'
      readonly id: string
      readonly type: BlockType
      readonly text: string
      readonly call?: string
    }
  | {
      readonly kind: 'block-end'
      readonly id: string
      readonly type: BlockType
      readonly call?: string
    }
  | { readonly kind: 'file'; readonly file: FileBlock }
  /** The attempt failed: what was told of it since its step or its last failure does not count. */
  | { readonly kind: 'failed'; readonly message: string; readonly retries: boolean }
  | { readonly kind: 'call'; readonly call: string; readonly name: string; readonly text: string }
  | { readonly kind: 'asked'; readonly call: string; readonly question: ApprovalQuestion }
  | { readonly kind: 'answered'; readonly call: string; readonly answer: string }
  | { readonly kind: 'outcome'; readonly call: string; readonly outcome: Outcome }
  | { readonly kind: 'step-end'; readonly turn: number; readonly step: number }
  | { readonly kind: 'turn-end'; readonly turn: number; readonly reason: TurnReason }

/** What a format makes of each thing that is told. */
export type Telling<T> = {
  readonly [kind in Told['kind']]: (told: Extract<Told, { readonly kind: kind }>) => readonly T[]
}

/** What `format` makes of it. */
export const tell = <T>(format: Telling<T>, told: Told): readonly T[] =>
  (format[told.kind] as (told: Told) => readonly T[])(told)

/** The events that tell something. */
type TellingEvents = {
  readonly [
    type in
      | 'turn/start'
      | 'step/start'
      | 'assistant/chunk'
      | 'request/failed'
      | 'assistant/message'
      | 'tool/call'
      | 'approval/asked'
      | 'approval/decided'
      | 'tool/result'
      | 'step/end'
      | 'turn/end'
  ]: (event: StoredEvent<type>) => readonly Told[]
}

interface OpenBlock {
  readonly id: string
  readonly type: BlockType
  readonly call?: string
}

/** A text of the present attempt, as far as it was told. */
interface ToldText {
  readonly block: OpenBlock
  length: number
  open: boolean
}

/** Tells one session, event by event. */
export class Narration {
  private readonly blocks = new Map<number, OpenBlock>()
  /** Tool calls that the present attempt has begun. */
  private calls = 0
  /** Text and reasoning of the present attempt, in order. */
  private texts: ToldText[] = []
  private readonly known = new Set<string>()

  /** What is to be told of it, in order. Most events of the inbox tell nothing. */
  take(event: StoredEvent | LiveChunk): readonly Told[] {
    if (event.type === 'chunk') return this.chunk(event)
    const telling = this.told[event.type as keyof TellingEvents]
    return telling === undefined ? [] : (telling as (event: StoredEvent) => readonly Told[])(event)
  }

  private readonly told: TellingEvents = {
    'turn/start': ({ data: { turn } }) => [{ kind: 'turn-start', turn }],
    'step/start': ({ data: { turn, step } }) => {
      this.begin()
      return [{ kind: 'step-start', turn, step }]
    },
    'assistant/chunk': ({ data }) => this.chunk(data),
    'request/failed': ({ data: { failure, action } }) => {
      const told = this.closeAll()
      this.begin()
      return [...told, { kind: 'failed', message: failure.message, retries: action === 'retry' }]
    },
    'assistant/message': (event) => this.message(event),
    'tool/call': ({ data: { call, name, arguments: text } }) => {
      this.known.add(call.key)
      return [{ kind: 'call', call: call.key, name, text }]
    },
    'approval/asked': ({ data: { call, question } }) => [
      { kind: 'asked', call: call.key, question },
    ],
    'approval/decided': ({ data: { call, answer } }) => [
      { kind: 'answered', call: call.key, answer },
    ],
    // A repair answers calls that never began: nobody was told of them.
    'tool/result': ({ data: { call, outcome } }) =>
      this.known.delete(call.key) ? [{ kind: 'outcome', call: call.key, outcome }] : [],
    'step/end': ({ data: { turn, step } }) => [
      ...this.closeAll(),
      { kind: 'step-end', turn, step },
    ],
    'turn/end': ({ data: { turn, reason } }) => [{ kind: 'turn-end', turn, reason }],
  }

  private begin(): void {
    this.blocks.clear()
    this.calls = 0
    this.texts = []
  }

  private chunk({ turn, step, attempt, chunk }: Omit<LiveChunk, 'type'>): readonly Told[] {
    // Files come with their message, whole as they are.
    if (chunk.kind === 'file') return []
    if (!('block' in chunk)) return []
    const open = this.blocks.get(chunk.block)
    if (chunk.kind === 'block-start') {
      return [
        this.open(chunk.block, `${turn}.${step}.${attempt}.${chunk.block}`, {
          type: chunk.type,
          name: chunk.name ?? '',
          call: `${turn}.${step}.${this.calls}`,
        }),
      ]
    }
    if (open === undefined) return []
    return this.goOn(open, chunk)
  }

  /** A block that is open grows or closes. */
  private goOn(
    open: OpenBlock,
    chunk: Extract<Chunk, { readonly block: number }>,
  ): readonly Told[] {
    const text = this.texts.find(({ block }) => block === open)
    if (!('text' in chunk)) {
      this.blocks.delete(chunk.block)
      if (text !== undefined) text.open = false
      return [{ kind: 'block-end', ...open }]
    }
    if (text !== undefined) text.length += chunk.text.length
    return chunk.text === '' ? [] : [{ kind: 'delta', ...open, text: chunk.text }]
  }

  private open(
    block: number,
    id: string,
    {
      type,
      name,
      call,
    }: { readonly type: BlockType; readonly name: string; readonly call: string },
  ): Told {
    if (type !== 'tool-call') {
      const opened = { id, type }
      this.blocks.set(block, opened)
      this.texts.push({ block: opened, length: 0, open: true })
      return { kind: 'block-start', id, type }
    }
    this.calls += 1
    this.blocks.set(block, { id, type, call })
    return { kind: 'block-start', id, type, call, name }
  }

  private closeAll(): Told[] {
    const told = [...this.blocks.values()].map((open): Told => ({ kind: 'block-end', ...open }))
    this.blocks.clear()
    return told
  }

  /** What was not streamed, or not to its end, is told now. A gate that changed the text has the last word elsewhere. */
  private message({ data }: StoredEvent<'assistant/message'>): readonly Told[] {
    const { turn, step, message, transformedBy } = data
    const streamed = this.texts.filter(({ length, open }) => length > 0 || open)
    const told =
      transformedBy === undefined || streamed.length === 0
        ? message.content.flatMap((block, i) => restOf(block, `${turn}.${step}.0.${i}`, streamed))
        : []
    return [...told, ...this.closeAll()]
  }
}

/** What of `block` is still to be told. @param streamed - the texts before it were taken off. */
function restOf(block: AssistantBlock, id: string, streamed: ToldText[]): readonly Told[] {
  if (block.type !== 'text' && block.type !== 'reasoning') return fileOf(block)
  const { type, text } = block
  // An empty one was told by nobody, and stands for no text that was streamed.
  if (text === '') return []
  const seen = streamed.shift()
  const rest = text.slice(seen?.length)
  if (rest === '') return []
  const delta = { kind: 'delta', id, type, text: rest } as const
  return seen?.open === true
    ? [{ ...delta, ...seen.block }]
    : [{ kind: 'block-start', id, type }, delta, { kind: 'block-end', id, type }]
}

/** Files come whole. */
const fileOf = (block: AssistantBlock): readonly Told[] =>
  block.type === 'file' || block.type === 'image' ? [{ kind: 'file', file: block }] : []
