import { assert, nat, property, tuple } from 'fast-check'
import { expect, it } from 'vitest'
import { broughtIntoSight, movedBy, windowOf } from '../../page/src/parts/virtual-window.ts'

const ROW = 26
const HEIGHT = 300

it('the rows that exist are those in sight and a few beyond, however long the list is', () => {
  assert(
    property(tuple(nat(200_000), nat(5_300_000)), ([count, top]) => {
      const { first, last } = windowOf({ top, height: HEIGHT }, ROW, count)
      expect(last - first).toBeLessThanOrEqual(30)
      expect(first).toBeGreaterThanOrEqual(0)
      expect(last).toBe(Math.max(last, Math.min(count, Math.floor(top / ROW) + 1)))
    }),
  )
})

it('a row in sight moves nothing, a near one is brought to the edge, a far one into the middle', () => {
  const sight = { top: 1000 * ROW, height: HEIGHT }
  expect(broughtIntoSight(sight, 1005, ROW, 5000)).toBe(sight.top)
  expect(broughtIntoSight(sight, 999, ROW, 5000)).toBe(999 * ROW)
  expect(broughtIntoSight(sight, 1012, ROW, 5000)).toBe(1013 * ROW - HEIGHT)
  expect(broughtIntoSight(sight, 3000, ROW, 5000)).toBe(3000 * ROW - (HEIGHT - ROW) / 2)
  expect(broughtIntoSight(sight, -1, ROW, 5000)).toBe(sight.top)
})

it('no list is scrolled beyond its ends', () => {
  assert(
    property(tuple(nat(3000), nat(3000), nat(80_000)), ([count, index, top]) => {
      const to = broughtIntoSight({ top, height: HEIGHT }, Math.min(index, count - 1), ROW, count)
      expect(to === top || to <= Math.max(0, count * ROW - HEIGHT)).toBe(true)
      expect(to).toBeGreaterThanOrEqual(0)
    }),
  )
})

it('keys lead from row to row and stop at the ends; other keys lead nowhere', () => {
  expect(movedBy('ArrowDown', 4, 10, 3)).toBe(5)
  expect(movedBy('ArrowDown', 9, 10, 3)).toBe(9)
  expect(movedBy('PageUp', 2, 10, 3)).toBe(0)
  expect(movedBy('End', 2, 10, 3)).toBe(9)
  expect(movedBy('a', 2, 10, 3)).toBeUndefined()
})
