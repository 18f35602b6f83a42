/**
 * The blocks of one streamed attempt, put together from its chunks.
 *
 * @module
 */
import type { Chunk } from '../events/chunk.ts'
import type { StepAt } from '../events/event.ts'
import type { Json } from '../events/json.ts'
import type { AssistantBlock, AssistantMessage, CallRef } from '../events/message.ts'

interface Open {
  readonly type: 'text' | 'reasoning' | 'tool-call'
  readonly id: string
  readonly name: string
  text: string
  closed: boolean
  replay: Json | undefined
}

/** A call as it was streamed. */
export interface StreamedCall {
  readonly call: CallRef
  readonly name: string
  readonly arguments: string
}

type Part = Open | { readonly type: 'whole'; readonly block: AssistantBlock }

const withReplay = <T extends object>(block: T, replay: Json | undefined): T =>
  Object.freeze(replay === undefined ? block : { ...block, replay })

/** Collects chunks; read it with `message`, `prefix` and `calls`. */
export class StreamedBlocks {
  private readonly parts: Part[] = []
  private readonly byNumber: Open[] = []

  /** Takes any chunk but usage and finish. A delta without its block opens one. */
  add(chunk: Exclude<Chunk, { kind: 'usage' | 'finish' }>): void {
    switch (chunk.kind) {
      case 'text-delta':
        this.open(chunk.block, 'text').text += chunk.text
        return
      case 'reasoning-delta':
        this.open(chunk.block, 'reasoning').text += chunk.text
        return
      case 'tool-call-delta':
        this.open(chunk.block, 'tool-call').text += chunk.text
        return
      case 'block-start':
        this.open(chunk.block, chunk.type, chunk.id, chunk.name)
        return
      case 'block-end':
        this.end(chunk.block, chunk.replay)
        return
      case 'file':
        this.parts.push({ type: 'whole', block: chunk.file })
        return
      case 'provider':
        this.parts.push({
          type: 'whole',
          block: Object.freeze({ type: 'provider', kind: chunk.type, value: chunk.value }),
        })
    }
  }

  private open(block: number, type: Open['type'], id = '', name = ''): Open {
    const known = this.byNumber[block]
    if (known !== undefined) return known
    const part: Open = { type, id, name, text: '', closed: false, replay: undefined }
    this.byNumber[block] = part
    this.parts.push(part)
    return part
  }

  private end(block: number, replay: Json | undefined): void {
    const part = this.byNumber[block]
    if (part === undefined) return
    part.closed = true
    if (replay !== undefined) part.replay = replay
  }

  /** Nothing but blank text was streamed. */
  get empty(): boolean {
    return this.parts.every(
      (part) => part.type !== 'whole' && part.type !== 'tool-call' && part.text.trim() === '',
    )
  }

  /** A call was begun and never closed: its arguments may be cut. */
  get hasOpenCall(): boolean {
    return this.parts.some((part) => part.type === 'tool-call' && !part.closed)
  }

  /** The calls in the model's order, with the identity they have in the session. */
  calls({ turn, step }: StepAt): StreamedCall[] {
    const calls = this.parts.filter(isCall)
    return calls.map((part, index) => ({
      call: Object.freeze({ key: `${turn}.${step}.${index}`, index, providerId: part.id }),
      name: part.name,
      arguments: part.text,
    }))
  }

  /** The message of a finished attempt. @param cut - the step was truncated: its calls are left out. */
  message(at: StepAt, cut: boolean): AssistantMessage {
    const calls = this.calls(at)
    let next = 0
    const content: AssistantBlock[] = []
    for (const part of this.parts) {
      if (part.type === 'whole') content.push(part.block)
      else if (part.type === 'tool-call') {
        const call = calls[next++] as StreamedCall
        if (!cut) content.push(withReplay({ type: 'tool-call' as const, ...call }, part.replay))
      } else if (part.text !== '' || part.replay !== undefined) content.push(spoken(part))
    }
    return Object.freeze({ role: 'assistant', content: Object.freeze(content) })
  }

  /** What was visible when the attempt was cut: non-blank text and reasoning; undefined if there was none. */
  prefix(): AssistantMessage | undefined {
    const content = this.parts
      .filter(isSpoken)
      .filter((part) => part.text.trim() !== '')
      .map(spoken)
    return content.length === 0
      ? undefined
      : Object.freeze({ role: 'assistant', content: Object.freeze(content) })
  }
}

const isCall = (part: Part): part is Open => part.type === 'tool-call'

const isSpoken = (part: Part): part is Open => part.type === 'text' || part.type === 'reasoning'

const spoken = (part: Open): AssistantBlock =>
  withReplay(
    { type: part.type === 'reasoning' ? 'reasoning' : 'text', text: part.text },
    part.replay,
  )
