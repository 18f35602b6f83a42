/**
 * The contract of logs: appending and observing, the same for a log that keeps nothing.
 *
 * @module
 */
import assert from 'node:assert/strict'
import type { StoredEvent } from '../../events/event.ts'
import { inserted, newId, note, refuses, turnEnd, turnStart } from './samples.ts'
import { Chapter } from './subject.ts'
import type { LogCase, LogSubject } from './subject.ts'

export function appending(subject: LogSubject): LogCase[] {
  const chapter = new Chapter(subject)

  chapter.rule('events are numbered from 0, and a group is numbered in its order', async (kind) => {
    const log = await kind.create(newId())
    assert.equal(log.append(inserted('A'), 5).seq, 0)
    const last = log.append([turnStart(1), turnEnd(1)], 6)
    assert.deepEqual([last.seq, last.time, last.type, log.length], [2, 6, 'turn/end', 3])
    assert.deepEqual(
      log.read(1).map((event) => [event.seq, event.type]),
      [
        [1, 'turn/start'],
        [2, 'turn/end'],
      ],
    )
    await log.close()
  })

  chapter.rule('a group is recorded as a whole or not at all', async (kind) => {
    const log = await kind.create(newId())
    await refuses('ENCLOSURE', () => log.append([inserted('A'), turnStart(2)], 1))
    assert.deepEqual([log.length, log.ledger.pendingIn('A')], [0, undefined])
    log.append([inserted('A'), turnStart(1)], 1)
    await log.close()
  })

  chapter.rule('an interceptor that throws refuses the whole group', async (kind) => {
    const log = await kind.create(newId(), {
      intercept: (event) => {
        if (event.type === 'turn/end') throw new Error('refused')
      },
    })
    assert.throws(() => log.append([turnStart(1), turnEnd(1)], 1), /refused/)
    assert.equal(log.length, 0)
    await log.close()
  })

  chapter.rule('what is kept is frozen, and foreign payloads are copied', async (kind) => {
    const log = await kind.create(newId())
    const data = { list: [1] }
    const stored = log.append(note(data), 1)
    assert.ok(Object.isFrozen(stored) && Object.isFrozen(stored.data))
    assert.notEqual(stored.data, data)
    await refuses('INVALID_MESSAGE', () => log.append(note({ at: new Date(0) }), 1))
    await log.close()
  })

  chapter.rule('observers see each event once, in order, also what they append', async (kind) => {
    const log = await kind.create(newId())
    const seen: string[] = []
    log.observe(({ seq, type }) => {
      seen.push(`a${seq}`)
      if (type === 'turn/start') log.append(turnEnd(1), 1)
    })
    const leave = log.observe(({ seq }) => seen.push(`b${seq}`))
    log.append(turnStart(1), 1)
    leave()
    log.append(inserted('A'), 1)
    assert.deepEqual(seen, ['a0', 'b0', 'a1', 'b1', 'a2'])
    await log.close()
  })

  chapter.rule('an observer that throws harms nobody and is reported once', async (kind) => {
    const faults: StoredEvent[] = []
    const log = await kind.create(newId(), { onFault: (_, event) => faults.push(event) })
    const seen: number[] = []
    log.observe(() => {
      throw new Error('bad observer')
    })
    log.observe(({ seq }) => seen.push(seq))
    log.append(inserted('A'), 1)
    assert.deepEqual([faults.map(({ seq }) => seq), seen], [[0], [0]])
    await log.close()
  })

  chapter.rule('durable answers undefined when nothing is outstanding', async (kind) => {
    const log = await kind.create(newId())
    assert.deepEqual([log.durable(0), log.flush()], [undefined, undefined])
    log.append(inserted('A'), 1)
    await log.durable(99)
    assert.deepEqual([log.durable(0), log.durable(99), log.flush()], Array(3).fill(undefined))
    await log.close()
  })

  chapter.rule('a clock that jumps back changes times and nothing else', async (kind) => {
    const log = await kind.create(newId())
    const times = [1_000_000, 5, -3, 2_000_000]
    for (const time of times) log.append(note({}), time)
    await log.flush()
    assert.deepEqual(
      log.read().map(({ seq, time }) => [seq, time]),
      times.map((time, seq) => [seq, time]),
    )
    await log.close()
  })

  chapter.rule(
    'a closed log can be read, refuses to append, and may be closed again',
    async (kind) => {
      const log = await kind.create(newId())
      log.append(inserted('A'), 1)
      await log.close()
      await log.close()
      await refuses('LOG_WRITE_FAILED', () => log.append(inserted('B'), 1))
      assert.equal(log.read().length, 1)
    },
  )

  return chapter.cases
}
