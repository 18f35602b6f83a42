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
import { argumentsLeft, restOf, type ToldBlock } from './rest-of.ts'
import type { OpenBlock, Told } from './told.ts'

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
  /** Blocks that are open, by their numbers. */
  private readonly blocks = new Map<number, ToldBlock>()
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
    if (!this.whole || !('block' in chunk)) return []
    if (chunk.kind === 'block-start')
      return [this.open(chunk, `${turn}.${step}`, `${turn}.${step}.${attempt}.${chunk.block}`)]
    const open = this.blocks.get(chunk.block)
    return open === undefined ? [] : this.goOn(open, chunk)
  }

  /** A block that is open grows or closes. */
  private goOn(
    open: ToldBlock,
    chunk: Extract<Chunk, { readonly block: number }>,
  ): readonly Told[] {
    if (!('text' in chunk)) {
      this.blocks.delete(chunk.block)
      open.open = false
      return [{ kind: 'block-end', ...open.block }]
    }
    open.text += chunk.text
    return chunk.text === '' ? [] : [{ kind: 'delta', ...open.block, text: chunk.text }]
  }

  /** @param at - turn and step, with which the keys of its calls begin. */
  private open(
    { block: number, type, name = '' }: Extract<Chunk, { readonly kind: 'block-start' }>,
    at: string,
    id: string,
  ): Told {
    const block: OpenBlock =
      type === 'tool-call' ? { id, type, call: `${at}.${this.calls}` } : { id, type }
    const opened = { block, text: '', open: true }
    this.blocks.set(number, opened)
    this.streamed.push(opened)
    if (block.type !== 'tool-call') return { kind: 'block-start', ...block }
    this.calls += 1
    return { kind: 'block-start', ...block, name }
  }

  private closeAll(): Told[] {
    const told = [...this.blocks.values()].map(({ block }): Told => ({
      kind: 'block-end',
      ...block,
    }))
    this.blocks.clear()
    return told
  }

  /** What was not streamed, or not to its end, is told now. A gate that changed the text has the last word elsewhere. */
  private message({ data }: StoredEvent<'assistant/message'>): readonly Told[] {
    const { turn, step, message, transformedBy } = data
    const said = this.streamed.some(({ block, text }) => block.type !== 'tool-call' && text !== '')
    const changed = transformedBy !== undefined && said
    const left = [...this.streamed]
    const rest = (block: AssistantBlock, i: number): readonly Told[] => {
      if (block.type === 'tool-call') return argumentsLeft(block, left)
      const spoken = block.type === 'text' || block.type === 'reasoning'
      return changed && spoken ? [] : restOf(block, `${turn}.${step}.0.${i}`, left)
    }
    return [...message.content.flatMap(rest), ...this.closeAll()]
  }
}
