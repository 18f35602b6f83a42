/**
 * The clock of this machine: its timers fire once, can be dropped, and are never longer than Node keeps them.
 */
import { describe, expect, it, vi } from 'vitest'
import { systemClock } from '../../src/actors/clock.ts'

const fire = (): void => {}

const LONGEST = 2_147_483_647

describe('the clock of this machine', () => {
  it.each([
    [5, 5],
    [0, 0],
    [-5, 0],
    [LONGEST + 1, LONGEST],
    [Infinity, LONGEST],
  ])('asked for %d ms waits %d', (ms, waited) => {
    const timeout = vi.spyOn(globalThis, 'setTimeout')
    const drop = systemClock.after(ms, fire)
    drop()
    expect(timeout.mock.calls).toEqual([[fire, waited]])
    timeout.mockRestore()
  })

  it('drops the very timer that it was asked to drop', () => {
    const cleared = vi.spyOn(globalThis, 'clearTimeout')
    const timeout = vi.spyOn(globalThis, 'setTimeout')
    systemClock.after(LONGEST, () => {})()
    expect(cleared.mock.calls).toEqual([[timeout.mock.results[0]?.value]])
    for (const spy of [cleared, timeout]) spy.mockRestore()
  })

  it('tells the time in whole ms', () => {
    expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(1000)
  })
})
