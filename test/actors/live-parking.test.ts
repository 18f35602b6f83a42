/**
 * What is held back without a record: which messages, why, and which events let them go.
 */
import { describe, expect, it } from 'vitest'
import { allParked, parkedOf, stillParked } from '../../src/actors/live-parking.ts'
import type { EventMap, StoredEvent } from '../../src/events/event.ts'
import { inbox, type InboxState, type Parked } from '../../src/projections/inbox.ts'
import { textMessage } from '../support/log-writer.ts'
import { stored } from '../support/stored.ts'

const pending = (ids: readonly string[], parked: Parked | null = null): InboxState => ({
  ...inbox.initial,
  nextTurn: ids.map((id) => ({ message: textMessage(id), wake: true })),
  parked,
})
const live = (...ids: string[]): Parked => ({ reason: 'cancel', ids })
const recorded = (...ids: string[]): Parked => ({ reason: 'blocked', ids })

describe('what is held back', () => {
  it.each<[string, Parked | null, Parked | null, Parked | null]>([
    ['nothing', null, null, null],
    ['by a record alone', null, recorded('A'), recorded('A')],
    ['without a record alone', live('B'), null, live('B')],
    ['by both, in the order of the queue', live('B'), recorded('A', 'B'), live('A', 'B')],
    ['by each for its part', live('C'), recorded('A'), live('A', 'C')],
  ])('%s', (_, unrecorded, record, all) => {
    expect(allParked(unrecorded, pending(['A', 'B', 'C'], record))).toEqual(all)
  })

  it.each<[readonly string[] | undefined, Parked | null]>([
    [undefined, live('A', 'B')],
    [['B', 'gone'], live('B')],
    [['gone'], null],
  ])('of A and B, where %j is asked for, is %j', (held, parked) => {
    const only = held === undefined ? undefined : new Set(held)
    expect(parkedOf('cancel', pending(['A', 'B']), only)).toEqual(parked)
  })
})

const inserted = (rest: Partial<EventMap['inbox/inserted']> = {}): StoredEvent =>
  stored('inbox/inserted', {
    target: 'next-turn',
    index: 2,
    message: textMessage('C'),
    wake: true,
    actor: 'a',
    ...rest,
  })
const replaced = (...ids: string[]): StoredEvent =>
  stored('inbox/replaced', {
    ids,
    target: 'next-turn',
    index: 0,
    messages: [textMessage('X')],
    wake: true,
    actor: 'a',
  })
const discarded = (...ids: string[]): StoredEvent =>
  stored('inbox/discarded', { ids, reason: 'removed', actor: 'a' })

describe('A and B, held back without a record,', () => {
  it.each<[string, StoredEvent, readonly string[], Parked | null]>([
    ['are let go by a wake', inserted(), ['A', 'B', 'C'], null],
    ['not by what wakes nobody', inserted({ wake: false }), ['A', 'B', 'C'], live('A', 'B')],
    ['not by what comes back', inserted({ mark: 'restored' }), ['A', 'B', 'C'], live('A', 'B')],
    ['are forgotten when they are gone', discarded('A'), ['B'], live('B')],
    ['are over with the last one', discarded('A', 'B'), ['C'], null],
    ['give their hold to what replaces one', replaced('A', 'D'), ['X', 'B'], live('X', 'B')],
    ['give it to nobody else', replaced('D'), ['X', 'A', 'B'], live('A', 'B')],
    [
      'stay so whatever else is recorded',
      stored('turn/start', { turn: 1 }),
      ['A', 'B'],
      live('A', 'B'),
    ],
  ])('%s', (_, event, ids, parked) => {
    expect(stillParked(live('A', 'B'), pending(ids), event)).toEqual(parked)
  })
})
