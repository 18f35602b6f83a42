/**
 * Reads a message of a phrase: `A`, `B (source plugin p)`, `X with source {kind plugin, plugin ""}`, `Y (actor U)`.
 *
 * @module
 */
import type { MessageInput, Source } from '../../events/message.ts'
import { defined } from '../defined.ts'
import { looseRecord } from './loose-value.ts'
import { take, unquote, type Match } from './phrase.ts'

export interface MessagePhrase {
  readonly input: MessageInput
  readonly text: string
  /** Was it written in quotes, or is it no text at all? */
  readonly quoted: boolean
  readonly actor?: string
}

const ACTOR = /[\s,]*\(?\b(?:as |by )?actor:? "?([\w:.-]+)"?\)?/
const SOURCE_RECORD =
  /[\s,]*\(?(?:with |from )?(?:the |an explicitly empty )?source:? (\{[^}]*\})\)?/
const SOURCE_WORDS =
  /[\s,]*\(?(?:with |from )?source:? (user|plugin|tool|model|goal|child)\b(?: "?(\w*)"?)?\)?/
const SOURCE_SHORT =
  /[\s,]*\((?:from (?:a |the )?)?(user|plugin|tool|model|goal|child)(?: source)?(?: "?(\w+)"?)?\)/
const SOURCE_FRONT = /^(?:a )?(user|plugin|tool|child|goal) message /
const ID = /[\s,]*\(?(?:with )?(?:the )?(?:same )?id:? "?([\w-]+)"?\)?/
const INVALID = /invalid|function|not JSON|non-JSON|NaN|undefined|without (?:an? )?content/

function sourceOf(hit: Match | undefined): Source | undefined {
  const kind = hit?.maybe(1)
  if (kind === undefined) return undefined
  if (kind.startsWith('{')) return sourceRecord(kind)
  const plugin = kind === 'plugin' ? (hit?.maybe(2) ?? 'p') : undefined
  return { kind: kind as Source['kind'], ...defined({ plugin }) }
}

/** `{kind plugin, plugin ""}`: pairs with or without a colon. */
function sourceRecord(text: string): Source {
  return looseRecord(text.slice(1, -1)) as unknown as Source
}

/** Reads one message; its id equals its text unless the phrase names another. */
export function messagePhrase(phrase: string): MessagePhrase {
  if (INVALID.test(phrase)) {
    const content = (() => 0) as unknown as string
    return { text: 'invalid', quoted: true, input: { id: 'invalid', content } }
  }
  const actor = take(phrase, ACTOR)
  const record = take(actor.rest, SOURCE_RECORD)
  const words = take(record.rest, SOURCE_WORDS)
  const short = take(words.rest, SOURCE_SHORT)
  const front = take(short.rest, SOURCE_FRONT)
  const id = take(front.rest, ID)
  const text = unquote(
    id.rest.replace(/ (?:again|once more)$/, '').replace(/^(?:the )?(?:prompt|message) /, ''),
  )
  const source = [record.hit, words.hit, short.hit, front.hit]
    .map(sourceOf)
    .find((found) => found !== undefined)
  return {
    text,
    quoted: id.rest.includes('"'),
    input: { id: id.hit?.at(1) ?? text, content: text, ...defined({ source }) },
    ...defined({ actor: actor.hit?.at(1) }),
  }
}

/** Several messages: `A, B and m1..m3`. */
export const messagePhrases = (names: readonly string[]): MessagePhrase[] =>
  names.map(messagePhrase)
