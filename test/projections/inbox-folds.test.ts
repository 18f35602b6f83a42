/**
 * The whole state of the inbox, event by event, and the events that leave it the same object.
 *
 * @module
 */
import { describe, expect, it } from 'vitest'
import type { EventMap, StoredEvent } from '../../src/events/event.ts'
import {
  findPending,
  inbox,
  isParked,
  pendingEntries,
  type InboxEntry,
  type InboxState,
} from '../../src/projections/inbox.ts'
import { fold } from '../../src/projections/projection.ts'
import { REASONS } from '../support/log-script.ts'
import { textMessage } from '../support/log-writer.ts'
import { stored } from '../support/stored.ts'

const inserted = (id: string, rest: Partial<EventMap['inbox/inserted']> = {}): StoredEvent =>
  stored('inbox/inserted', {
    target: 'next-turn',
    index: 99,
    message: textMessage(id),
    wake: true,
    actor: 'a',
    ...rest,
  })
const cancel = (rest: Partial<EventMap['cancel/requested']> = {}): StoredEvent =>
  stored('cancel/requested', {
    cause: { kind: 'user' },
    actor: 'a',
    keepInbox: true,
    resume: false,
    turn: 1,
    discarded: [],
    ...rest,
  })
const RESTORING = { restoreClaimed: true } as const
const claimed = (...nextTurn: string[]): StoredEvent =>
  stored('inbox/claimed', { turn: 1, nextStep: [], nextTurn })
const discarded = (...ids: string[]): StoredEvent =>
  stored('inbox/discarded', { ids, reason: 'removed', actor: 'a' })
const replaced = (ids: readonly string[], ...by: string[]): StoredEvent =>
  stored('inbox/replaced', {
    ids,
    target: 'next-turn',
    index: 0,
    messages: by.map((id) => textMessage(id)),
    wake: true,
    actor: 'a',
  })
const moved = (id: string, index: number): StoredEvent =>
  stored('inbox/moved', { id, from: 'next-turn', to: 'next-turn', index, actor: 'a' })
const start = stored('turn/start', { turn: 1 })
const end = (kind: keyof typeof REASONS, rest: Partial<EventMap['turn/end']> = {}): StoredEvent =>
  stored('turn/end', { turn: 1, reason: REASONS[kind], uncommitted: [], ...rest })
const opened = (rest: Partial<EventMap['session/opened']> = {}): StoredEvent =>
  stored('session/opened', { how: 'resume', wake: false, ...rest })

const entry = (id: string, rest: Partial<InboxEntry> = {}): InboxEntry => ({
  message: textMessage(id),
  wake: true,
  ...rest,
})
const A = entry('A')
const B = entry('B')

interface Row {
  readonly name: string
  readonly events: readonly StoredEvent[]
  /** What differs from an empty inbox. */
  readonly becomes: Partial<InboxState>
}

