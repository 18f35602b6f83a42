/**
 * What a recorded policy holds back, and what frees it.
 *
 * @module
 */
import { beforeEach, describe, expect, it } from 'vitest'
import type { InboxList } from '../../src/events/event.ts'
import { entriesOf, hasWakingWork, inbox, isParked } from '../../src/projections/inbox.ts'
import { fold } from '../../src/projections/projection.ts'
import { LogScript } from '../support/log-script.ts'
import { textMessage } from '../support/log-writer.ts'

let log: LogScript
beforeEach(() => {
  log = new LogScript()
})

const state = () => fold(inbox, log.events)
const parked = () => state().parked
const ids = (list: InboxList) => entriesOf(state(), list).map((entry) => entry.message.id)

describe('parking', () => {
  it('a cancel with keepInbox parks everything pending then, in queue order', () => {
    log.followup('B')
    log.steer('S')
    log.inject('X')
    log.start()
    log.cancel({ keepInbox: true })
    expect(parked()).toEqual({ reason: 'cancel', ids: ['S', 'X', 'B'] })
    expect(hasWakingWork(state())).toBe(false)
  })

  it('a cancel with resume, or one that discards, parks nothing', () => {
    log.followup('B')
    log.start()
    log.cancel({ keepInbox: true, resume: true })
    expect(parked()).toBeNull()
    log.cancel()
    expect(parked()).toBeNull()
    expect(hasWakingWork(state())).toBe(true)
  })

  it('a wake ends the parking and frees all of it', () => {
    log.followup('B')
    log.start()
    log.cancel({ keepInbox: true })
    log.end('aborted')
    log.followup('C')
    expect(parked()).toBeNull()
    expect(hasWakingWork(state())).toBe(true)
  })

  it('inject, restored and recovered insertions and edits are no wakes', () => {
    log.followup('B')
    log.start()
    log.cancel({ keepInbox: true })
    log.end('aborted')
    log.inject('X')
    log.send('next-turn', 'restored', true, 'restored', 0)
    log.send('next-turn', 'recovered', false, 'recovered', 0)
    log.send('next-turn', 'edit', false)
    expect(parked()).toEqual({ reason: 'cancel', ids: ['B'] })
  })

  it('what restoreClaimed puts back is parked by that cancel', () => {
    log.followup('A')
    log.start()
    log.claim(1, ['A'])
    log.cancel({ keepInbox: true, restoreClaimed: true })
    expect(parked()).toBeNull()
    log.end('aborted')
    log.send('next-turn', 'A', true, 'restored', 0)
    expect(parked()).toEqual({ reason: 'cancel', ids: ['A'] })
    log.followup('B')
    expect(parked()).toBeNull()
    expect(ids('next-turn')).toEqual(['A', 'B'])
  })

  it('restoreClaimed implies keepInbox', () => {
    log.followup('A')
    log.followup('B')
    log.start()
    log.claim(1, ['A'])
    log.cancel({ keepInbox: false, restoreClaimed: true })
    expect(parked()).toEqual({ reason: 'cancel', ids: ['B'] })
  })

  it('a cancel that lets nothing go on parks also what an earlier abort is about to put back', () => {
    log.followup('A')
    log.start()
    log.claim(1, ['A'])
    log.cancel({ keepInbox: true, resume: true, restoreClaimed: true })
    log.cancel({ keepInbox: true })
    log.end('aborted')
    log.send('next-turn', 'A', true, 'restored', 0)
    expect(parked()).toEqual({ reason: 'cancel', ids: ['A'] })
  })

  it('what an abort that goes on puts back is free', () => {
    log.followup('A')
    log.start()
    log.claim(1, ['A'])
    log.cancel({ keepInbox: true, resume: true, restoreClaimed: true })
    log.end('aborted')
    log.send('next-turn', 'A', true, 'restored', 0)
    expect(parked()).toBeNull()
    expect(hasWakingWork(state())).toBe(true)
  })

  it('a wake before the claimed message is back frees that one too', () => {
    log.followup('A')
    log.start()
    log.claim(1, ['A'])
    log.cancel({ keepInbox: true, restoreClaimed: true })
    log.followup('B')
    log.end('aborted')
    log.send('next-turn', 'A', true, 'restored', 0)
    expect(parked()).toBeNull()
  })

  it('a message that a gate restores in a later turn is not parked by an older cancel', () => {
    log.followup('A')
    log.start()
    log.claim(1, ['A'])
    log.cancel({ keepInbox: true, restoreClaimed: true })
    log.end('aborted')
    log.start()
    log.end('blocked')
    log.send('next-turn', 'A', true, 'restored', 0)
    expect(parked()).toBeNull()
  })

  it.each(['blocked', 'error', 'loop'] as const)('turn/end with parks: %s parks all', (parks) => {
    log.followup('A')
    log.followup('B')
    log.inject('X')
    log.start()
    log.claim(1, ['A'])
    log.send('next-step', 'Y', false)
    log.end('error', { parks })
    expect(parked()).toEqual({ reason: parks, ids: ['Y', 'B'] })
  })

  it('an error turn that claimed nothing parks the queue with reason log', () => {
    log.followup('A')
    log.start()
    log.end('error')
    expect(parked()).toEqual({ reason: 'log', ids: ['A'] })
  })

  it('an error turn that claimed, and an aborted one that did not, park nothing', () => {
    log.followup('A')
    log.followup('B')
    log.start()
    log.claim(1, ['A'])
    log.end('error')
    expect(parked()).toBeNull()
    log.start()
    log.end('aborted')
    expect(parked()).toBeNull()
  })

  it('a limit parks left-over next-step input and lets queued prompts go on', () => {
    log.followup('A')
    log.followup('B')
    log.start()
    log.claim(1, ['A'])
    log.steer('S')
    log.end('limit')
    expect(parked()).toEqual({ reason: 'limit', ids: ['S'] })
    expect(isParked(state(), 'S')).toBe(true)
    expect(hasWakingWork(state())).toBe(true)
  })

  it('a session opened without wake parks everything; with wake it frees everything', () => {
    log.followup('B')
    log.put('session/opened', { how: 'resume', wake: false })
    expect(parked()).toEqual({ reason: 'resume', ids: ['B'] })
    log.put('session/opened', { how: 'resume', wake: true })
    expect(parked()).toBeNull()
  })

  it('the reason is that of the latest policy that parked', () => {
    log.followup('B')
    log.cancel({ keepInbox: true })
    log.put('session/opened', { how: 'resume', wake: false })
    expect(parked()).toEqual({ reason: 'resume', ids: ['B'] })
  })

  it('what is claimed or discarded leaves the parking; without ids it is null', () => {
    for (const id of ['A', 'B', 'C']) log.followup(id)
    log.cancel({ keepInbox: true })
    log.start()
    log.claim(1, ['A'])
    expect(parked()).toEqual({ reason: 'cancel', ids: ['B', 'C'] })
    log.discard(['B', 'C'], 'removed')
    expect(parked()).toBeNull()
  })

  it('a parked message stays parked when it is moved, and its replacement takes its place', () => {
    log.followup('A')
    log.followup('B')
    log.cancel({ keepInbox: true })
    log.move('next-turn', 'A', 'next-step', 0)
    const data = { ids: ['B'], target: 'next-turn', index: 0, wake: true, actor: 'user' } as const
    log.put('inbox/replaced', { ...data, messages: [textMessage('B2')] })
    expect(parked()).toEqual({ reason: 'cancel', ids: ['A', 'B2'] })
  })

  it('the replacement of a free message is free, even if it wakes', () => {
    log.followup('A')
    log.cancel({ keepInbox: true })
    log.inject('X')
    const data = { ids: ['X'], target: 'next-step', index: 0, wake: true, actor: 'user' } as const
    log.put('inbox/replaced', { ...data, messages: [textMessage('X2')] })
    expect(parked()).toEqual({ reason: 'cancel', ids: ['A'] })
  })

  it('tells many parked ids apart', () => {
    for (let n = 0; n < 20; n += 1) log.followup(`q${n}`)
    log.cancel({ keepInbox: true })
    log.discard(log.lists['next-turn'].slice(0, 19), 'removed')
    expect(parked()).toEqual({ reason: 'cancel', ids: ['q19'] })
  })
})
