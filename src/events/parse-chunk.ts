/**
 * Chunks from a model, checked where they enter. Adapters are foreign code, and a turn sees thousands of chunks: a delta
 * costs a few comparisons and one small object, the rare kinds are copied and frozen.
 *
 * @module
 */
import type { Chunk } from './chunk.ts'
import type { Failure, FileBlock, Usage } from './message.ts'
import { checkFile } from './parse-content.ts'
import {
  asInteger,
  asJson,
  asName,
  asNumber,
  asRecord,
  asText,
  asWord,
  ShapeError,
} from './shape.ts'

/** What a model streamed is no chunk: a classified failure of its attempt. */
export class MalformedChunkError extends Error {
  override readonly name = 'MalformedChunkError'
  /** The stream cannot be trusted, like one that broke; a retry may help. */
  readonly code = 'TRANSPORT'
}

const BLOCKS = ['text', 'reasoning', 'tool-call'] as const
const FINISHES = [
  'stop',
  'tool-calls',
  'max-tokens',
  'content-filter',
  'error',
  'aborted',
  'other',
] as const
const TOKENS = [
  'inputTokens',
  'outputTokens',
  'totalTokens',
  'reasoningTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
] as const

type Fields = { readonly [key: string]: unknown }

/**
 * Makes the chunk that is recorded; unknown fields are left out.
 *
 * @throws MalformedChunkError
 */
export function parseChunk(value: unknown): Chunk {
  try {
    const given = asRecord(value, 'the chunk')
    const kind = given['kind']
    return isDelta(kind)
      ? { kind, block: asInteger(given['block'], 'block'), text: asText(given['text'], 'text') }
      : readRare(kind, given)
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error
    throw new MalformedChunkError(`the model streamed a malformed chunk: ${error.message}`, {
      cause: error,
    })
  }
}

type Delta = 'text-delta' | 'reasoning-delta' | 'tool-call-delta'
type Rare = Exclude<Chunk['kind'], Delta>

const isDelta = (kind: unknown): kind is Delta =>
  kind === 'text-delta' || kind === 'reasoning-delta' || kind === 'tool-call-delta'

function readRare(kind: unknown, given: Fields): Chunk {
  const read = READ[kind as Rare]
  if (read !== undefined) return read(given)
  const rare = Object.keys(READ).join(', ')
  throw new ShapeError('kind', `one of text-delta, reasoning-delta, tool-call-delta, ${rare}`, kind)
}

type Read<K extends Rare> = (given: Fields) => Extract<Chunk, { kind: K }>

const READ: { readonly [K in Rare]: Read<K> } & { readonly __proto__: null } = {
  __proto__: null,
  'block-start': readStart,
  'block-end': (given) => {
    const block = asInteger(given['block'], 'block')
    const replay = given['replay']
    return replay === undefined
      ? { kind: 'block-end', block }
      : { kind: 'block-end', block, replay: asJson(replay, 'replay') }
  },
  file: (given) => {
    const file = asRecord(asJson(given['file'], 'file'), 'file')
    asWord(file['type'], 'file.type', ['file', 'image'])
    checkFile(file, 'file')
    return { kind: 'file', file: file as unknown as FileBlock }
  },
  provider: (given) => ({
    kind: 'provider',
    type: asName(given['type'], 'type'),
    value: asJson(given['value'], 'value'),
  }),
  usage: (given) => ({ kind: 'usage', usage: parseUsage(given['usage'], 'usage') }),
  finish: readFinish,
}

function readStart(given: Fields): Extract<Chunk, { kind: 'block-start' }> {
  const block = asInteger(given['block'], 'block')
  const type = asWord(given['type'], 'type', BLOCKS)
  if (type !== 'tool-call') return { kind: 'block-start', block, type }
  const name = asText(given['name'], 'name')
  const id = given['id']
  return id === undefined
    ? { kind: 'block-start', block, type, name }
    : { kind: 'block-start', block, type, id: asText(id, 'id'), name }
}

function readFinish(given: Fields): Extract<Chunk, { kind: 'finish' }> {
  const { raw, failure } = given
  return {
    kind: 'finish',
    reason: asWord(given['reason'], 'reason', FINISHES),
    ...(raw !== undefined && { raw: asText(raw, 'raw') }),
    ...(failure !== undefined && { failure: parseFailure(failure, 'failure') }),
  }
}

/** Usage from outside: numbers from 0 on, unknown ones left out. @throws ShapeError */
export function parseUsage(value: unknown, path: string): Usage {
  const given = asRecord(value, path)
  const usage: { -readonly [K in keyof Usage]: Usage[K] } = {}
  for (const key of TOKENS) {
    if (given[key] !== undefined) usage[key] = asNumber(given[key], `${path}.${key}`)
  }
  return usage
}

/** A classified failure from outside. @throws ShapeError */
export function parseFailure(value: unknown, path: string): Failure {
  const given = asRecord(value, path)
  const { status, retryAfterMs, requestId } = given
  return {
    code: asName(given['code'], `${path}.code`),
    message: asText(given['message'], `${path}.message`),
    ...(status !== undefined && { status: asNumber(status, `${path}.status`) }),
    ...(retryAfterMs !== undefined && {
      retryAfterMs: asNumber(retryAfterMs, `${path}.retryAfterMs`),
    }),
    ...(requestId !== undefined && { requestId: asText(requestId, `${path}.requestId`) }),
  }
}
