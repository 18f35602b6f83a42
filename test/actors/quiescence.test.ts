/**
 * Waiters go one microtask after the mailbox came to rest, if it is still quiet then; nobody looks where nobody waits.
 */
import { describe, expect, it, vi } from 'vitest'
import { Quiescence } from '../../src/actors/quiescence.ts'

const microtask = (): Promise<void> => Promise.resolve()

function waiting() {
  const isQuiet = vi.fn<() => boolean>(() => false)
  const quiescence = new Quiescence(isQuiet)
  const gone = vi.fn<() => void>()
  void quiescence.wait().then(gone)
  isQuiet.mockClear()
  return { quiescence, isQuiet, gone }
}

describe('a waiter', () => {
  it('goes at once where it is quiet', async () => {
    const gone = vi.fn<() => void>()
    void new Quiescence(() => true).wait().then(gone)
    await microtask()
    expect(gone).toHaveBeenCalledOnce()
  })

  it('goes when it has become quiet, and not before the next look', async () => {
    const { quiescence, isQuiet, gone } = waiting()
    quiescence.look()
    isQuiet.mockReturnValue(true)
    await microtask()
    expect(gone).not.toHaveBeenCalled()
    quiescence.look()
    await microtask()
    await microtask()
    expect(gone).toHaveBeenCalledOnce()
  })

  it('stays for work that arrived in the microtask before', async () => {
    const { quiescence, isQuiet, gone } = waiting()
    isQuiet.mockReturnValueOnce(true)
    quiescence.look()
    await microtask()
    await microtask()
    expect(gone).not.toHaveBeenCalled()
    isQuiet.mockReturnValue(true)
    quiescence.look()
    await microtask()
    await microtask()
    expect(gone).toHaveBeenCalledOnce()
  })
})

describe('a look', () => {
  it('where nobody waits costs no question', () => {
    const isQuiet = vi.fn<() => boolean>(() => true)
    new Quiescence(isQuiet).look()
    expect(isQuiet).not.toHaveBeenCalled()
  })

  it('while another one is under way costs none either', async () => {
    const { quiescence, isQuiet } = waiting()
    isQuiet.mockReturnValue(true)
    quiescence.look()
    quiescence.look()
    expect(isQuiet).toHaveBeenCalledOnce()
    await microtask()
    expect(isQuiet).toHaveBeenCalledTimes(2)
    quiescence.look()
    expect(isQuiet).toHaveBeenCalledTimes(2)
  })
})
