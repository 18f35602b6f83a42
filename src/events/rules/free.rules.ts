/**
 * Where cancel requests and compactions may stand; goals and children may stand anywhere.
 *
 * @module
 */
import type { CoreEvents } from '../event.ts'
import type { Books } from './books.ts'
import { noOpenTurn, openTurn, refuse } from './rule.ts'
import type { RulesOf } from './rule.ts'

const anywhere = { check() {}, apply() {} }

export const freeRules: RulesOf<
  | 'cancel/requested'
  | 'compaction/start'
  | 'compaction/summary'
  | 'compaction/end'
  | 'goal/change'
  | 'child/descriptor'
> = {
  'cancel/requested': {
    check(books, data) {
      if (data.turn !== null) openTurn(books, data.turn)
      for (const id of data.discarded) {
        if (books.fate(id) === 'next-turn' || books.fate(id) === 'next-step') {
          refuse(
            'cancel-names',
            `cancel/requested names ${JSON.stringify(id)} as discarded, but it is pending`,
          )
        }
      }
    },
    apply(books, data) {
      if (data.turn !== null && books.turn !== null) books.turn.cancelled = true
    },
  },
  'compaction/start': {
    check(books, data) {
      inTurn(books, data.turn)
      const { from, to } = data.range
      if (!(from >= 0 && from <= to && to < books.length)) {
        refuse(
          'index-range',
          `expected a range within the ${books.length} events of the log, found ${from} to ${to}`,
        )
      }
    },
    apply(books, data) {
      books.compaction = { turn: data.turn, from: data.range.from, to: data.range.to }
    },
  },
  'compaction/summary': {
    check: inCompaction,
    apply() {},
  },
  'compaction/end': {
    check: inCompaction,
    apply(books) {
      books.compaction = null
    },
  },
  'goal/change': anywhere,
  'child/descriptor': anywhere,
}

function inTurn(books: Books, turn: number | null): void {
  if (turn === null) noOpenTurn(books, 'a compaction of its own')
  else openTurn(books, turn)
}

function inCompaction(
  books: Books,
  data: CoreEvents['compaction/summary'] | CoreEvents['compaction/end'],
): void {
  inTurn(books, data.turn)
  const open = books.compaction
  if (open?.turn !== data.turn || open.from !== data.range.from || open.to !== data.range.to) {
    refuse('compaction-pairs', `no compaction of ${data.range.from} to ${data.range.to} is open`)
  }
}
