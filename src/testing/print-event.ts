/**
 * Prints durable events in the notation of scenarios: one line a fact.
 *
 * A printer folds the two lists of pending messages, because lines name indices and texts that events name by id.
 *
 * @module
 */
import type { InboxList, StoredEvent } from '../events/event.ts'
import type { AssistantBlock, Message, MessageId, Outcome, TurnReason } from '../events/message.ts'
import { textOf } from './print-request.ts'

const LISTS: readonly InboxList[] = ['next-step', 'next-turn']

const kindOf = (message: Message): string =>
  message.source.kind === 'user' ? '' : ` <${message.source.kind}>`

const named = (message: Message): string => `"${textOf(message.content)}"${kindOf(message)}`

/** A turn's reason without its message: `completed`, `error:SERVER`, `aborted:user`. */
export function printReason(reason: TurnReason): string {
  if (reason.kind === 'aborted') return `aborted:${reason.cause.kind}`
  if (reason.kind === 'error') return `error:${reason.code}`
  return reason.kind === 'limit' ? `limit:${reason.which}` : reason.kind
}

/** An outcome: `ok "text"`, `error:CODE`, `error "Error: m"`, `denied "reason"`. */
export function printOutcome(outcome: Outcome): string {
  if (outcome.kind === 'error' && outcome.code !== undefined) return `error:${outcome.code}`
  const text = outcome.kind === 'denied' ? outcome.reason : textOf(outcome.content)
  return text === '' ? outcome.kind : `${outcome.kind} "${text}"`
}

/** What an assistant message holds; calls joined by ` + `, kinds by ` | `. */
export function printContent(content: readonly AssistantBlock[]): string {
  const parts: { kind: string; texts: string[] }[] = []
  for (const block of content) {
    const last = parts.at(-1)
    if (last?.kind === block.type) last.texts.push(blockText(block))
    else parts.push({ kind: block.type, texts: [blockText(block)] })
  }
  return parts.map(printPart).join(' | ') || '(empty)'
}

const printPart = ({ kind, texts }: { kind: string; texts: string[] }): string => {
  if (kind === 'text') return `"${texts.join('')}"`
  return kind === 'reasoning' ? `reasoning "${texts.join('')}"` : texts.join(' + ')
}

function blockText(block: AssistantBlock): string {
  if (block.type === 'text' || block.type === 'reasoning') return block.text
  if (block.type === 'tool-call') return `call ${block.call.providerId}=${block.name}`
  return `<${block.type}>`
}

type Printers = {
  readonly [T in StoredEvent['type']]?: (data: Extract<StoredEvent, { type: T }>['data']) => string
}

const at = (data: { turn: number; step: number }): string => `${data.turn}.${data.step}`

const PLAIN: Printers = {
  'session/opened': (data) => `session/opened ${data.how}${data.wake ? ' wake' : ''}`,
  'turn/start': (data) => `turn/start ${data.turn}`,
  'step/start': (data) => `step/start ${at(data)}`,
  'step/end': (data) => `step/end ${at(data)}`,
  'context/message': (data) => `context/message ${named(data.message)}`,
  'request/header': (data) => `request/header ${data.reason}`,
  'request/context': (data) => `request/context ${data.provider}/${data.model}`,
  'assistant/chunk': (data) => `assistant/chunk ${at(data)} ${data.chunk.kind}`,
  'assistant/message': (data) =>
    `assistant/message ${at(data)} ${printContent(data.message.content)}${data.interrupted === true ? ' [interrupted]' : ''}`,
  'request/failed': (data) =>
    `request/failed ${at(data)} #${data.attempt} ${data.failure.code} ${data.action}${data.delayMs > 0 ? ` +${data.delayMs}ms` : ''}`,
  'tool/call': (data) => `tool/call ${at(data)} ${data.call.providerId} ${data.name}`,
  'tool/settled': (data) =>
    `tool/settled ${at(data)} ${data.call.providerId} ${printOutcome(data.outcome)}`,
  'tool/result': (data) =>
    `tool/result ${at(data)} ${data.call.providerId} ${printOutcome(data.outcome)}`,
  'gate/decided': (data) => `gate/decided ${at(data)} ${data.gate} ${data.decision}`,
  'approval/asked': (data) => `approval/asked ${at(data)} ${data.call.providerId}`,
  'approval/decided': (data) =>
    `approval/decided ${at(data)} ${data.call.providerId} ${data.answer}`,
  'compaction/start': (data) => `compaction/start ${data.turn ?? '-'}`,
  'compaction/summary': (data) => `compaction/summary ${data.turn ?? '-'} ${named(data.message)}`,
  'compaction/end': (data) => `compaction/end ${data.turn ?? '-'} ${data.outcome}`,
}

/** Prints the events of one log, in order. Give it every event, also those you do not show. */
export class EventPrinter {
  readonly #lists: Record<InboxList, MessageId[]> = { 'next-turn': [], 'next-step': [] }
  readonly #known = new Map<MessageId, Message>()

