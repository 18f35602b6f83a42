/**
 * Puts the message of one stream together, the plain way.
 *
 * @module
 */
import type { Chunk, FinishReason } from '../../src/events/chunk.ts'
import type { AssistantBlock, AssistantMessage, Usage } from '../../src/events/message.ts'

/** An event as the floor keeps it. */
export interface FloorEvent {
  readonly seq: number
  readonly time: number
  readonly type: string
  readonly data: object
  readonly cites?: readonly number[]
}

interface Part {
  readonly type: string
  readonly id: string
  readonly name: string
  text: string
}

/** The chunks of one stream. */
export class Assembly {
  usage: Usage | undefined
  finish: FinishReason | undefined
  readonly #parts: Part[] = []

  add(chunk: Chunk): void {
    if (chunk.kind === 'text-delta' || chunk.kind === 'tool-call-delta') {
      const part = this.#parts[chunk.block]
      if (part !== undefined) part.text += chunk.text
    } else this.#addRare(chunk)
  }

  #addRare(chunk: Chunk): void {
    if (chunk.kind === 'block-start') {
      const { type, id = '', name = '' } = chunk
      this.#parts[chunk.block] = { type, id, name, text: '' }
    } else if (chunk.kind === 'usage') this.usage = chunk.usage
    else if (chunk.kind === 'finish') this.finish = chunk.reason
  }

  message(turn: number, step: number): AssistantMessage {
    let index = 0
    const content = this.#parts.map(({ type, id, name, text }): AssistantBlock => {
      if (type !== 'tool-call') return { type: 'text', text }
      const call = { key: `${turn}.${step}.${index}`, index: index++, providerId: id }
      return { type: 'tool-call', call, name, arguments: text }
    })
    return { role: 'assistant', content }
  }
}
