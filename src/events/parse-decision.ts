/**
 * Answers of gates, checked where they enter. A gate decides, so an answer that cannot be read lets nothing pass.
 *
 * D1 A decision is taken whole or not at all: one bad message refuses all of it.
 * D2 What is refused is a GateDecisionError that names the gate, the path and what was found.
 *
 * @module
 */
import { GateDecisionError, TurnwiseError } from '../errors.ts'
import type { RequestConfig } from './event.ts'
import type {
  AssistantMessage,
  ContentBlock,
  Message,
  MessageId,
  MessageInput,
  Source,
} from './message.ts'
import { checkAssistantMessage } from './parse-assistant.ts'
import { checkContent, textContent } from './parse-content.ts'
import { parseMessage } from './parse-message.ts'
import {
  asInteger,
  asJson,
  asList,
  asName,
  asNumber,
  asRecord,
  asText,
  asWord,
  onlyKeys,
  ShapeError,
} from './shape.ts'

/** What messages of a decision are made with. */
export interface MessageParts {
  /** Makes ids of messages that have none. */
  readonly ids: () => string
  /** Source of messages that name none. */
  readonly source: Source
}

/** A `preStep` decision that may be carried out. */
export type ParsedPreStep =
  | { readonly kind: 'enter'; readonly messages: readonly Message[] }
  | {
      readonly kind: 'reject'
      readonly reason: string
      readonly restore: readonly MessageId[]
      readonly by?: string
    }

/**
 * Reads the answer of `preStep`. Messages of the batch are taken as they are; others are copied and checked.
 *
 * @param parts.batch - what the gate was shown; only its ids may be restored.
 * @param parts.taken - is this id pending or committed?
 * @throws GateDecisionError
 */
export function parsePreStepDecision(
  answer: unknown,
  parts: MessageParts & {
    readonly batch: readonly Message[]
    readonly taken: (id: MessageId) => boolean
  },
): ParsedPreStep {
  return decided('preStep', () => {
    const given = asRecord(answer, 'the decision')
    if (asWord(given['kind'], 'kind', ['enter', 'reject']) === 'reject')
      return reject(given, parts.batch)
    const inputs = asList(given['messages'], 'messages')
    if (inputs === parts.batch) return { kind: 'enter', messages: parts.batch }
    const known: ReadonlySet<unknown> = new Set(parts.batch)
    const messages = inputs.map((input, i) =>
      known.has(input) ? (input as Message) : messageAt(input, `messages[${i}]`, parts),
    )
    usableIds(messages, parts.taken)
    return { kind: 'enter', messages: Object.freeze(messages) }
  })
}

function reject(
  given: { readonly [key: string]: unknown },
  batch: readonly Message[],
): ParsedPreStep {
  const restore = asList(given['restore'] ?? [], 'restore').map((id, i) => {
    if (!batch.some((message) => message.id === id))
      throw new ShapeError(`restore[${i}]`, 'an id of the batch', id)
    return id as MessageId
  })
  const by = given['by']
  return {
    kind: 'reject',
    reason: asText(given['reason'], 'reason'),
    restore: [...new Set(restore)],
    ...(by !== undefined && { by: asName(by, 'by') }),
  }
}

function usableIds(messages: readonly Message[], taken: (id: MessageId) => boolean): void {
  const seen = new Set<MessageId>()
  const bad = messages
    .map((message) => message.id)
    .filter((id) => taken(id) || seen.size === seen.add(id).size)
  if (bad.length > 0) throw new GateDecisionError(`duplicate id ${bad.join(', ')}`)
}

function messageAt(input: unknown, path: string, parts: MessageParts): Message {
  try {
    return parseMessage(input as MessageInput, parts.ids, parts.source)
  } catch (error) {
    if (error instanceof TurnwiseError && error.cause instanceof ShapeError)
      throw error.cause.within(path)
    throw error
  }
}

/** Reads the answer of `request`. @throws GateDecisionError */
export function parseRequestConfig(answer: unknown): Partial<RequestConfig> {
  return decided('request', () => {
    const given = asRecord(answer, 'the configuration')
    const { provider, model, maxTokens, settings } = given
    onlyKeys(given, 'the configuration', ['provider', 'model', 'maxTokens', 'settings'])
    return Object.freeze({
      ...(provider !== undefined && { provider: asName(provider, 'provider') }),
      ...(model !== undefined && { model: asName(model, 'model') }),
      ...(maxTokens !== undefined && { maxTokens: asInteger(maxTokens, 'maxTokens', 1) }),
      ...(settings !== undefined && {
        settings: asRecord(asJson(settings, 'settings'), 'settings') as NonNullable<
          RequestConfig['settings']
        >,
      }),
    })
  })
}

