import { expect, it, vi } from 'vitest'
import { Changes } from '../../src/log/store/changes.ts'

const never = new AbortController().signal

it('a change between two waits is not missed', async () => {
  const changes = new Changes(1e6, () => true)
  const watching = changes.watch('a')
  changes.tell('a')
  await watching.wait(never)
  changes.tell(undefined)
  await watching.wait(never)
  let woken = false
  const waiting = watching.wait(never).then(() => {
    woken = true
  })
  changes.tell('b')
  await Promise.resolve()
  expect(woken).toBe(false)
  changes.tell('a')
  await waiting
  watching.stop()
})

it('all who wait share one look, which is taken only while somebody waits', async () => {
  vi.useFakeTimers()
  try {
    let found = false
    const poll = vi.fn<() => boolean>(() => found)
    const changes = new Changes(100, poll)
    const both = ['a', 'b'].map((session) => changes.watch(session))
    const waiting = Promise.all(both.map((each) => each.wait(never)))
    vi.advanceTimersByTime(250)
    expect(poll).toHaveBeenCalledTimes(2)
    found = true
    vi.advanceTimersByTime(100)
    await waiting
    for (const each of both) each.stop()
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})
