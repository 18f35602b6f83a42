/**
 * A cancel of a turn that was cancelled before, and one that the log refuses: what is put back, and what is held back.
 */
import { describe, expect, it } from 'vitest'
import type { CancelOptions, CancelReceipt } from '../../src/actors/agent-handle.ts'
import { settle } from '../../src/testing/virtual-clock.ts'
import { before, inside, none, requests } from './cancel-rig.ts'
import { refusing } from './refusing-log.ts'
import { finish, ofType, type Rig, say } from './rig.ts'

const BACK: CancelOptions = { restoreClaimed: true }
const BACK_AND_ON: CancelOptions = { restoreClaimed: true, resume: true }
const KEPT: CancelOptions = { keepInbox: true }

describe('a later cancel of the same turn', () => {
  it.each<[string, () => Promise<Rig>, CancelOptions, CancelOptions, boolean, string[] | null]>([
    ['holds what the first one puts back', before, BACK_AND_ON, {}, true, ['A']],
    ['holds it too with keepInbox', before, BACK_AND_ON, KEPT, true, ['A']],
    ['does nothing if all goes on', before, BACK_AND_ON, { ...KEPT, resume: true }, false, null],
    ['does nothing if the first one holds it', before, BACK, {}, false, ['A']],
    ['does nothing if nothing is put back', before, {}, {}, false, null],
    ['does nothing if a step was entered', inside, BACK_AND_ON, {}, false, null],
  ])('%s', async (_, make, first, second, recorded, ids) => {
    const made = await make()
    made.agent.cancel('user', first)
    const receipt = made.agent.cancel('user', second)
    expect(receipt).toStrictEqual(recorded ? { effect: 'discarded', discarded: [] } : none)
    expect(requests(made)).toHaveLength(recorded ? 2 : 1)
    await settle()
    expect(made.agent.parked).toEqual(ids === null ? null : { reason: 'cancel', ids })
    await made.clock.advance(10_000)
    await finish(made.agent)
  })

  it('holds it once, however often it is asked', async () => {
    const made = await before()
    made.agent.abort('user', { restoreClaimed: true })
    made.agent.cancel('user')
    expect(made.agent.cancel('user')).toStrictEqual(none)
    expect(requests(made)).toHaveLength(2)
    await finish(made.agent)
  })

  it('lets go on what goes on already', async () => {
    const made = await inside()
    made.agent.followup(say('B'))
    made.agent.abort()
    expect(made.agent.abort()).toStrictEqual(none)
    expect(made.agent.cancel('user', KEPT)).toStrictEqual({ effect: 'discarded', discarded: [] })
    expect(made.agent.cancel('user', KEPT)).toStrictEqual(none)
    expect(made.agent.parked).toEqual({ reason: 'cancel', ids: ['B'] })
    await made.clock.advance(10_000)
    await finish(made.agent)
  })

  it('once the turn is over has nothing to hold', async () => {
    const made = await before()
    const receipts: CancelReceipt[] = []
    made.agent.subscribe({}, ({ type }) => {
      if (type === 'turn/end') made.agent.inbox.remove('A')
    })
    made.agent.abort('user', { restoreClaimed: true })
    await made.agent.whenIdle()
    const { length } = made.agent.log
    receipts.push(made.agent.cancel(), made.agent.cancel('user', KEPT))
    expect(receipts).toStrictEqual([none, none])
    expect(made.agent.log.length).toBe(length)
    await finish(made.agent)
  })
})

describe('a cancel that the log refuses', () => {
  it.each<[CancelOptions, string[] | undefined]>([
    [{}, ['B']],
    [{ resume: true }, ['B']],
    [KEPT, ['B']],
    [{ ...KEPT, resume: true }, undefined],
  ])('aborts all the same; with %j it holds back %j', async (options, held) => {
    const made = await inside({ log: refusing('cancel/requested') })
    made.agent.followup(say('B'))
    expect(made.agent.cancel('user', options)).toStrictEqual({
      effect: 'aborted',
      discarded: [],
      turn: 1,
    })
    expect(made.agent.parked).toEqual(held === undefined ? null : { reason: 'cancel', ids: held })
    expect(made.diagnostics.map(({ kind, message }) => [kind, message])).toEqual([
      ['append', 'disk full'],
    ])
    await made.clock.advance(10_000)
    expect(ofType(made.agent, 'turn/start')).toHaveLength(held === undefined ? 2 : 1)
    made.agent.cancel()
    await made.clock.advance(10_000)
    await finish(made.agent)
  })

  it('holds back what it puts back, unless a wake comes first', async () => {
    const made = await before({ log: refusing('cancel/requested', 2) })
    made.agent.cancel('user', BACK)
    await made.agent.whenIdle()
    expect(made.agent.parked).toEqual({ reason: 'cancel', ids: ['A'] })
    const woken = await before({ log: refusing('cancel/requested') })
    woken.agent.cancel('user', BACK)
    woken.agent.followup(say('B'))
    woken.agent.inbox.remove('B')
    await settle()
    expect(woken.agent.parked).toBeNull()
    expect(ofType(woken.agent, 'inbox/claimed').map(({ data }) => data.nextTurn)).toEqual([
      ['A'],
      ['A'],
    ])
    woken.agent.cancel()
    await woken.agent.whenIdle()
    await finish(woken.agent)
    await finish(made.agent)
  })
})