/** Reads the answer of `requestError`; undefined means no retry. @throws GateDecisionError */
export function parseRetry(
  answer: unknown,
): { readonly action: 'retry'; readonly delayMs: number } | undefined {
  if (answer === undefined || answer === null) return undefined
  return decided('requestError', () => {
    const given = asRecord(answer, 'the decision')
    const action = asWord(given['action'], 'action', ['retry'])
    return {
      action,
      delayMs: given['delayMs'] === undefined ? 0 : asNumber(given['delayMs'], 'delayMs'),
    }
  })
}

/**
 * Reads the answer of `stepResult`. Calls may be dropped or rewritten, and are numbered again; new ones may not appear.
 *
 * @throws GateDecisionError
 */
export function parseStepResult(answer: unknown, original: AssistantMessage): AssistantMessage {
  if (answer === original) return original
  return decided('stepResult', () => checkAssistantMessage(answer, original))
}

/** A `toolPre` decision. */
export type ParsedToolPre =
  | { readonly kind: 'allow' }
  | { readonly kind: 'deny'; readonly reason: string; readonly by?: string }
  | {
      readonly kind: 'ask'
      readonly prompt?: string
      readonly expiresMs?: number
      readonly once?: true
    }

/** Reads the answer of `toolPre`. @throws GateDecisionError */
export function parseToolPre(answer: unknown): ParsedToolPre {
  return decided('toolPre', () => {
    const given = asRecord(answer, 'the decision')
    const { by } = given
    const kind = asWord(given['kind'], 'kind', ['allow', 'deny', 'ask'])
    if (kind === 'allow') return { kind }
    if (kind === 'ask') return asked(given)
    const reason = asText(given['reason'], 'reason')
    return by === undefined ? { kind, reason } : { kind, reason, by: asName(by, 'by') }
  })
}

/** What a question says. Anything but exactly `true` as `once` asks again. */
const asked = ({ prompt, expiresMs, once }: Readonly<Record<string, unknown>>): ParsedToolPre => ({
  kind: 'ask',
  ...(prompt !== undefined && { prompt: asText(prompt, 'prompt') }),
  ...(expiresMs !== undefined && { expiresMs: asNumber(expiresMs, 'expiresMs') }),
  ...(once === true && { once }),
})

/** A `toolPost` decision. */
export type ParsedToolPost =
  | {
      readonly kind: 'accept'
      readonly content?: readonly ContentBlock[]
      readonly contexts: readonly Message[]
    }
  | { readonly kind: 'block'; readonly feedback: string; readonly contexts: readonly Message[] }

/** Reads the answer of `toolPost`. @throws GateDecisionError */
export function parseToolPost(answer: unknown, parts: MessageParts): ParsedToolPost {
  return decided('toolPost', () => {
    const given = asRecord(answer, 'the decision')
    const kind = asWord(given['kind'], 'kind', ['accept', 'block'])
    const contexts = asList(given['contexts'] ?? [], 'contexts').map((input, i) =>
      messageAt(input, `contexts[${i}]`, parts),
    )
    if (kind === 'block') return { kind, feedback: asText(given['feedback'], 'feedback'), contexts }
    const content = given['content']
    if (content === undefined) return { kind, contexts }
    if (typeof content === 'string') return { kind, contexts, content: textContent(content) }
    return { kind, contexts, content: checkContent(asJson(content, 'content'), 'content') }
  })
}

/** Reads the answer of `continuation`. @throws GateDecisionError */
export function parseContinuation(answer: unknown): 'continue' | 'stop' | 'default' {
  return decided('continuation', () =>
    asWord(answer, 'the decision', ['continue', 'stop', 'default']),
  )
}

function decided<T>(gate: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error
    throw new GateDecisionError(
      `the answer of gate ${gate} cannot be carried out: ${error.message}; nothing of it was. Fix the gate.`,
      { cause: error },
    )
  }
}
