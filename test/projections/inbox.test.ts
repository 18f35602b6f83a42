/**
 * The lists of pending messages, edit by edit.
 *
 * @module
 */
import { beforeEach, describe, expect, it } from 'vitest'
import type { InboxList } from '../../src/events/event.ts'
import {
  entriesOf,
  findPending,
  inbox,
  pendingEntries,
  placementOf,
} from '../../src/projections/inbox.ts'
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

describe('lists', () => {
  it('replace keeps list, position and wake flag', () => {
    for (const id of ['P', 'Q', 'R']) log.followup(id)
    const data = { ids: ['Q'], target: 'next-turn', index: 1, wake: true, actor: 'user' } as const
    log.put('inbox/replaced', { ...data, messages: [textMessage('Q2')] })
    expect(ids('next-turn')).toEqual(['P', 'Q2', 'R'])
    expect(findPending(state(), 'Q2')).toMatchObject({
      list: 'next-turn',
      index: 1,
      entry: { wake: true },
    })
    expect(findPending(state(), 'Q')).toBeUndefined()
  })

  it('a move takes the message out before it counts the new place', () => {
    for (const id of ['P', 'Q', 'R']) log.followup(id)
    log.move('next-turn', 'P', 'next-turn', 2)
    expect(ids('next-turn')).toEqual(['Q', 'R', 'P'])
  })

  it('one claim takes from both lists, and next-step comes first in what is pending', () => {
    log.followup('B')
    log.steer('S')
    expect(pendingEntries(state()).map((entry) => entry.message.id)).toEqual(['S', 'B'])
    log.start()
    log.claim(1, ['B'])
    expect(pendingEntries(state())).toEqual([])
  })

  it('a fork leaves pending input to its parent unless it inherits it', () => {
    log.followup('A')
    log.put('session/opened', { how: 'fork', wake: false, inheritInbox: true })
    expect(ids('next-turn')).toEqual(['A'])
    log.put('session/opened', { how: 'fork', wake: false })
    expect(ids('next-turn')).toEqual([])
    expect(parked()).toBeNull()
  })

  it('next-turn is queued; next-step of a user or with wake is steering; the rest is context', () => {
    log.followup('B')
    log.send('next-step', 'user', false)
    log.insert('next-step', 1, textMessage('child', 'child'), { wake: true })
    log.insert('next-step', 2, textMessage('note', 'plugin'), { wake: false })
    const { nextTurn, nextStep } = state()
    expect(nextTurn.map((entry) => placementOf('next-turn', entry))).toEqual(['queued'])
    expect(nextStep.map((entry) => placementOf('next-step', entry))).toEqual([
      'steering',
      'steering',
      'context',
    ])
  })
})