  /** The lines of `event`; one event may have two. */
  lines(event: StoredEvent): string[] {
    if (event.type === 'inbox/claimed') {
      return this.#take([...event.data.nextStep, ...event.data.nextTurn], 'claimed')
    }
    if (event.type === 'inbox/discarded') return this.#take(event.data.ids, 'canceled')
    return [this.#line(event)]
  }

  #line(event: StoredEvent): string {
    if (event.type === 'inbox/inserted') return this.#inserted(event.data)
    if (event.type === 'inbox/replaced') return this.#replaced(event.data)
    if (event.type === 'inbox/moved') return this.#moved(event.data)
    if (event.type === 'turn/end') return this.#ended(event.data)
    if (event.type === 'cancel/requested') return this.#canceled(event.data)
    if (event.type !== 'user/message') return printPlain(event)
    const { message } = event.data
    return `user/message ${named(message)}${this.#rewritten(message)}`
  }

  #named(id: MessageId): string {
    const message = this.#known.get(id)
    return message === undefined ? `"${id}"` : named(message)
  }

  #names(label: string, ids: readonly MessageId[]): string {
    return ids.length === 0 ? '' : ` ${label} [${ids.map((id) => this.#named(id)).join(', ')}]`
  }

  #rewritten(message: Message): string {
    const before = this.#known.get(message.id)
    const changed = before !== undefined && textOf(before.content) !== textOf(message.content)
    return changed ? ` id "${message.id}"` : ''
  }

  #inserted(data: Extract<StoredEvent, { type: 'inbox/inserted' }>['data']): string {
    this.#known.set(data.message.id, data.message)
    this.#lists[data.target].splice(data.index, 0, data.message.id)
    const mark = data.mark === undefined ? '' : ` ${data.mark}`
    return `inbox ${data.target} @${data.index} +[${named(data.message)}]${mark}`
  }

  #replaced(data: Extract<StoredEvent, { type: 'inbox/replaced' }>['data']): string {
    for (const message of data.messages) this.#known.set(message.id, message)
    const list = this.#lists[data.target]
    list.splice(data.index, data.ids.length, ...data.messages.map((message) => message.id))
    const put = data.messages.map(named).join(', ')
    return `inbox ${data.target} @${data.index} -${data.ids.length} canceled +[${put}]`
  }

  #moved(data: Extract<StoredEvent, { type: 'inbox/moved' }>['data']): string {
    const from = this.#lists[data.from].indexOf(data.id)
    this.#lists[data.from].splice(from, 1)
    this.#lists[data.to].splice(data.index, 0, data.id)
    return `inbox move ${this.#named(data.id)} ${data.from}@${from} -> ${data.to}@${data.index}`
  }

  #ended(data: Extract<StoredEvent, { type: 'turn/end' }>['data']): string {
    const message = data.reason.kind === 'error' ? ` "${data.reason.message}"` : ''
    const parks = data.parks === undefined ? '' : ' parks'
    return `turn/end ${data.turn} ${printReason(data.reason)}${message}${parks}${this.#names('uncommitted', data.uncommitted)}`
  }

  #canceled(data: Extract<StoredEvent, { type: 'cancel/requested' }>['data']): string {
    const options = ['keepInbox', 'resume', 'restoreClaimed'] as const
    const set = options.filter((option) => data[option] === true).map((option) => ` ${option}`)
    return `cancel/requested ${data.cause.kind} ${data.turn ?? '-'}${set.join('')}${this.#names('discarded', data.discarded)}`
  }

  *#taken(ids: readonly MessageId[], how: string): Generator<string> {
    for (const name of LISTS) {
      const list = this.#lists[name]
      const gone = list.filter((id) => ids.includes(id))
      if (gone.length === 0) continue
      yield `inbox ${name} @${list.indexOf(gone[0] ?? '')} -${gone.length} ${how}`
      this.#lists[name] = list.filter((id) => !gone.includes(id))
    }
  }

  #take(ids: readonly MessageId[], how: string): string[] {
    return [...this.#taken(ids, how)]
  }
}

function printPlain(event: StoredEvent): string {
  const print = (PLAIN as Record<string, ((data: unknown) => string) | undefined>)[event.type]
  return print?.(event.data) ?? event.type
}

/** A printer for one log, as a function. */
export function printEvent(): (event: StoredEvent) => string[] {
  const printer = new EventPrinter()
  return (event) => printer.lines(event)
}

const QUIET = ['assistant/chunk', 'request/header', 'request/context']

/**
 * The whole log, one line a fact.
 *
 * @param options - `verbose` shows chunks, request headers and request contexts too; default false.
 */
export function printLog(
  events: Iterable<StoredEvent>,
  options: { readonly verbose?: boolean } = {},
): string[] {
  const print = printEvent()
  return [...events].flatMap((event) => {
    const lines = print(event)
    return options.verbose !== true && QUIET.includes(event.type) ? [] : lines
  })
}
