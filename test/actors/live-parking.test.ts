/**
 * Parking that the log refused to record follows its messages, joins what is recorded, and ends with the next wake.
 */
import { describe, expect, it } from 'vitest'
import { allParked, parkedOf, stillParked } from '../../src/actors/live-parking.ts'
import type { StoredEvent } from '../../src/events/event.ts'
import type { Message } from '../../src/events/message.ts'
import { inbox, type InboxState, type Parked } from '../../src/projections/inbox.ts'

const message = (id: string): Message => ({
  id,
  role: 'user',
  content: [{ type: 'text', text: id }],
  source: { kind: 'user' },
})

/** An inbox with `a`, `b` and `c` in the next turn. */
const PENDING: InboxState = {
  ...inbox.initial,
  nextTurn: ['a', 'b', 'c'].map((id) => ({ message: message(id), wake: true })),
}

const live: Parked = { reason: 'log', ids: ['a', 'b'] }

const stored = (type: StoredEvent['type'], data: unknown): StoredEvent =>
  ({ seq: 0, time: 0, type, data }) as StoredEvent

const inserted = (id: string, wake: boolean, mark?: 'restored'): StoredEvent =>
  stored('inbox/inserted', {
    target: 'next-turn',
    index: 3,
    message: message(id),
    wake,
    actor: 'caller',
    ...(mark !== undefined && { mark }),
  })

const replaced = (ids: readonly string[], by: string): StoredEvent =>
  stored('inbox/replaced', {
    ids,
    target: 'next-turn',
    index: 0,
    messages: [message(by)],
    wake: true,
    actor: 'caller',
  })

const discarded = (ids: readonly string[]): StoredEvent =>
  stored('inbox/discarded', { ids, reason: 'removed', actor: 'caller' })

describe('what is parked live', () => {
  it.each<[string, StoredEvent, readonly string[] | undefined]>([
    ['ends with a wake', inserted('d', true), undefined],
    ['outlives input that does not wake', inserted('d', false), ['a', 'b']],
    ['outlives what is put back', inserted('d', true, 'restored'), ['a', 'b']],
    ['shrinks by what is taken out', discarded(['a']), ['b']],
    ['ends with the last of it', discarded(['a', 'b']), undefined],
    ['passes on to what takes its place', replaced(['a'], 'd'), ['d', 'b']],
    ['also if only one of several was parked', replaced(['b', 'c'], 'd'), ['d', 'a']],
    ['but not to what replaces others', replaced(['c'], 'd'), ['a', 'b']],
  ])('%s', (_, event, ids) => {
    const left = stillParked(live, inbox.evolve(PENDING, event), event)
    expect(left).toEqual(ids === undefined ? null : { reason: 'log', ids })
  })

  it('is left as it is by what is no edit of the inbox', () => {
    const event = stored('step/start', { turn: 1, step: 1 })
    expect(stillParked(live, PENDING, event)).toBe(live)
  })
})

describe('all that is parked', () => {
  const recorded: Parked = { reason: 'cancel', ids: ['c'] }

  it.each<[string, Parked | null, Parked | null, Parked | null]>([
    ['is what is recorded', null, recorded, recorded],
    ['is what is live', live, null, live],
    ['is both, for the live reason', live, recorded, { reason: 'log', ids: ['a', 'b', 'c'] }],
    ['is nothing', null, null, null],
  ])('%s', (_, given, parked, all) => {
    expect(allParked(given, { ...PENDING, parked })).toEqual(all)
  })

  it('is what is pending, or what of it was named', () => {
    expect(parkedOf('log', PENDING)).toEqual({ reason: 'log', ids: ['a', 'b', 'c'] })
    expect(parkedOf('log', PENDING, new Set(['b', 'x']))).toEqual({ reason: 'log', ids: ['b'] })
    expect(parkedOf('log', PENDING, new Set(['x']))).toBeNull()
  })
})
