/**
 * What became of every message of a log: the lineage of all of them at once.
 *
 * M1 It agrees with the projection `lineage` about each message, and like it says nothing about how a turn went.
 *
 * It runs in a browser too.
 *
 * @module
 */
import type { DiscardReason, InboxList, InsertionMark, StoredEvent } from '../../events/event.ts'
import type { Message, MessageId } from '../../events/message.ts'
import type { Standing } from '../../projections/lineage.ts'

/** Where one message ended, or still is. */
export interface MessageFate {
  readonly id: MessageId
  /** As it was recorded last. */
  readonly message: Message
  readonly standing: Exclude<Standing, 'unknown'>
  /** Seq of the event that says so. */
  readonly seq: number
  readonly list?: InboxList
  readonly wake?: boolean
  readonly mark?: InsertionMark
  /** The turn that claimed, committed or dropped it. */
  readonly turn?: number
  readonly step?: number
  readonly reason?: DiscardReason
}

type Book = Map<MessageId, MessageFate>
type Entries = { readonly [T in StoredEvent['type']]?: (book: Book, event: StoredEvent<T>) => void }

function put(book: Book, message: Message, fate: Omit<MessageFate, 'id' | 'message'>): void {
  book.set(message.id, { id: message.id, message, ...fate })
}

function change(
  book: Book,
  ids: readonly MessageId[],
  fate: Pick<MessageFate, 'standing' | 'seq'> & Partial<MessageFate>,
): void {
  for (const id of ids) {
    const known = book.get(id)
    if (known !== undefined) book.set(id, { ...known, ...fate })
  }
}

const ENTRIES: Entries = {
  'inbox/inserted': (book, { seq, data }) => {
    const { message, target: list, wake, mark } = data
    put(book, message, {
      standing: 'pending',
      seq,
      list,
      wake,
      ...(mark !== undefined && { mark }),
    })
  },
  'inbox/replaced': (book, { seq, data }) => {
    change(book, data.ids, { standing: 'replaced', seq })
    for (const message of data.messages)
      put(book, message, { standing: 'pending', seq, list: data.target, wake: data.wake })
  },
  'inbox/moved': (book, { data }) => {
    const known = book.get(data.id)
    if (known !== undefined) book.set(data.id, { ...known, list: data.to })
  },
  'inbox/claimed': (book, { seq, data }) => {
    const ids = [...data.nextStep, ...data.nextTurn]
    change(book, ids, { standing: 'claimed', seq, turn: data.turn })
  },
  'inbox/discarded': (book, { seq, data }) => {
    change(book, data.ids, { standing: 'discarded', seq, reason: data.reason })
  },
  'user/message': (book, { seq, data: { message, turn, step } }) => {
    put(book, message, { standing: 'committed', seq, turn, step })
  },
  'context/message': (book, { seq, data: { message, turn } }) => {
    put(book, message, { standing: 'committed', seq, turn })
  },
  'turn/end': (book, { seq, data: { uncommitted, turn } }) => {
    change(book, uncommitted, { standing: 'uncommitted', seq, turn })
  },
}

const entries = new Map(Object.entries(ENTRIES)) as Map<
  string,
  (book: Book, event: StoredEvent) => void
>

/** The fate of every message, in the order in which the messages were first seen. */
export function messageFates(events: Iterable<StoredEvent>): readonly MessageFate[] {
  const book: Book = new Map()
  for (const event of events) entries.get(event.type)?.(book, event)
  return [...book.values()]
}
