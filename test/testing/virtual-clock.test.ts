/** The clock stands still until it is moved, and fires one timer after another. */
import { expect, test } from 'vitest'
import { virtualClock } from '../../src/testing/virtual-clock.ts'

test('timers fire in the order of their times, then of their making, each with macrotasks behind it', async () => {
  const clock = virtualClock({ now: 1000 })
  const seen: string[] = []
  const at = (name: string, ms: number): void => {
    clock.after(ms, () => {
      seen.push(`${name} ${clock.now()}`)
      setImmediate(() => seen.push(`after ${name}`))
    })
  }
  at('late', 20)
  at('b', 10)
  at('c', 10)
  await clock.advance(15)
  expect(seen).toEqual(['b 1010', 'after b', 'c 1010', 'after c'])
  expect(clock.now()).toBe(1015)
  expect(clock.due).toEqual([1020])
  expect(await clock.advanceToNext()).toBe(true)
  expect(clock.now()).toBe(1020)
  expect(await clock.advanceToNext()).toBe(false)
})

test('a dropped timer never fires; one that never comes is none', async () => {
  const clock = virtualClock()
  let fired = false
  clock.after(5, () => (fired = true))()
  clock.after(Number.POSITIVE_INFINITY, () => (fired = true))
  expect(clock.timers).toBe(0)
  await clock.advance(10)
  expect(fired).toBe(false)
})

test('a timer that a timer sets is fired within the same advance, if it comes due', async () => {
  const clock = virtualClock({ now: 0 })
  const seen: number[] = []
  clock.after(10, () => {
    clock.after(10, () => seen.push(clock.now()))
  })
  await clock.advance(20)
  expect(seen).toEqual([20])
})
