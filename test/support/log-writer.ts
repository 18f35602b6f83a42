/**
 * Writes logs for tests: gives events their place, keeps a plain model of the lists, and lets the enclosure rules
 * refuse what may not stand there.
 *
 * @module
 */
import { Ledger } from '../../src/events/enclosure.ts'
import type {
  EventMap,
  EventType,
  InboxList,
  NewEvent,
  StoredEvent,
} from '../../src/events/event.ts'
import { deepFreeze } from '../../src/events/json.ts'
import type { Message, Source } from '../../src/events/message.ts'

/** A message whose text is its id, unless another is given. */
export const textMessage = (id: string, kind: Source['kind'] = 'user', text = id): Message => ({
  id,
  role: 'user',
  content: [{ type: 'text', text }],
  source: { kind },
})

/** An assistant message with one text. */
export const says = (text: string) =>
  ({ role: 'assistant', content: [{ type: 'text', text }] }) as const

export class LogWriter {
  readonly events: StoredEvent[] = []
  readonly ledger = new Ledger()
  /** The lists as plain arrays of ids: what the inbox projection must come to. */
  readonly lists: Record<InboxList, string[]> = { 'next-turn': [], 'next-step': [] }

  put<T extends EventType>(type: T, data: EventMap[T], cites?: readonly number[]): number {
    const seq = this.events.length
    const event = deepFreeze({ seq, time: 1000 + seq, type, data, ...(cites && { cites }) })
    this.ledger.check(event as unknown as NewEvent, true)
    this.ledger.apply(event as unknown as NewEvent)
    this.events.push(event as unknown as StoredEvent)
    return seq
  }

  /** Index of an id in its list, which it must be in. */
  indexIn(list: InboxList, id: string): number {
    const index = this.lists[list].indexOf(id)
    if (index === -1) throw new Error(`${id} is not in ${list}`)
    return index
  }

  drop(ids: readonly string[]): void {
    for (const list of ['next-turn', 'next-step'] as const) {
      this.lists[list] = this.lists[list].filter((id) => !ids.includes(id))
    }
  }

  insert(
    list: InboxList,
    index: number,
    message: Message,
    options: Pick<EventMap['inbox/inserted'], 'wake' | 'mark'>,
  ): void {
    this.put('inbox/inserted', { target: list, index, message, actor: 'test', ...options })
    this.lists[list].splice(index, 0, message.id)
  }

  claim(turn: number, nextTurn: readonly string[]): readonly string[] {
    const nextStep = [...this.lists['next-step']]
    if (nextStep.length + nextTurn.length > 0) {
      this.put('inbox/claimed', { turn, nextStep, nextTurn })
    }
    this.drop([...nextStep, ...nextTurn])
    return [...nextStep, ...nextTurn]
  }

  move(from: InboxList, id: string, to: InboxList, index: number): void {
    this.put('inbox/moved', { id, from, to, index, actor: 'test' })
    this.drop([id])
    this.lists[to].splice(index, 0, id)
  }

  discard(ids: readonly string[], reason: EventMap['inbox/discarded']['reason']): void {
    this.put('inbox/discarded', { ids, reason, actor: 'test' })
    this.drop(ids)
  }
}
