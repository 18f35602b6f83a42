import { assign, createActor, setup } from 'xstate'
import { describe, expect, it } from 'vitest'
import { tableLogic } from '../../src/actors/table.ts'
import { base, nested, types } from './table-charts.ts'
import { parent } from './table-families.ts'

describe('snapshots of a machine run from its table', () => {
  it('answers matches, hasTag, can and getMeta like the stock machine', () => {
    const chart = nested(() => {})
    const stock = createActor(chart, { input: {} }).start()
    const table = createActor(tableLogic(chart), { input: {} }).start()
    for (const type of ['none', 'next', 'back', 'back']) {
      stock.send({ type })
      table.send({ type })
      const [a, b] = [stock.getSnapshot(), table.getSnapshot()]
      for (const value of ['a', 'b', { a: 'two' }, { a: { one: 'deep' } }]) {
        expect(b.matches(value)).toBe(a.matches(value))
      }
      for (const tag of ['t1', 't2', 't3']) expect(b.hasTag(tag)).toBe(a.hasTag(tag))
      for (const event of ['next', 'back', 'outer', 'noop', 'up', 'none']) {
        expect(b.can({ type: event })).toBe(a.can({ type: event }))
      }
      expect(b.getMeta()).toEqual(a.getMeta())
      expect(JSON.parse(JSON.stringify(b))).toEqual(JSON.parse(JSON.stringify(a)))
    }
  })

  it('keeps the very snapshot that nothing changed', () => {
    const actor = createActor(tableLogic(nested(() => {})), { input: {} }).start()
    const before = actor.getSnapshot()
    for (const type of ['none', 'outer']) {
      actor.send({ type })
      expect(actor.getSnapshot()).toBe(before)
    }
  })

  it('keeps the very context when an assignment answers nothing', () => {
    const chart = setup({
      types,
      actions: { nothing: assign(() => undefined as never) },
    }).createMachine({ ...base, id: 'm', on: { go: { actions: 'nothing' } } })
    const actor = createActor(tableLogic(chart), { input: {} }).start()
    const { context } = actor.getSnapshot()
    actor.send({ type: 'go' })
    expect(actor.getSnapshot().context).toBe(context)
  })

  it('never changes a snapshot that it has answered', () => {
    const actor = createActor(tableLogic(nested(() => {})), { input: {} }).start()
    const snapshots = [actor.getSnapshot()]
    const kept = [JSON.stringify(actor.getSnapshot())]
    for (const type of ['next', 'stay', 'both', 'back', 'again']) {
      actor.send({ type })
      snapshots.push(actor.getSnapshot())
      kept.push(JSON.stringify(actor.getSnapshot()))
    }
    expect(snapshots.map((snapshot) => JSON.stringify(snapshot))).toEqual(kept)
  })

  it('is compiled once, together with the machines it invokes', () => {
    const chart = parent('plain')(() => {})
    expect(tableLogic(chart)).toBe(tableLogic(chart))
    expect(tableLogic(tableLogic(chart))).toBe(tableLogic(chart))
    const actor = createActor(tableLogic(chart), { input: {} }).start()
    actor.send({ type: 'go' })
    const child = actor.getSnapshot().children['kid'] as unknown as { logic: unknown }
    expect(child.logic).toBe(tableLogic(chart.implementations.actors['kid'] as never))
  })
})
