/**
 * Messages, sources and causes from outside: checked, copied and frozen where they enter.
 *
 * M1 What is accepted is deeply frozen lossless JSON, and nothing of the caller's is frozen or shared.
 * M2 What is refused names its path, what was expected and what was found.
 *
 * @module
 */
import { TurnwiseError } from '../errors.ts'
import type { Cause, ContentBlock, Message, MessageInput, Source } from './message.ts'
import { deepFreeze } from './json.ts'
import { checkContent, textContent } from './parse-content.ts'
import { asJson, asName, asRecord, asText, asWord, onlyKeys, ShapeError } from './shape.ts'

const MESSAGE_KEYS = ['id', 'role', 'content', 'source', 'metadata']
const SOURCES = ['user', 'plugin', 'tool', 'model', 'goal', 'child'] as const
const CAUSES = ['user', 'parent', 'hook'] as const

/**
 * Makes the message that is recorded.
 *
 * @param ids - makes an id where the input has none.
 * @param defaultSource - stands in where the input has none; frozen in place.
 * @throws TurnwiseError INVALID_MESSAGE
 */
export function parseMessage(
  input: MessageInput,
  ids: () => string,
  defaultSource: Source,
): Message {
  if (typeof input === 'string')
    return message(ids(), textContent(input), deepFreeze(defaultSource))
  try {
    return Array.isArray(input)
      ? message(ids(), content(input, 'content'), deepFreeze(defaultSource))
      : whole(asRecord(input, ''), ids, defaultSource)
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error
    throw new TurnwiseError(
      'INVALID_MESSAGE',
      `expected a text, content blocks or a message, but ${error.message}; nothing was written. Fix the message.`,
      { cause: error },
    )
  }
}

function message(id: string, blocks: readonly ContentBlock[], source: Source): Message {
  return Object.freeze({ id, role: 'user' as const, content: blocks, source })
}

function whole(
  input: { readonly [key: string]: unknown },
  ids: () => string,
  defaultSource: Source,
): Message {
  onlyKeys(input, '', MESSAGE_KEYS)
  const { id, role, source, metadata } = input
  if (role !== undefined) asWord(role, 'role', ['user'])
  const known = {
    id: id === undefined ? ids() : asName(id, 'id'),
    role: 'user' as const,
    content: content(input['content'], 'content'),
    source: source === undefined ? deepFreeze(defaultSource) : checkSource(source, 'source'),
  }
  return Object.freeze(
    metadata === undefined ? known : { ...known, metadata: asJson(metadata, 'metadata') },
  )
}

function content(value: unknown, path: string): readonly ContentBlock[] {
  return typeof value === 'string' ? textContent(value) : checkContent(asJson(value, path), path)
}

/**
 * Makes the source that is recorded; every field beside `kind` and `plugin` belongs to the sender.
 *
 * @throws TurnwiseError INVALID_MESSAGE
 */
export function parseSource(input: unknown): Source {
  try {
    return checkSource(input, 'source')
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error
    throw new TurnwiseError(
      'INVALID_MESSAGE',
      `expected a source, but ${error.message}; nothing was written.`,
      {
        cause: error,
      },
    )
  }
}

function checkSource(input: unknown, path: string): Source {
  const source = asRecord(asJson(input, path), path)
  asWord(source['kind'], `${path}.kind`, SOURCES)
  if (source['plugin'] !== undefined) asText(source['plugin'], `${path}.plugin`)
  return source as Source
}

/**
 * Makes the cause of a cancel: one frozen object, which is both the reason of the signal and what the log records.
 *
 * @throws TurnwiseError INVALID_OPTION for an unknown kind, for `disposed` (reserved for disposal) and for what is not
 *   lossless JSON.
 */
export function parseCause(input: 'user' | 'parent' | 'hook' | Cause): Cause {
  try {
    if (typeof input === 'string') return Object.freeze({ kind: asWord(input, 'cause', CAUSES) })
    const cause = asRecord(asJson(input, 'cause'), 'cause')
    asWord(cause['kind'], 'cause.kind', CAUSES)
    return cause as Cause
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error
    throw new TurnwiseError(
      'INVALID_OPTION',
      `expected a cause, but ${error.message}; nothing was written.`,
      {
        cause: error,
      },
    )
  }
}
