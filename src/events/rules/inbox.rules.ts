/**
 * Where the events of the inbox may stand: ids exist in the list they leave, and are fresh where they enter.
 *
 * @module
 */
import type { InboxList } from '../event.ts'
import type { MessageId } from '../message.ts'
import type { Books, Fate } from './books.ts'
import { duplicate, freshId, noOpenStep, openTurn, refuse } from './rule.ts'
import type { RulesOf } from './rule.ts'

export const inboxRules: RulesOf<
  'inbox/inserted' | 'inbox/claimed' | 'inbox/discarded' | 'inbox/replaced' | 'inbox/moved'
> = {
  'inbox/inserted': {
    check(books, data) {
      freshId(books, data.message.id)
      inRange(data.index, books.size(data.target))
    },
    apply(books, data) {
      books.setFate(data.message.id, data.target)
    },
  },
  'inbox/claimed': {
    check(books, data) {
      openTurn(books, data.turn)
      noOpenStep(books, 'inbox/claimed')
      allPending(books, data.nextStep, 'next-step')
      allPending(books, data.nextTurn, 'next-turn')
    },
    apply(books, data) {
      claim(books, data.nextStep)
      claim(books, data.nextTurn)
    },
  },
  'inbox/discarded': {
    check(books, data) {
      allPending(books, data.ids)
    },
    apply(books, data) {
      for (const id of data.ids) books.setFate(id, undefined)
    },
  },
  'inbox/replaced': {
    check(books, data) {
      allPending(books, data.ids, data.target)
      inRange(data.index, books.size(data.target) - data.ids.length)
      const ids = data.messages.map((message) => message.id)
      const twice = repeated(ids)
      if (twice !== undefined) duplicate(twice, 'named twice by the replacement')
      for (const id of ids) if (!data.ids.includes(id)) freshId(books, id)
    },
    apply(books, data) {
      for (const id of data.ids) books.setFate(id, undefined)
      for (const message of data.messages) books.setFate(message.id, data.target)
    },
  },
  'inbox/moved': {
    check(books, data) {
      allPending(books, [data.id], data.from)
      inRange(data.index, books.size(data.to) - (data.from === data.to ? 1 : 0))
    },
    apply(books, data) {
      books.setFate(data.id, data.to)
    },
  },
}

function claim(books: Books, ids: readonly MessageId[]): void {
  for (const id of ids) {
    books.setFate(id, 'claimed')
    books.turn?.claimed.push(id)
  }
}

/** Each id is pending, in `list` if that is given, and none is named twice. */
function allPending(books: Books, ids: readonly MessageId[], list?: InboxList): void {
  for (const id of ids) {
    const fate = books.fate(id)
    if (list === undefined ? isPending(fate) : fate === list) continue
    const where = list === undefined ? '' : ` in ${list}`
    refuse(
      'pending-id',
      `expected an id that is pending${where}, found ${JSON.stringify(id)} (${fate ?? 'unknown'})`,
    )
  }
  const twice = repeated(ids)
  if (twice === undefined) return
  refuse('pending-id', `expected each id once, found ${JSON.stringify(twice)} twice`)
}

const isPending = (fate: Fate | undefined): boolean => fate === 'next-turn' || fate === 'next-step'

function repeated(ids: readonly MessageId[]): MessageId | undefined {
  if (ids.length < 2 || new Set(ids).size === ids.length) return undefined
  return ids.find((id, i) => ids.indexOf(id) !== i)
}

function inRange(index: number, size: number): void {
  if (!Number.isInteger(index) || index < 0 || index > size) {
    refuse('index-range', `expected an index from 0 to ${size}, found ${index}`)
  }
}
