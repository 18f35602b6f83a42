/**
 * The contract of logs: a disk that is full or read-only refuses, loses nothing, and is written to once it can be.
 *
 * @module
 */
import assert from 'node:assert/strict'
import { isContiguous, newId, note, refuses } from './samples.ts'
import { Chapter } from './subject.ts'
import type { LogCase, LogSubject } from './subject.ts'

/** Larger than what a file system keeps back for a file. */
const LARGE = 'x'.repeat(200_000)

export function disk(subject: LogSubject): LogCase[] {
  const chapter = new Chapter(subject)

  chapter.needs(
    ['onSmallDisk'],
    'a full disk refuses durability; once there is room everything is written, in order',
    (kind) =>
      kind.onSmallDisk(async (small) => {
        const id = newId()
        const log = await small.create(id)
        log.append(note({ n: 0 }), 1)
        await log.flush()
        small.fill()
        log.append([note({ n: 1, LARGE }), note({ n: 2, LARGE })], 1)
        await refuses('LOG_WRITE_FAILED', () => log.flush())
        await refuses('LOG_WRITE_FAILED', () => log.durable(1))
        small.free()
        log.append(note({ n: 3 }), 1)
        await log.flush()
        await log.close()
        const again = await small.open(id)
        isContiguous(again.read(), 4)
        assert.deepEqual(
          again.read().map(({ data }) => (data as unknown as { n: number }).n),
          [0, 1, 2, 3],
        )
        await again.close()
      }),
  )

  chapter.needs(
    ['onSmallDisk'],
    'what a full disk refused is not there for whoever opens the log after the process died',
    (kind) =>
      kind.onSmallDisk(async (small) => {
        const id = newId()
        const log = await small.create(id)
        log.append(note({ n: 0 }), 1)
        await log.flush()
        small.fill()
        log.append(note({ LARGE, more: LARGE }), 1)
        await refuses('LOG_WRITE_FAILED', () => log.flush())
        await refuses('LOG_WRITE_FAILED', () => log.close())
        small.free()
        const again = await small.open(id)
        isContiguous(again.read(), 1)
        await again.close()
      }),
  )

  chapter.needs(['onSmallDisk'], 'a read-only file system refuses to create', (kind) =>
    kind.onSmallDisk(async (small) => {
      small.readOnly(true)
      await assert.rejects(async () => small.create(newId()))
      small.readOnly(false)
      await (await small.create(newId())).close()
    }),
  )

  return chapter.cases
}
