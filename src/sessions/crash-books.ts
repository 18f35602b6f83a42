/**
 * What a crashed log has left open, and what is needed to close it: gathered in one pass, from the first event on.
 *
 * It must not decide how anything is closed.
 *
 * B1 Only what a repair may still need is kept: the chunks of open attempts, the calls without a result, the messages
 *    that are pending or claimed.
 * B2 A repair that was cut by another crash is recognised at the tail, so that the next one goes on with it.
 *
 * @module
 */
import { StreamedBlocks } from '../actors/streamed-blocks.ts'
import type { Chunk } from '../events/chunk.ts'
import { loadLedger, type Ledger } from '../events/enclosure.ts'
import type { EventMap, EventType, InboxList, StepAt, StoredEvent } from '../events/event.ts'
import type { Message, MessageId, Usage } from '../events/message.ts'

/** What an attempt has streamed and nobody has committed. */
export class StreamedAttempt {
  readonly blocks = new StreamedBlocks()
  readonly cites: number[] = []
  usage: Usage | undefined
  /** The provider failed it: nothing of it is committed. */
  failed = false

  take(seq: number, chunk: Chunk): void {
    this.cites.push(seq)
    if (chunk.kind === 'usage') this.usage = chunk.usage
    else if (chunk.kind === 'finish') this.finish(chunk)
    else this.blocks.add(chunk)
  }

  private finish({ reason, failure }: Chunk & { kind: 'finish' }): void {
    const half = reason !== 'max-tokens' && this.blocks.hasOpenCall
    this.failed = failure !== undefined || reason === 'error' || reason === 'aborted' || half
  }
}

/** A call that was recorded. */
export interface RecordedCall {
  readonly seq: number
  readonly repeatable: boolean
}

/** An answer that was given to the question about a call. */
export type Decision = Pick<EventMap['approval/decided'], 'answer' | 'by' | 'reason'>

/** A message with the list it was, or is, pending in. */
export interface PlacedMessage {
  readonly message: Message
  readonly list: InboxList
}

const at = ({ turn, step }: StepAt): string => `${turn}.${step}`
const callAt = (step: StepAt, key: string): string => `${at(step)} ${key}`

/** The books of one log. */
export class CrashBooks {
  /** What the enclosure rules know of it. */
  readonly ledger: Ledger
  readonly attempts = new Map<string, StreamedAttempt>()
  readonly calls = new Map<string, RecordedCall>()
  readonly decisions = new Map<string, Decision>()
  /** Messages that are pending or claimed. */
  readonly messages = new Map<MessageId, PlacedMessage>()
  /** Messages that an unfinished repair at the tail still owes to their lists. */
  readonly owed = new Map<MessageId, PlacedMessage>()
  /** Messages that the repair at the tail has put back, by list. */
  readonly putBack: Record<InboxList, number> = { 'next-turn': 0, 'next-step': 0 }

  /** @throws LogCorruptError with the position of an event that may not stand there. */
  constructor(events: readonly StoredEvent[]) {
    this.ledger = loadLedger(events)
    for (const event of events) {
      this.followRepair(event)
      takers.get(event.type)?.(this, event as never)
    }
  }

  /** What the open attempt of a step has streamed. */
  attemptOf(step: StepAt): StreamedAttempt | undefined {
    return this.attempts.get(at(step))
  }

  /** The `tool/call` of a call without a result. */
  callOf(step: StepAt, key: string): RecordedCall | undefined {
    return this.calls.get(callAt(step, key))
  }

  /** The answer about a call without a result. */
  decisionOf(step: StepAt, key: string): Decision | undefined {
    return this.decisions.get(callAt(step, key))
  }

  put(message: Message, list: InboxList): void {
    this.messages.set(message.id, { message, list })
  }

  forget(ids: readonly MessageId[]): void {
    for (const id of ids) this.messages.delete(id)
  }

  /** Follows the events that only a repair writes, as long as nothing else comes behind them. */
  private followRepair(event: StoredEvent): void {
    if (!isRepair(event)) {
      this.owed.clear()
      this.putBack['next-turn'] = 0
      this.putBack['next-step'] = 0
    } else if (event.type === 'inbox/inserted') {
      this.owed.delete(event.data.message.id)
      this.putBack[event.data.target] += 1
    } else if (event.type === 'turn/end') this.owe(event.data.uncommitted)
  }

  private owe(ids: readonly MessageId[]): void {
    for (const id of ids) {
      const placed = this.messages.get(id)
      if (placed !== undefined) this.owed.set(id, placed)
    }
  }
}

type Takers = { readonly [T in EventType]?: (books: CrashBooks, event: StoredEvent<T>) => void }

const over = (books: CrashBooks, { data }: { readonly data: StepAt }): void => {
  books.attempts.delete(at(data))
}

const TAKERS: Takers = {
  'assistant/chunk': (books, { seq, data }) => {
    const attempt = books.attemptOf(data) ?? new StreamedAttempt()
    books.attempts.set(at(data), attempt)
    attempt.take(seq, data.chunk)
  },
  'assistant/message': over,
  'request/failed': over,
  'step/end': over,
  'tool/call': (books, { seq, data }) => {
    const { call, repeatable = false } = data
    books.calls.set(callAt(data, call.key), { seq, repeatable })
  },
  'approval/decided': (books, { data }) => {
    books.decisions.set(callAt(data, data.call.key), data)
  },
  'tool/result': (books, { data }) => {
    books.calls.delete(callAt(data, data.call.key))
    books.decisions.delete(callAt(data, data.call.key))
  },
  'inbox/inserted': (books, { data }) => {
    books.put(data.message, data.target)
  },
  'inbox/replaced': (books, { data }) => {
    books.forget(data.ids)
    for (const message of data.messages) books.put(message, data.target)
  },
  'inbox/moved': (books, { data }) => {
    const placed = books.messages.get(data.id)
    if (placed !== undefined) books.put(placed.message, data.to)
  },
  'inbox/discarded': (books, { data }) => {
    books.forget(data.ids)
  },
  'user/message': (books, { data }) => {
    books.forget([data.message.id])
  },
  'turn/end': (books, { data }) => {
    books.forget(data.uncommitted)
  },
}
const takers = new Map(Object.entries(TAKERS)) as Map<
  string,
  (books: CrashBooks, event: never) => void
>

type Judges = { readonly [T in EventType]?: (data: EventMap[T]) => boolean }

/** Which events a repair may have written. */
const REPAIRS: Judges = {
  'assistant/message': (data) => data.interrupted === true,
  'approval/decided': (data) => data.answer === 'cancelled',
  'tool/result': () => true,
  'step/end': () => true,
  'turn/end': (data) => data.reason.kind === 'interrupted',
  'inbox/inserted': (data) => data.mark === 'recovered',
}
const repairs = new Map(Object.entries(REPAIRS)) as Map<string, (data: unknown) => boolean>

const isRepair = ({ type, data }: StoredEvent): boolean => repairs.get(type)?.(data) === true
