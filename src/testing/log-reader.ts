/**
 * What reading a printed log back has to remember, and the small things that lines are made of.
 *
 * @module
 */
import type { InboxList } from '../events/event.ts'
import type {
  AssistantBlock,
  CallRef,
  Cause,
  Message,
  Outcome,
  Source,
  TurnReason,
} from '../events/message.ts'
import { defined } from './defined.ts'
import { group, match } from './scenario/phrase.ts'

type Data = Record<string, unknown>

/** Type and payload of an event that was read. */
export interface Read {
  readonly type: string
  readonly data: Data
}

const NAMED = /"([^"]*)"(?: <(\w+)>)?/g

/** A message by its text. */
export function messageOf(text: string, kind = 'user', id = text): Message {
  const source = (kind === 'plugin' ? { kind, plugin: '' } : { kind }) as Source
  return { id, role: 'user', content: [{ type: 'text', text }], source }
}

/** Messages of a printed list. */
export const messagesIn = (text: string): Message[] =>
  [...text.matchAll(NAMED)].map(([, name = '', kind]) => messageOf(name, kind))
/** Ids of a printed list. */
export const idsIn = (text: string): string[] => messagesIn(text).map((message) => message.id)

/** A reason as it is printed. */
export function reasonOf(text: string): TurnReason {
  const [kind = '', detail = ''] = text.split(':')
  if (kind === 'aborted') return { kind, cause: { kind: detail as Cause['kind'] } }
  if (kind === 'limit') return { kind, which: detail as 'steps', used: 1, allowed: 1 }
  if (kind === 'blocked') return { kind, by: 'gate', reason: 'no' }
  if (kind !== 'error') return { kind } as TurnReason
  return { kind, code: detail.replace(/ .*$/, ''), message: group(/"(.*)"/, text) ?? '' }
}

/** An outcome as it is printed. */
export function outcomeOf(text: string): Outcome {
  const hit = match(/^(ok|error|denied)(?::(\w+))?(?: "(.*)")?$/, text)
  const said = hit?.maybe(3)
  const content = said === undefined ? [] : [{ type: 'text' as const, text: said }]
  const kind = hit?.at(1)
  if (kind === 'denied') return { kind, by: 'gate', reason: said ?? '', content }
  if (kind === 'error') return { kind, content, ...defined({ code: hit?.maybe(2) }) }
  return { kind: 'ok', content }
}

/** What a line means depends on the lines before it: lists, open brackets, calls. */
export class LogReader {
  readonly #lists: Record<InboxList, string[]> = { 'next-turn': [], 'next-step': [] }
  #turn = 0
  #step = 0
  /** Calls by provider id, in the order of the message; calls of the same id are taken one after another. */
  #calls: { readonly ref: CallRef; readonly name: string; called: boolean }[] = []
  #keys = 0

  readonly at = (place: string): { turn: number; step: number } => {
    const [turn = 0, step = 0] = place.split('.').map(Number)
    this.#turn = turn
    this.#step = step
    return { turn, step }
  }

  get turn(): number {
    return this.#turn
  }
  get here(): { turn: number; step: number } {
    return { turn: this.#turn, step: this.#step }
  }

  startTurn(turn: string): Read {
    this.#turn = Number(turn)
    this.#step = 0
    return { type: 'turn/start', data: { turn: this.#turn } }
  }

  put(list: string, index: string, texts: string, removed = 0): Message[] {
    const messages = messagesIn(texts)
    const ids = messages.map((message) => message.id)
    this.#lists[list as InboxList].splice(Number(index), removed, ...ids)
    return messages
  }

  take(list: string, index: string, n: string): string[] {
    return this.#lists[list as InboxList].splice(Number(index), Number(n))
  }

  /** The ids at a place, left there. */
  peek(list: string, index: string, n: string): string[] {
    const from = Number(index)
    return this.#lists[list as InboxList].slice(from, from + Number(n))
  }

  /** Blocks of an assistant message; its calls become the calls of the step. */
  blocks(text: string): AssistantBlock[] {
    this.#calls = []
    if (text === '(empty)') return []
    return text
      .split(' | ')
      .flatMap((part) => part.split(' + '))
      .map((part) => this.#block(part))
  }

  #block(part: string): AssistantBlock {
    const [, id = '', name = ''] = /^call (\S+)=(\S+)$/.exec(part) ?? []
    const text = /"(.*)"/s.exec(part)?.[1] ?? ''
    if (part.startsWith('reasoning')) return { type: 'reasoning', text }
    if (id === '') return { type: 'text', text }
    return { type: 'tool-call', call: this.#newCall(id, name), name, arguments: '{}' }
  }

  #newCall(providerId: string, name: string): CallRef {
    this.#keys += 1
    const ref = { key: `call-${this.#keys}`, index: this.#calls.length, providerId }
    this.#calls.push({ ref, name, called: false })
    return ref
  }

  /** The call a line means; a call that no message holds is one of its own. */
  call(id: string, name = ''): CallRef {
    const known = this.#calls.find((call) => call.ref.providerId === id && !call.called)
    if (name === '')
      return (
        (this.#calls.findLast((call) => call.ref.providerId === id && call.called) ?? known)?.ref ??
        this.#newCall(id, name)
      )
    if (known === undefined) {
      const ref = this.#newCall(id, name)
      this.#calls = this.#calls.map((call) => (call.ref === ref ? { ...call, called: true } : call))
      return ref
    }
    known.called = true
    return known.ref
  }
}
