/**
 * Who waits for quiescence is let go once the mailbox rests and nothing came in between, and is never let go at work.
 */
import { describe, expect, it } from 'vitest'
import { Quiescence } from '../../src/actors/quiescence.ts'
import { macrotask } from '../../src/testing/virtual-clock.ts'

/** Something at work, with one waiter. */
function atWork() {
  const told = { quiet: false, asked: 0, settled: 0 }
  const quiescence = new Quiescence(() => {
    told.asked += 1
    return told.quiet
  })
  const wait = (): void => {
    void quiescence.wait().then(() => {
      told.settled += 1
    })
  }
  wait()
  return { told, quiescence, wait }
}

describe('a waiter', () => {
  it('of what is quiet is let go at once, and nobody looks for it', async () => {
    const { told, quiescence, wait } = atWork()
    told.quiet = true
    wait()
    await macrotask()
    expect(told.settled).toBe(1)
    quiescence.look()
    await macrotask()
    expect(told.settled).toBe(2)
  })

  it('stays where work arrives before the second look, and goes with the next one', async () => {
    const { told, quiescence } = atWork()
    told.quiet = true
    quiescence.look()
    told.quiet = false
    await macrotask()
    expect(told.settled).toBe(0)
    told.quiet = true
    quiescence.look()
    expect(told.settled).toBe(0)
    await macrotask()
    expect(told.settled).toBe(1)
  })

  it('stays after a look at work, even if it ends before a second look would come', async () => {
    const { told, quiescence } = atWork()
    quiescence.look()
    told.quiet = true
    await macrotask()
    expect(told.settled).toBe(0)
  })
})

it.each<[string, number, number]>([
  ['nobody waits: not at all', 0, 0],
  ['somebody waits: twice, however often the mailbox rests meanwhile', 1, 2],
])('a look asks whether all is quiet only where %s', async (_, waiters, questions) => {
  const { told, quiescence, wait } = atWork()
  told.quiet = true
  quiescence.look()
  await macrotask()
  told.quiet = false
  for (let i = 0; i < waiters; i += 1) wait()
  told.quiet = true
  told.asked = 0
  quiescence.look()
  quiescence.look()
  quiescence.look()
  await macrotask()
  expect(told.asked).toBe(questions)
})
