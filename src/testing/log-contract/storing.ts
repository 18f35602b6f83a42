/**
 * The contract of stores: of two writers one wins, a repetition changes nothing, a lost answer is found again.
 *
 * @module
 */
import assert from 'node:assert/strict'
import type { EventStore } from '../../log/store/event-store.ts'
import { createStoreLog } from '../../log/store/store-log.ts'
import {
  gather,
  headerOf,
  isContiguous,
  newId,
  note,
  refuses,
  storedNote,
  storedNotes,
} from './samples.ts'
import { Chapter } from './subject.ts'
import type { LogCase, LogSubject } from './subject.ts'

const RACES = 50

export function storing(subject: LogSubject): LogCase[] {
  const chapter = new Chapter(subject)

  chapter.needs(
    ['store', 'other'],
    'of two writers with one expected version exactly one wins',
    async (kind) => {
      const [store, other] = [await kind.store(), await kind.other()]
      const { session, epoch } = await newSession(store)
      for (let version = 0; version < RACES; version++) {
        const outcomes = await Promise.all(
          [store, other].map((side, n) =>
            side.append(session, [storedNote(version, { n })], { version, epoch }),
          ),
        )
        const lost = outcomes.filter(({ ok }) => !ok)
        assert.equal(lost.length, 1)
        assert.deepEqual(lost[0], { ok: false, code: 'LOG_CONFLICT', version: version + 1, epoch })
      }
      isContiguous(await gather(store.read(session)), RACES)
      await other.close()
    },
  )

  chapter.needs(
    ['store'],
    'an append that is repeated under its id is recorded once',
    async (kind) => {
      const store = await kind.store()
      const { session, epoch } = await newSession(store)
      const append = (id: string, version: number) =>
        store.append(session, storedNotes(version, 2), { version, epoch, id })
      assert.deepEqual(await append('first', 0), { ok: true, version: 2, repeated: false })
      assert.deepEqual(await append('first', 0), { ok: true, version: 2, repeated: true })
      assert.deepEqual(await append('second', 2), { ok: true, version: 4, repeated: false })
      assert.deepEqual(await append('first', 0), {
        ok: false,
        code: 'LOG_CONFLICT',
        version: 4,
        epoch,
      })
      isContiguous(await gather(store.read(session)), 4)
    },
  )

  chapter.needs(
    ['store'],
    'a conflict of one append does not fail those committed with it',
    async (kind) => {
      const store = await kind.store()
      const sessions = await Promise.all(Array.from({ length: 20 }, () => newSession(store)))
      const outcomes = await Promise.all(
        sessions.map(({ session, epoch }, n) =>
          store.append(session, [storedNote(0, { n })], { version: n % 4 === 3 ? 7 : 0, epoch }),
        ),
      )
      assert.deepEqual(
        outcomes.map(({ ok }) => ok),
        sessions.map((_, n) => n % 4 !== 3),
      )
      for (const [n, { session }] of sessions.entries())
        isContiguous(await gather(store.read(session)), n % 4 === 3 ? 0 : 1)
    },
  )

  chapter.needs(['store'], 'an append to what does not exist says so', async (kind) => {
    const store = await kind.store()
    const outcome = await store.append(newId(), [storedNote(0, {})], { version: 0, epoch: 1 })
    assert.deepEqual(outcome, { ok: false, code: 'SESSION_NOT_FOUND', version: 0, epoch: 0 })
    assert.equal(await store.head(newId()), undefined)
    await refuses('SESSION_NOT_FOUND', () => gather(store.read(newId())))
    await refuses('SESSION_NOT_FOUND', () => store.claim(newId()))
  })

  chapter.needs(
    ['store', 'other'],
    'of two who create one session exactly one wins',
    async (kind) => {
      const [store, other] = [await kind.store(), await kind.other()]
      for (let n = 0; n < 10; n++) {
        const id = newId()
        const made = await Promise.allSettled(
          [store, other].map((side, who) => side.create(headerOf(id), storedNotes(0, who + 1))),
        )
        const won = made.findIndex(({ status }) => status === 'fulfilled')
        assert.equal(made.filter(({ status }) => status === 'fulfilled').length, 1)
        isContiguous(await gather(store.read(id)), won + 1)
      }
      await other.close()
    },
  )

  chapter.needs(['store'], 'a removed session is gone, and its id is free', async (kind) => {
    const store = await kind.store()
    const { session, epoch, lease } = await newSession(store)
    await store.append(session, storedNotes(0, 3), { version: 0, epoch })
    await refuses('SESSION_LIVE', () => store.remove(session))
    await lease.release()
    await store.remove(session)
    await store.remove(session)
    assert.equal(await store.head(session), undefined)
    await store.create(headerOf(session))
    isContiguous(await gather(store.read(session)), 0)
  })

  for (const at of ['request', 'answer'] as const) {
    chapter.needs(
      ['store', 'cut'],
      `an append whose ${at} is lost is recorded once, and the log goes on`,
      async (kind) => {
        const store = await kind.store()
        const id = newId()
        const log = await createStoreLog(store, headerOf(id))
        log.append(note({ n: 0 }), 1)
        await log.flush()
        for (let n = 1; n < 4; n++) {
          kind.cut(at)
          log.append([note({ n }), note({ n })], 1)
          await log.flush()
        }
        isContiguous(await gather(store.read(id)), 7)
        await log.close()
      },
    )
  }

  return chapter.cases
}

/** A new session with its owner. */
export async function newSession(store: EventStore) {
  const session = newId()
  await store.create(headerOf(session))
  const lease = await store.claim(session)
  return { session, lease, epoch: lease.epoch }
}
