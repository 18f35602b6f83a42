/**
 * Maps the parts of one stream to chunks, part by part.
 *
 * M1 One `finish` ends the attempt: its part is the last one that is read. An error part makes the attempt a failed
 *    one, whatever comes later.
 * M2 Calls that the provider runs itself, with their results, sources and its other whole parts are `provider` chunks.
 * M3 Parts that say something about the stream (warnings, response metadata, raw parts, pings, preliminary results)
 *    become nothing: the log keeps what was said, not how it came. The option `onPart` sees them.
 * M4 An answer that ends in the middle of a call is a failed one, unless a token limit cut it.
 * M5 A part of an unknown type, or one that lacks what its type requires, fails the attempt.
 *
 * @module
 */
import { ModelError } from '../../actors/model.port.ts'
import type { Chunk } from '../../events/chunk.ts'
import type { Failure, FileBlock } from '../../events/message.ts'
import { Blocks } from './blocks.ts'
import { failureOf, type FailureScene } from './failure.ts'
import { BROKEN, endedAsError, endingOf, usageOf, type Ending } from './finish.ts'
import { toJson } from './json-value.ts'
import { recordOf, type StreamPart } from './language-model.ts'

/** What one part becomes. */
type Mapping = (mapper: PartMapper, part: StreamPart) => Chunk[]

function textOf(part: StreamPart, field: string): string {
  const value = part[field]
  if (typeof value === 'string') return value
  throw new ModelError({
    code: 'TRANSPORT',
    message: `a ${part.type} part of the stream lacks its ${field}`,
  })
}

const whole: Mapping = (_, part) => {
  const { type, ...value } = part
  return [{ kind: 'provider', type, value: toJson(value) }]
}

const nothing: Mapping = () => []

/** Version 4 tags the data of a file; before, it was bytes or base64. */
function fileOf(part: StreamPart): FileBlock {
  const mediaType = textOf(part, 'mediaType')
  const type = mediaType.startsWith('image/') ? 'image' : 'file'
  const tagged = recordOf(part['data'])
  const url = toJson(tagged?.['url'])
  if (typeof url === 'string') return { type, mediaType, url }
  const data = tagged?.['type'] === 'data' ? tagged['data'] : part['data']
  return { type, mediaType, data: textOf({ ...part, data: toJson(data) }, 'data') }
}

const MAPPINGS: Readonly<Record<string, Mapping>> = {
  'text-start': ({ blocks }, part) => {
    blocks.startText('text', textOf(part, 'id'), part['providerMetadata'])
    return []
  },
  'text-delta': ({ blocks }, part) =>
    blocks.addText('text', textOf(part, 'id'), textOf(part, 'delta'), part['providerMetadata']),
  'text-end': ({ blocks }, part) =>
    blocks.endText('text', textOf(part, 'id'), part['providerMetadata']),
  'reasoning-start': ({ blocks }, part) => {
    blocks.startText('reasoning', textOf(part, 'id'), part['providerMetadata'])
    return []
  },
  'reasoning-delta': ({ blocks }, part) =>
    blocks.addText(
      'reasoning',
      textOf(part, 'id'),
      textOf(part, 'delta'),
      part['providerMetadata'],
    ),
  'reasoning-end': ({ blocks }, part) =>
    blocks.endText('reasoning', textOf(part, 'id'), part['providerMetadata']),
  'tool-input-start': ({ blocks }, part) => {
    // What the provider runs itself comes whole in its `tool-call` part (M2).
    if (part['providerExecuted'] === true) return []
    const plain = part['inputEncoding'] === 'text'
    return blocks.startCall(
      textOf(part, 'id'),
      textOf(part, 'toolName'),
      plain,
      part['providerMetadata'],
    )
  },
  'tool-input-delta': ({ blocks }, part) =>
    blocks.addCall(textOf(part, 'id'), textOf(part, 'delta'), part['providerMetadata']),
  'tool-input-end': ({ blocks }, part) => {
    // The `tool-call` part closes the block: it may add private data.
    blocks.touchCall(textOf(part, 'id'), part['providerMetadata'])
    return []
  },
  'tool-call': (mapper, part) => {
    const id = textOf(part, 'toolCallId')
    const name = textOf(part, 'toolName')
    const input = textOf(part, 'input')
    if (part['providerExecuted'] !== true) {
      return mapper.blocks.endCall(id, name, input, part['providerMetadata'])
    }
    mapper.blocks.dropCall(id)
    return whole(mapper, part)
  },
  'tool-result': (mapper, part) => (part['preliminary'] === true ? [] : whole(mapper, part)),
  'tool-approval-request': whole,
  source: whole,
  custom: whole,
  'reasoning-file': whole,
  file: (_, part) => [{ kind: 'file', file: fileOf(part) }],
  'stream-start': nothing,
  'response-metadata': nothing,
  raw: nothing,
  ping: nothing,
  error: (mapper, part) => mapper.fail(part['error']),
  finish: (mapper, part) => mapper.finish(part),
}

/** Maps the parts of one stream. */
export class PartMapper {
  readonly blocks: Blocks
  readonly #scene: FailureScene
  #failure: Failure | undefined
  #finished = false

  /** @param offered - names of the tools that the agent runs. */
  constructor(scene: FailureScene, offered: ReadonlySet<string>) {
    this.#scene = scene
    this.blocks = new Blocks(offered)
  }

  /** Has the `finish` part come? */
  get finished(): boolean {
    return this.#finished
  }

  /** The failure that error parts have told so far: the first one that says more than UNKNOWN, else the first. */
  get failure(): Failure | undefined {
    return this.#failure
  }

  /** @throws ModelError when the part cannot be mapped (M5). */
  map(part: StreamPart): Chunk[] {
    const mapping = Object.hasOwn(MAPPINGS, part.type) ? MAPPINGS[part.type] : undefined
    if (mapping !== undefined) return mapping(this, part)
    throw new ModelError({
      code: 'UNKNOWN',
      message: `the stream holds a part of the unknown type '${part.type}'`,
    })
  }

  fail(error: unknown): Chunk[] {
    const failure = failureOf(error, this.#scene)
    if (this.#failure === undefined || this.#failure.code === 'UNKNOWN') this.#failure = failure
    return []
  }

  finish(part: StreamPart): Chunk[] {
    this.#finished = true
    const { reason, raw } = endingOf(part)
    const usage = usageOf(part)
    const used: Chunk[] = usage === undefined ? [] : [{ kind: 'usage', usage }]
    const word = raw === undefined ? {} : { raw }
    const failure = this.#failure ?? this.#failureOf(reason, raw)
    if (failure !== undefined || reason === 'broken') {
      return [...used, { kind: 'finish', reason: 'error', ...word, failure: failure ?? BROKEN }]
    }
    const closed = [...this.blocks.closeTexts(), ...this.blocks.unfinishedCalls()]
    return [...closed, ...used, { kind: 'finish', reason, ...word }]
  }

  #failureOf(reason: Ending['reason'], raw: string | undefined): Failure | undefined {
    if (reason === 'error') return endedAsError(raw)
    // Only a token limit may cut a call; any other answer with half a call must not be acted on.
    return reason !== 'max-tokens' && this.blocks.hasUnfinishedCalls ? UNFINISHED_CALL : undefined
  }
}

const UNFINISHED_CALL: Failure = {
  code: 'TRANSPORT',
  message: 'the stream ended in the middle of a tool call',
}
