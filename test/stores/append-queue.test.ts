import { describe, expect, it } from 'vitest'
import { AppendQueue } from '../../src/log/store/append-queue.ts'
import type { QueuedAppend } from '../../src/log/store/append-queue.ts'
import { LeaseKeeper } from '../../src/log/store/held-lease.ts'
import { MemoryBackend } from '../../src/log/store/memory-backend.ts'
import { headerOf } from '../../src/testing/log-contract/samples.ts'
import { deferred } from '../support/deferred.ts'

const append = (session: string, size = 1): QueuedAppend => ({
  session,
  id: session,
  version: 0,
  epoch: 1,
  bodies: ['x'.repeat(size)],
})
const done = { ok: true, version: 1, repeated: false } as const

/** A queue whose commits end when the test says so. */
function held(inFlight = 1) {
  const groups: { readonly sessions: string[]; end(error?: Error): void }[] = []
  const queue = new AppendQueue({
    inFlight,
    commit: (group) => {
      const answer = deferred<(typeof done)[]>()
      groups.push({
        sessions: group.map(({ session }) => session),
        end: (error) => {
          if (error === undefined) answer.resolve(group.map(() => done))
          else answer.reject(error)
        },
      })
      return answer.promise
    },
  })
  return { queue, groups }
}
const tick = () => new Promise((resolve) => setImmediate(resolve))

describe('the queue of appends', () => {
  it('commits everything that queued while the last commit ran', async () => {
    const { queue, groups } = held()
    const first = queue.add(append('a'))
    await tick()
    const rest = ['b', 'c', 'd'].map((session) => queue.add(append(session)))
    await tick()
    groups[0]?.end()
    await first
    await tick()
    groups[1]?.end()
    expect(await Promise.all(rest)).toEqual([done, done, done])
    expect(groups.map(({ sessions }) => sessions)).toEqual([['a'], ['b', 'c', 'd']])
  })

  it('Q1: has one append of a session in flight, and keeps their order', async () => {
    const { queue, groups } = held(2)
    const all = ['a', 'a', 'b', 'a'].map((session) => queue.add(append(session)))
    for (let n = 0; n < 3; n++) {
      await tick()
      expect(groups).toHaveLength(n + 1)
      groups[n]?.end()
      await tick()
    }
    await Promise.all(all)
    expect(groups.map(({ sessions }) => sessions)).toEqual([['a', 'b'], ['a'], ['a']])
  })

  it('takes at most 500 appends, or a megabyte, of which one may be larger', async () => {
    const { queue, groups } = held(9)
    for (let n = 0; n < 501; n++) void queue.add(append(`s${n}`))
    await tick()
    await tick()
    expect(groups.map(({ sessions }) => sessions.length)).toEqual([500, 1])
    const large = held(9)
    for (const size of [3_000_000, 600_000, 600_000])
      void large.queue.add(append(`l${size}${Math.random()}`, size))
    for (let n = 0; n < 3; n++) await tick()
    expect(large.groups.map(({ sessions }) => sessions.length)).toEqual([1, 1, 1])
  })

  it('Q2: rejects the appends of a commit that failed, and goes on', async () => {
    const { queue, groups } = held()
    const lost = queue.add(append('a'))
    await tick()
    groups[0]?.end(new Error('no disk'))
    await expect(lost).rejects.toThrow('no disk')
    const next = queue.add(append('a'))
    await tick()
    groups[1]?.end()
    expect(await next).toEqual(done)
    await queue.quiet()
  })

  it('is quiet once nothing is queued or under way', async () => {
    const { queue, groups } = held()
    let quiet = false
    void queue.add(append('a'))
    const resting = queue.quiet().then(() => {
      quiet = true
    })
    await tick()
    expect(quiet).toBe(false)
    groups[0]?.end()
    await resting
    await queue.quiet()
  })
})

it('leases of one process are renewed together', async () => {
  const calls: number[] = []
  class Counting extends MemoryBackend {
    override renew(leases: Parameters<MemoryBackend['renew']>[0]) {
      calls.push(leases.length)
      return super.renew(leases)
    }
  }
  const backend = new Counting()
  const keeper = new LeaseKeeper(backend)
  const claim = { owner: 'o', ttlMs: 30, force: false }
  const leases = await Promise.all(
    ['a', 'b', 'c'].map(async (session) => {
      await backend.create(headerOf(session), [])
      await backend.claim(session, claim)
      return keeper.hold({ session, owner: 'o', epoch: 1, ttlMs: 30 })
    }),
  )
  const lost = new Promise((resolve) => {
    leases[1]?.lost.addEventListener('abort', resolve)
  })
  await backend.claim('b', { ...claim, force: true })
  const awake = setInterval(() => {}, 1000)
  await lost
  clearInterval(awake)
  expect(calls[0]).toBe(3)
  await leases[0]?.renew()
  await expect(leases[1]?.renew()).rejects.toMatchObject({ code: 'LEASE_LOST' })
  keeper.stop()
})