const ROWS: readonly Row[] = [
  {
    name: 'an insertion keeps its place, its wake and its mark',
    events: [
      inserted('A'),
      inserted('B', { index: 0, wake: false }),
      inserted('C', { target: 'next-step', mark: 'restored' }),
      inserted('D', { target: 'next-step', mark: 'recovered', wake: false }),
    ],
    becomes: {
      nextTurn: [entry('B', { wake: false }), A],
      nextStep: [entry('C', { mark: 'restored' }), entry('D', { mark: 'recovered', wake: false })],
    },
  },
  {
    name: 'a restoring cancel of a turn puts back, and parks what is put back',
    events: [start, cancel(RESTORING), inserted('A', { mark: 'restored' })],
    becomes: {
      nextTurn: [entry('A', { mark: 'restored' })],
      parked: { reason: 'cancel', ids: ['A'] },
      restores: true,
      parksRestored: 'cancel',
    },
  },
  {
    name: 'what is recovered is not put back, and stays free',
    events: [start, cancel(RESTORING), inserted('A', { mark: 'recovered' })],
    becomes: {
      nextTurn: [entry('A', { mark: 'recovered' })],
      restores: true,
      parksRestored: 'cancel',
    },
  },
  {
    name: 'a cancel that goes on puts back and parks nothing',
    events: [start, cancel({ ...RESTORING, resume: true })],
    becomes: { restores: true },
  },
  {
    name: 'a restoring cancel between turns has nothing to put back',
    events: [inserted('A'), cancel({ ...RESTORING, turn: null, keepInbox: false })],
    becomes: { nextTurn: [A], parked: { reason: 'cancel', ids: ['A'] } },
  },
  {
    name: 'a cancel behind the end of a turn leaves what parks the messages that it puts back',
    events: [
      start,
      cancel({ ...RESTORING, resume: true }),
      end('error', { parks: 'loop' }),
      cancel({ turn: null }),
    ],
    becomes: { restores: true, parksRestored: 'loop' },
  },
  {
    name: 'a new turn forgets that an earlier one was to put back',
    events: [start, cancel({ ...RESTORING, resume: true }), start],
    becomes: {},
  },
  {
    name: 'a new turn forgets what parked the end of the last one',
    events: [start, end('blocked', { parks: 'blocked' }), start],
    becomes: {},
  },
  {
    name: 'a new turn has claimed nothing yet',
    events: [inserted('A'), start, claimed('A'), start],
    becomes: {},
  },
  {
    name: 'a claim takes and is noted',
    events: [inserted('A'), inserted('B'), start, claimed('A')],
    becomes: { nextTurn: [B], claimed: true },
  },
  {
    name: 'a session that opens without a wake parks all and puts nothing back',
    events: [inserted('A'), start, end('blocked', { parks: 'blocked' }), opened()],
    becomes: { nextTurn: [A], parked: { reason: 'resume', ids: ['A'] } },
  },
  {
    name: 'a session that opens empty puts nothing back either',
    events: [start, end('blocked', { parks: 'blocked' }), opened()],
    becomes: {},
  },
  {
    name: 'a replacement of two messages is parked if one of them was',
    events: [inserted('A'), cancel(), inserted('B', { wake: false }), replaced(['A', 'B'], 'C')],
    becomes: { nextTurn: [entry('C')], parked: { reason: 'cancel', ids: ['C'] } },
  },
  {
    name: 'what is parked again is named in its new order',
    events: [inserted('A'), inserted('B'), inserted('C'), cancel(), moved('C', 1), cancel()],
    becomes: {
      nextTurn: [A, entry('C'), B],
      parked: { reason: 'cancel', ids: ['A', 'C', 'B'] },
    },
  },
  {
    name: 'a second policy parks also what came since',
    events: [inserted('A'), cancel(), inserted('B', { wake: false }), cancel()],
    becomes: {
      nextTurn: [A, entry('B', { wake: false })],
      parked: { reason: 'cancel', ids: ['A', 'B'] },
    },
  },
]

describe('the state of the inbox', () => {
  it.each(ROWS)('$name', ({ events, becomes }) => {
    expect(fold(inbox, events)).toStrictEqual({ ...inbox.initial, ...becomes })
  })

  it.each<[string, StoredEvent[], StoredEvent]>([
    ['a discard of what is not pending', [inserted('A')], discarded('X')],
    ['a move of what is not pending', [inserted('A')], moved('X', 0)],
    ['a claim of nothing', [inserted('A'), start], claimed()],
    ['parking again what is parked', [inserted('A'), inserted('B'), cancel()], cancel()],
    ['a second restoring cancel', [start, cancel(RESTORING)], cancel(RESTORING)],
    ['a turn that begins on a clean state', [inserted('A')], start],
    ['a session that opens empty', [], opened()],
    ['a session that wakes where nothing is parked', [inserted('A')], opened({ wake: true })],
    [
      'a turn that ends by a limit with nothing for its next step',
      [inserted('A'), start],
      end('limit'),
    ],
  ])('%s changes nothing', (_, before, event) => {
    const state = fold(inbox, before)
    expect(inbox.evolve(state, event)).toBe(state)
  })

  it('what leaves free leaves the parking of the others the same object', () => {
    const state = fold(inbox, [inserted('A'), cancel(), inserted('B', { wake: false })])
    const then = inbox.evolve(state, discarded('B'))
    expect(then.parked).toBe(state.parked)
    expect(then).toEqual({ ...state, nextTurn: [A] })
  })
})

describe('questions about the inbox', () => {
  const state = fold(inbox, [inserted('A'), cancel(), inserted('B', { wake: false })])

  it('only what a policy held back is parked', () => {
    expect(['A', 'B', 'X'].map((id) => isParked(state, id))).toEqual([true, false, false])
    expect(isParked(fold(inbox, [inserted('A')]), 'A')).toBe(false)
  })

  it('one list alone is what is pending, uncopied', () => {
    const steps = fold(inbox, [inserted('S', { target: 'next-step' })])
    expect(pendingEntries(state)).toBe(state.nextTurn)
    expect(pendingEntries(steps)).toBe(steps.nextStep)
  })

  it('a pending message is found in its list, and nothing else', () => {
    expect(findPending(state, 'B')).toEqual({
      list: 'next-turn',
      index: 1,
      entry: entry('B', { wake: false }),
    })
    expect(findPending(state, 'X')).toBeUndefined()
  })
})
