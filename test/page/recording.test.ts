import { expect, it } from 'vitest'
import { after, BEGINNING, type Moment } from '../../page/src/log/moment.ts'
import { EVERY, Recording } from '../../page/src/log/recording.ts'
import type { StoredEvent } from '../../src/events/event.ts'
import { eventsOf } from './logs.ts'

const log = eventsOf('test/logs/every-event.jsonl')

/** The log again and again, each time with later seqs, turns and ids, so that it is longer than what lies between moments. */
const long: StoredEvent[] = Array.from({ length: 4 }, (_, round) =>
  log.map((event) => {
    const seq = round * log.length + event.seq
    const data = JSON.parse(
      JSON.stringify(event.data).replaceAll(/"(m\d+)"/g, `"$1-${round}"`),
    ) as Record<string, unknown>
    if (typeof data['turn'] === 'number') data['turn'] += round * 100
    return { ...event, seq, data } as StoredEvent
  }),
).flat()

const recordingOf = (events: readonly StoredEvent[]): Recording => {
  const recording = new Recording()
  recording.take(events)
  return recording
}

/** Everything a moment says, as text: lists of the projections show themselves as arrays. */
const shown = (moment: Moment): string =>
  JSON.stringify(moment, (_, value: unknown) => (value instanceof Map ? [...value] : value))

it('R1 a moment equals the fold of its prefix, in any order of looking', () => {
  const recording = recordingOf(long)
  const folded = [BEGINNING]
  for (const event of long) folded.push(after(folded.at(-1) ?? BEGINNING, event))
  const around = [0, 1, 999, 1000, 1001, 1999, 2000, 2001, long.length - 1, long.length]
  const spread = Array.from({ length: 60 }, (_, index) => (index * 997) % long.length)
  for (const seen of [...around, ...spread, ...around.toReversed()]) {
    const expected = folded[seen] ?? BEGINNING
    expect(shown(recording.at(seen)) === shown(expected), `after ${seen} events`).toBe(true)
  }
})

it('R1 a move folds no more events than lie between two kept moments', () => {
  const recording = recordingOf(long)
  const { events } = recording
  let read = 0
  const counted = new Proxy(events, {
    get: (target, key) => {
      if (typeof key === 'string' && /^\d+$/.test(key)) read += 1
      return Reflect.get(target, key) as unknown
    },
  })
  Object.assign(recording, { events: counted })
  for (const seen of [3000, 10, 2999, 1001, 5, 3400]) {
    read = 0
    recording.at(seen)
    expect(read).toBeLessThanOrEqual(EVERY)
  }
})

it('R2 events that are known are passed over, and a gap is refused', () => {
  const recording = recordingOf(log.slice(0, 10))
  expect(recording.take(log.slice(5, 12))).toBe(2)
  expect(recording.take(log.slice(20, 30))).toBeUndefined()
  expect(recording.length).toBe(12)
})

it('the first events alone are as if the others had never come', () => {
  const recording = recordingOf(log)
  const first = recording.upTo(100)
  const fresh = recordingOf(log.slice(0, 100))
  expect(shown(first.tip)).toBe(shown(fresh.tip))
  expect(first.exchanges).toEqual(fresh.exchanges)
  expect(first.counts).toEqual(fresh.counts)
  expect(shown(first.at(50))).toBe(shown(fresh.at(50)))
  expect(recording.length).toBe(log.length)
})

it('an event that no projection can read is named and passed over', () => {
  const broken = { ...log[0], seq: 1, type: 'turn/end', data: null } as unknown as StoredEvent
  const recording = new Recording()
  recording.take([log[0] as StoredEvent, broken])
  expect(recording.unread).toEqual([1])
  expect(recording.at(2).seen).toBe(2)
})
