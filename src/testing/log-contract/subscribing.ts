/**
 * The contract of stores: readers and subscribers see durable events, each once and in order.
 *
 * @module
 */
import assert from 'node:assert/strict'
import type { StoredEvent } from '../../events/event.ts'
import type { EventStore } from '../../log/store/event-store.ts'
import { gather, isContiguous, storedNotes } from './samples.ts'
import { newSession } from './storing.ts'
import { Chapter } from './subject.ts'
import type { LogCase, LogSubject } from './subject.ts'

export function subscribing(subject: LogSubject): LogCase[] {
  const chapter = new Chapter(subject)

  chapter.needs(['store'], 'reading goes in pages, from and to where it is asked', async (kind) => {
    const store = await kind.store()
    const { session, lease, epoch } = await newSession(store)
    await store.append(session, storedNotes(0, 25), { version: 0, epoch })
    const sizes: number[] = []
    for await (const page of store.read(session, { page: 10 })) sizes.push(page.length)
    assert.deepEqual(sizes, [10, 10, 5])
    const part = await gather(store.read(session, { from: 8, to: 21, page: 6 }))
    assert.deepEqual(
      part.map(({ seq }) => seq),
      Array.from({ length: 13 }, (_, at) => at + 8),
    )
    assert.deepEqual(await gather(store.read(session, { from: 25 })), [])
    await lease.release()
  })

  chapter.needs(['store'], 'a list of sessions is sorted and complete', async (kind) => {
    const store = await kind.store()
    const made = await Promise.all(Array.from({ length: 5 }, () => newSession(store)))
    const listed: string[] = []
    for await (const { header } of store.list()) listed.push(header.id)
    assert.deepEqual(listed, listed.toSorted())
    for (const { session } of made) assert.ok(listed.includes(session))
    await Promise.all(made.map(({ lease }) => lease.release()))
  })

  for (const writer of ['store', 'other'] as const) {
    const whose = writer === 'store' ? 'this process' : 'another process'
    chapter.needs(
      ['store', 'other'],
      `a subscriber gets every event of ${whose} once and in order, from its cursor on`,
      async (kind) => {
        const [store, other] = [await kind.store(), await kind.other()]
        await follow(store, writer === 'store' ? store : other)
        await other.close()
      },
    )
  }

  chapter.needs(
    ['store'],
    'a subscription ends with its signal, also while it waits',
    async (kind) => {
      const store = await kind.store()
      const { session, lease, epoch } = await newSession(store)
      await store.append(session, storedNotes(0, 2), { version: 0, epoch })
      const ending = new AbortController()
      const seen: number[] = []
      for await (const { seq } of store.subscribe(session, { signal: ending.signal })) {
        seen.push(seq)
        if (seq === 1)
          setImmediate(() => {
            ending.abort()
          })
      }
      assert.deepEqual(seen, [0, 1])
      await lease.release()
    },
  )

  return chapter.cases
}

async function follow(reader: EventStore, writer: EventStore): Promise<void> {
  const { session, lease, epoch } = await newSession(writer)
  await writer.append(session, storedNotes(0, 10), { version: 0, epoch })
  const ending = new AbortController()
  const seen: StoredEvent[] = []
  const reading = (async () => {
    for await (const event of reader.subscribe(session, { from: 4, signal: ending.signal })) {
      seen.push(event)
      if (event.seq === 209) return
    }
  })()
  for (let version = 10; version < 210; version += 4)
    await writer.append(session, storedNotes(version, 4), { version, epoch })
  await reading
  ending.abort()
  isContiguous(
    seen.map((event) => ({ ...event, seq: event.seq - 4 })),
    206,
  )
  await lease.release()
}
