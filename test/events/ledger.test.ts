import { describe, expect, it } from 'vitest'
import {
  answer,
  called,
  callRef,
  claimed,
  inserted,
  ledgerOf,
  moved,
  opened,
  opening,
  result,
  settled,
  stepEnd,
  turnStart,
  wholeTurn,
} from './sample.ts'

const one = opening()
const calls = (n: number) => [...one, answer('1.1', n)]
const pending = [inserted('A'), inserted('B', 'next-step'), inserted('C', 'next-turn', 1)]

describe('what the ledger knows', () => {
  it('the open turn and step, and their numbers', () => {
    const ledger = ledgerOf(one)
    expect([ledger.lastTurn, ledger.openTurn, ledger.lastStep, ledger.openStep]).toEqual([
      1, 1, 1, 1,
    ])
    const after = ledgerOf(wholeTurn(1, 'A'))
    expect([after.lastTurn, after.openTurn, after.lastStep, after.openStep]).toEqual([
      1,
      null,
      1,
      null,
    ])
  })

  it('where a message is pending, and whether it is committed', () => {
    const ledger = ledgerOf([
      ...pending,
      moved('A', 'next-turn', 'next-step'),
      turnStart(1),
      claimed(1, ['C']),
    ])
    expect(['A', 'B', 'C', 'D'].map((id) => ledger.pendingIn(id))).toEqual([
      'next-step',
      'next-step',
      undefined,
      undefined,
    ])
    expect(ledger.isCommitted('C')).toBe(false)
    expect(ledgerOf(one).isCommitted('A')).toBe(true)
  })

  it('which calls wait for a result, in the order of the model', () => {
    const ledger = ledgerOf([
      ...calls(3),
      called('1.1', 0),
      called('1.1', 1),
      settled('1.1', 1),
      result('1.1', 0),
    ])
    expect(ledger.openCalls()).toMatchObject([
      { call: callRef(1), name: 't', called: true, settled: { kind: 'ok' } },
      { call: callRef(2), name: 't', called: false },
    ])
  })

  it('that a fork starts with empty lists unless it inherits them', () => {
    expect(ledgerOf([...pending, opened('fork')]).pendingIn('A')).toBe(undefined)
    expect(ledgerOf([...pending, opened('fork', true)]).pendingIn('A')).toBe('next-turn')
    expect(ledgerOf([...pending, opened()]).pendingIn('A')).toBe('next-turn')
  })

  it('the same after it is built again', () => {
    const events = [...wholeTurn(1, 'A'), inserted('B')]
    const ledger = ledgerOf(events)
    const before = structuredClone(Object.entries(ledger))
    ledger.rebuild(events)
    expect(Object.entries(ledger)).toEqual(before)
  })

  it('names the rule, what was expected and that nothing was recorded', () => {
    expect(() => {
      ledgerOf(calls(1)).check(stepEnd('1.1'))
    }).toThrow('step 1.1 may not close over calls without a result: 1.1.0. Nothing was recorded.')
  })
})
