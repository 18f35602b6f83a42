/**
 * Numbers the blocks of one attempt and keeps the open ones.
 *
 * B1 A block opens with its first text, or at its end if it has none but carries private data of the provider; a block
 *    with neither never was.
 * B2 Private data of all parts of a block is merged, later parts win.
 * B3 Deltas of a call add up to the arguments of its `tool-call` part; a call without that part stays open.
 * B4 Only calls of offered tools are shown while they stream. Others are held back until their `tool-call` part: some
 *    packages say only there that the provider runs the call itself.
 *
 * @module
 */
import { isDeepStrictEqual } from 'node:util'
import { ModelError } from '../../actors/model.port.ts'
import type { Chunk } from '../../events/chunk.ts'
import type { Json } from '../../events/json.ts'
import { toJson } from './json-value.ts'
import { recordOf } from './language-model.ts'

type TextType = 'text' | 'reasoning'

interface OpenText {
  readonly type: TextType
  block?: number
  replay?: Readonly<Record<string, Json>>
}

interface OpenCall {
  readonly id: string
  readonly name: string
  /** Absent while it is held back. */
  block?: number
  /** The provider streams a plain text, and gives it as a JSON string at the end. */
  readonly plain: boolean
  text: string
  replay?: Readonly<Record<string, Json>>
}

/** Merges the private data of one more part, provider by provider. */
function withMetadata(open: OpenText | OpenCall, metadata: unknown): void {
  const given = recordOf(metadata)
  if (given === undefined) return
  const merged: Record<string, Json> = { ...open.replay }
  for (const [provider, value] of Object.entries(given)) {
    const before = recordOf(merged[provider])
    const after = recordOf(value)
    merged[provider] = toJson(
      before !== undefined && after !== undefined ? { ...before, ...after } : value,
    )
  }
  open.replay = merged
}

const end = (block: number, replay: Json | undefined): Chunk => ({
  kind: 'block-end',
  block,
  ...(replay !== undefined && { replay }),
})

const parsed = (text: string): Json | undefined => {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/** A piece of a plain text as a piece of its JSON string. */
const plainPiece = ({ text }: OpenCall, delta: string): string =>
  (text === '' ? '"' : '') + JSON.stringify(delta).slice(1, -1)

/** What is missing of the streamed text. */
function restOf({ text, plain }: OpenCall, input: string): string {
  if (input.startsWith(text)) return input.slice(text.length)
  // A character that was cut between two pieces is escaped in the pieces.
  return plain ? '"' : ''
}

/** Do the streamed text and the final input say the same? */
function agree(text: string, input: string): boolean {
  if (text === input) return true
  const final = parsed(input)
  if (final === undefined) return false
  const streamed = parsed(text)
  // Some packages stream a plain text without saying so.
  return streamed === undefined ? final === text : isDeepStrictEqual(streamed, final)
}

/** The blocks of one attempt. */
export class Blocks {
  #next = 0
  readonly #offered: ReadonlySet<string>
  readonly #texts = new Map<string, OpenText>()
  readonly #calls = new Map<string, OpenCall>()

  /** @param offered - names of the tools that the agent runs. */
  constructor(offered: ReadonlySet<string>) {
    this.#offered = offered
  }

  #open(open: OpenText): Chunk[] {
    if (open.block !== undefined) return []
    open.block = this.#next++
    return [{ kind: 'block-start', block: open.block, type: open.type }]
  }

  startText(type: TextType, id: string, metadata: unknown): void {
    const open: OpenText = { type }
    withMetadata(open, metadata)
    this.#texts.set(`${type} ${id}`, open)
  }

  addText(type: TextType, id: string, text: string, metadata: unknown): Chunk[] {
    if (!this.#texts.has(`${type} ${id}`)) this.startText(type, id, undefined)
    const open = this.#texts.get(`${type} ${id}`)
    if (open === undefined) return []
    withMetadata(open, metadata)
    if (text === '') return []
    const started = this.#open(open)
    return [...started, { kind: `${type}-delta`, block: open.block ?? 0, text }]
  }

  endText(type: TextType, id: string, metadata: unknown): Chunk[] {
    const open = this.#texts.get(`${type} ${id}`)
    if (open === undefined) return []
    this.#texts.delete(`${type} ${id}`)
    withMetadata(open, metadata)
    return this.#close(open)
  }

  #close(open: OpenText): Chunk[] {
    if (open.block === undefined && open.replay === undefined) return []
    const started = this.#open(open)
    return [...started, end(open.block ?? 0, open.replay)]
  }

  /** Closes what a provider left open at its finish. Calls stay open (B3). */
  closeTexts(): Chunk[] {
    const chunks = [...this.#texts.values()].flatMap((open) => this.#close(open))
    this.#texts.clear()
    return chunks
  }

  startCall(id: string, name: string, plain: boolean, metadata: unknown): Chunk[] {
    const open: OpenCall = { id, name, plain, text: '' }
    withMetadata(open, metadata)
    this.#calls.set(id, open)
    return this.#offered.has(name) ? this.#show(open) : []
  }

  addCall(id: string, delta: string, metadata: unknown): Chunk[] {
    const open = this.#calls.get(id)
    if (open === undefined) return []
    withMetadata(open, metadata)
    return this.#append(open, open.plain ? plainPiece(open, delta) : delta)
  }

  /** Starts the block of a call, with the text it has by now. */
  #show(open: OpenCall): Chunk[] {
    if (open.block !== undefined) return []
    open.block = this.#next++
    const { id, name, block, text } = open
    const start: Chunk = { kind: 'block-start', block, type: 'tool-call', id, name }
    return text === '' ? [start] : [start, { kind: 'tool-call-delta', block, text }]
  }

  #append(open: OpenCall, text: string): Chunk[] {
    if (text === '') return []
    open.text += text
    return open.block === undefined ? [] : [{ kind: 'tool-call-delta', block: open.block, text }]
  }

  /** Takes private data of a call whose arguments go on. */
  touchCall(id: string, metadata: unknown): void {
    const open = this.#calls.get(id)
    if (open !== undefined) withMetadata(open, metadata)
  }

  /** @throws ModelError TRANSPORT when `input` contradicts the streamed pieces. */
  endCall(id: string, name: string, input: string, metadata: unknown): Chunk[] {
    const open: OpenCall = this.#calls.get(id) ?? { id, name, plain: false, text: '' }
    this.#calls.delete(id)
    withMetadata(open, metadata)
    const rest = this.#append(open, restOf(open, input))
    if (!agree(open.text, input)) {
      throw new ModelError({
        code: 'TRANSPORT',
        message: `the arguments of call ${id} differ from the pieces that were streamed`,
      })
    }
    return [...this.#show(open), ...rest, end(open.block ?? 0, open.replay)]
  }

  /** The provider runs this call itself: what was held back of it is dropped. */
  dropCall(id: string): void {
    if (this.#calls.get(id)?.block === undefined) this.#calls.delete(id)
  }

  /** The calls that never ended, shown as far as they came (B3). */
  unfinishedCalls(): Chunk[] {
    return [...this.#calls.values()].flatMap((open) => this.#show(open))
  }

  get hasUnfinishedCalls(): boolean {
    return this.#calls.size > 0
  }
}
