/**
 * A run as it is told to somebody who watches: blocks that open, grow and close, calls and their outcomes, the ends of
 * steps and turns. Formats of others (AI SDK, AG-UI) are made from this.
 *
 * N1 What was streamed is not said again by its message; what was not streamed, or not to its end, is said by its message.
 * N2 Every block that was opened is closed, also where its attempt failed or was cut.
 * N3 An attempt whose beginning was missed is told by its message; a step or a call that was not told has no end or answer.
 * N4 A call is told by its own key, never by the provider's id, which may repeat.
 *
 * @module
 */
import type { Chunk } from '../../events/chunk.ts'
import type { StepAt, StoredEvent } from '../../events/event.ts'
import type { AssistantBlock } from '../../events/message.ts'
import { argumentsLeft, restOf, type OpenBlock, type ToldBlock } from './rest-of.ts'
import type { BlockType, Told } from './told.ts'

/** A chunk that is told as it comes and recorded nowhere. */
export interface LiveChunk extends StepAt {
  readonly type: 'chunk'
  readonly attempt: number
  readonly chunk: Chunk
}

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

/** Tells one session, event by event. */
export class Narration {
  private readonly blocks = new Map<number, OpenBlock>()
  /** Tool calls that the present attempt has begun. */
  private calls = 0
  /** Blocks of the present attempt, in order. */
  private streamed: ToldBlock[] = []
  /** Was the beginning of the present attempt seen? */
  private whole = false
  /** Was the beginning of the present step told? */
  private within = false
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
      this.within = true
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
    'approval/asked': ({ data: { call, question } }) =>
      this.known.has(call.key) ? [{ kind: 'asked', call: call.key, question }] : [],
    'approval/decided': ({ data: { call, answer } }) =>
      this.known.has(call.key) ? [{ kind: 'answered', call: call.key, answer }] : [],
    // A repair answers calls that never began: nobody was told of them.
    'tool/result': ({ data: { call, outcome } }) =>
      this.known.delete(call.key) ? [{ kind: 'outcome', call: call.key, outcome }] : [],
    'step/end': ({ data: { turn, step } }) => {
      const told = this.closeAll()
      if (this.within) told.push({ kind: 'step-end', turn, step })
      this.within = false
      return told
    },
    'turn/end': ({ data: { turn, reason } }) => [{ kind: 'turn-end', turn, reason }],
  }

  private begin(): void {
    this.blocks.clear()
    this.calls = 0
    this.streamed = []
    this.whole = true
  }

  private chunk({ turn, step, attempt, chunk }: Omit<LiveChunk, 'type'>): readonly Told[] {
    // Files come with their message, whole as they are.
    if (chunk.kind === 'file') return []
    if (!this.whole || !('block' in chunk)) return []
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
    const told = this.streamed.find(({ block }) => block === open)
    if (!('text' in chunk)) {
      this.blocks.delete(chunk.block)
      if (told !== undefined) told.open = false
      return [{ kind: 'block-end', ...open }]
    }
    if (told !== undefined) told.length += chunk.text.length
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
    const opened = type === 'tool-call' ? { id, type, call } : { id, type }
    this.blocks.set(block, opened)
    this.streamed.push({ block: opened, length: 0, open: true })
    if (type !== 'tool-call') return { kind: 'block-start', id, type }
    this.calls += 1
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
    const calls = this.streamed.filter(({ block }) => block.type === 'tool-call')
    const texts = this.streamed.filter(
      ({ block, length, open }) => block.type !== 'tool-call' && (length > 0 || open),
    )
    const rest = (block: AssistantBlock, i: number): readonly Told[] =>
      block.type === 'tool-call'
        ? argumentsLeft(block, calls)
        : restOf(block, `${turn}.${step}.0.${i}`, texts)
    const told =
      transformedBy === undefined || texts.length === 0 ? message.content.flatMap(rest) : []
    return [...told, ...this.closeAll()]
  }
}
