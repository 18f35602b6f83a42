/**
 * The contract of stores: who owns a session, how long, and what becomes of an owner that was overtaken.
 *
 * @module
 */
import assert from 'node:assert/strict'
import {
  eventually,
  gather,
  headerOf,
  isContiguous,
  newId,
  refuses,
  storedNote,
} from './samples.ts'
import { newSession } from './storing.ts'
import { Chapter } from './subject.ts'
import type { LogCase, LogSubject } from './subject.ts'

const HOUR_MS = 3_600_000

export function leasing(subject: LogSubject): LogCase[] {
  const chapter = new Chapter(subject)

  chapter.needs(
    ['store', 'other'],
    'a session has one owner until it is given back',
    async (kind) => {
      const [store, other] = [await kind.store(), await kind.other()]
      const { session, lease } = await newSession(store)
      const error = await refuses('SESSION_LIVE', () => other.claim(session))
      assert.match(error.message, /owns/)
      await lease.renew()
      await lease.release()
      const next = await other.claim(session)
      assert.equal(next.epoch, lease.epoch + 1)
      await next.release()
      await other.close()
    },
  )

  chapter.needs(
    ['store', 'other'],
    'a zombie is fenced: nothing of an older epoch is recorded',
    async (kind) => {
      const [store, other] = [await kind.store(), await kind.other()]
      const { session, lease } = await newSession(store)
      const owner = await other.claim(session, { force: true })
      const outcome = await store.append(session, [storedNote(0, {})], {
        version: 0,
        epoch: lease.epoch,
      })
      assert.deepEqual(outcome, {
        ok: false,
        code: 'LEASE_LOST',
        version: 0,
        epoch: owner.epoch,
      })
      assert.ok(lease.lost.aborted)
      await refuses('LEASE_LOST', () => lease.renew())
      await lease.release()
      const own = await other.append(session, [storedNote(0, {})], {
        version: 0,
        epoch: owner.epoch,
      })
      assert.equal(own.ok, true)
      await owner.release()
      isContiguous(await gather(store.read(session)), 1)
      await other.close()
    },
  )

  chapter.needs(
    ['store', 'other'],
    'an owner hears of its loss at its next renewal',
    async (kind) => {
      const [store, other] = [await kind.store(), await kind.other()]
      const session = newId()
      await store.create(headerOf(session))
      const lease = await store.claim(session, { ttlMs: 60 })
      const lost = new Promise((resolve) => {
        lease.lost.addEventListener('abort', resolve)
      })
      await other.claim(session, { force: true })
      await lost
      await other.close()
    },
  )

  chapter.needs(
    ['store', 'other'],
    'the session of a store that is gone can be claimed in time',
    async (kind) => {
      const [store, other] = [await kind.store(), await kind.other()]
      const session = newId()
      await store.create(headerOf(session))
      const lost = await other.claim(session, { ttlMs: 100 })
      await other.close()
      const next = await eventually(() => store.claim(session))
      assert.equal(next.epoch, lost.epoch + 1)
      await next.release()
    },
  )

  chapter.needs(
    ['store', 'other', 'moveClock'],
    'a clock that jumps ahead ends leases and doubles nothing; one that jumps back only prolongs them',
    async (kind) => {
      const [store, other] = [await kind.store(), await kind.other()]
      const { session, lease } = await newSession(store)
      kind.moveClock(HOUR_MS)
      const next = await other.claim(session)
      const outcomes = await Promise.all([
        store.append(session, [storedNote(0, {})], { version: 0, epoch: lease.epoch }),
        other.append(session, [storedNote(0, {})], { version: 0, epoch: next.epoch }),
      ])
      assert.deepEqual(
        outcomes.map(({ ok }) => ok),
        [false, true],
      )
      kind.moveClock(-2 * HOUR_MS)
      await refuses('SESSION_LIVE', () => store.claim(session))
      await next.release()
      await (await store.claim(session)).release()
      kind.moveClock(HOUR_MS)
      await other.close()
    },
  )

  chapter.needs(
    ['store', 'other'],
    'a message for a session is kept once, until it is taken',
    async (kind) => {
      const [store, other] = [await kind.store(), await kind.other()]
      const { session, lease } = await newSession(store)
      const changed = store.inbox.changed(session)
      const body = { text: 'é\u0000' }
      assert.equal(await other.inbox.send(session, { id: 'm1', body }), 'stored')
      assert.equal(await other.inbox.send(session, { id: 'm1', body: 'other' }), 'repeated')
      assert.equal(await other.inbox.send(session, { id: 'm2', body: [] }), 'stored')
      await changed
      assert.deepEqual(await store.inbox.pending(session), [
        { id: 'm1', body },
        { id: 'm2', body: [] },
      ])
      await store.inbox.taken(session, ['m1'])
      assert.equal(await other.inbox.send(session, { id: 'm1', body }), 'repeated')
      assert.deepEqual(await store.inbox.pending(session), [{ id: 'm2', body: [] }])
      await refuses('SESSION_NOT_FOUND', () => other.inbox.send(newId(), { id: 'm', body: 1 }))
      await lease.release()
      await other.close()
    },
  )

  return chapter.cases
}
