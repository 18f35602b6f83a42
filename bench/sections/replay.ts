import { dirname, join } from 'node:path'
import type { StoredEvent } from '../../src/events/event.ts'
import { sqliteStore } from '../../src/log/sqlite/sqlite-store.ts'
import type { LogStore } from '../../src/log/store/log-store.ts'
import { findDriver } from '../../src/log/sqlite/driver.ts'
import { liveHeap, median, ratioOf, rounds } from '../measure.ts'
import type { Effort, Row, Section } from '../section.ts'

const MB = 1024 * 1024
/** MB that a replay of a million events may hold more than at its beginning. */
const FLAT_TARGET = 20
/** Ratio of opening a log to reading and parsing it. */
const OPEN_TARGET = 1.5

/** Reading a store from the start. */
export const replay: Section = {
  name: 'replay',
  title: 'Reading a store',
  note: 'Replay: pages of a SQLite store, one after another; the heap in use is compared with that before the first page, at its highest. Opening: until a log stands on 100,000 stored events, against reading the rows with the plain driver and parsing each.',
  run: async (effort) => {
    const file = join(dirname(effort.file()), 'replay.db')
    const store = sqliteStore(file)
    const rows = [...(await flat(store, effort)), ...(await opening(store, file, effort))]
    await store.close()
    return rows
  },
}

const noteOf = (seq: number): StoredEvent => ({
  seq,
  time: 1,
  type: 'inbox/discarded',
  data: { ids: [], reason: 'cleared', actor: 'x'.repeat(200) },
})

async function fill(store: LogStore, id: string, count: number): Promise<void> {
  await store.events.create({ id, formatVersion: 1, createdAt: 1 })
  const lease = await store.events.claim(id)
  for (let version = 0; version < count; version += 5000) {
    const events = Array.from({ length: 5000 }, (_, at) => noteOf(version + at))
    await store.events.append(id, events, { version, epoch: lease.epoch })
  }
  await lease.release()
}

async function flat(store: LogStore, { quick }: Effort): Promise<Row[]> {
  const count = quick ? 100_000 : 1_000_000
  await fill(store, 'long', count)
  const before = await liveHeap()
  let highest = 0
  let seen = 0
  let pages = 0
  const start = performance.now()
  for await (const page of store.events.read('long')) {
    seen += page.length
    if (++pages % 100 === 0) highest = Math.max(highest, (await liveHeap()) - before)
  }
  const seconds = (performance.now() - start) / 1000
  if (seen !== count) throw new Error(`expected ${count} events, found ${seen}`)
  const what = `replay of ${count.toLocaleString('en')} events`
  return [
    { what, subject: 'SQLite', value: seconds, unit: 's' },
    {
      what: 'heap in use beyond that before it',
      subject: 'SQLite',
      value: highest / MB,
      unit: 'MB',
      target: FLAT_TARGET,
    },
  ]
}

let kept: unknown

async function opening(store: LogStore, file: string, { quick }: Effort): Promise<Row[]> {
  const count = quick ? 20_000 : 100_000
  await fill(store, 'open', count)
  const db = findDriver()(file)
  const all = db.prepare(
    "select body from events where session = (select key from sessions where id = 'open') order by seq",
  )
  const sides = [
    {
      name: 'read and parse',
      work: async () => {
        kept = (all.all() as { body: string }[]).map(({ body }) => JSON.parse(body) as unknown)
      },
    },
    {
      name: 'turnwise',
      work: async () => {
        const log = await store.open('open')
        if (log.length !== count || kept === undefined) throw new Error('it does not stand')
        await log.close()
      },
    },
  ]
  const results = await rounds(sides, quick ? 5 : 11, 2, async ({ work }) => {
    const start = performance.now()
    await work()
    return performance.now() - start
  })
  db.close()
  const [base = [], own = []] = sides.map(({ name }) => results.get(name))
  const what = `opening ${count.toLocaleString('en')} events`
  return [
    { what, subject: 'SQLite, read and parse', value: median(base), unit: 'ms' },
    {
      what,
      subject: 'SQLite',
      value: median(own),
      unit: 'ms',
      ratio: ratioOf(own, base),
      target: OPEN_TARGET,
    },
  ]
}
