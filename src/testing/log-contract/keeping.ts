/**
 * The contract of logs: what is durable is there when the log is opened again, whoever has it open, and however much it is.
 *
 * @module
 */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { LogCorruptError } from '../../errors.ts'
import type { EventLog } from '../../log/event-log.ts'
import { contentsOf, inserted, isContiguous, newId, note, refuses } from './samples.ts'
import { Chapter } from './subject.ts'
import type { LogCase, LogSubject } from './subject.ts'

/** Every kind of text that some layer could spoil: escapes, line separators, NUL, astral and lone surrogates. */
const HARD_TEXT = 'a"\\/\n\r\t\u0000\u2028\u2029 é 漢 🏁 \ud800 \\u0000'

export function keeping(subject: LogSubject): LogCase[] {
  const chapter = new Chapter(subject)

  chapter.needs(['open'], 'what was written is read again, every character', async (kind) => {
    const id = newId()
    const log = await kind.create(id)
    log.append(inserted('A', HARD_TEXT), 1)
    log.append(note({ [HARD_TEXT]: [0.1, -1e21, null, true, {}], b: 1, a: 2 }), 2)
    const before = contentsOf(log)
    await log.close()
    const again = await kind.open(id)
    assert.deepEqual(contentsOf(again), before)
    assert.equal(again.append(note({}), 3).seq, 2)
    await again.close()
  })

  chapter.needs(
    ['open'],
    'what nobody waited for is in order, without a gap, once closed',
    async (kind) => {
      const id = newId()
      const log = await kind.create(id)
      for (let n = 0; n < 1000; n++) {
        log.append(n % 3 === 0 ? [note({ n }), note({ n })] : note({ n }), 1)
        // Commits are to run between the appends as well.
        if (n % 50 === 0) await new Promise((resolve) => setImmediate(resolve))
      }
      const before = contentsOf(log)
      await log.close()
      const again = await kind.open(id)
      assert.deepEqual(contentsOf(again), before)
      await again.close()
    },
  )

  chapter.needs(
    ['open'],
    'a session is open once: a second opener is refused, a later one is not',
    async (kind) => {
      const id = newId()
      const log = await kind.create(id)
      await refuses('SESSION_LIVE', () => kind.open(id))
      log.append(inserted('A'), 1)
      await log.close()
      await (await kind.open(id)).close()
    },
  )

  chapter.needs(
    ['open'],
    'what does not exist is not found, what exists is not created',
    async (kind) => {
      await refuses('SESSION_NOT_FOUND', () => kind.open(newId()))
      const id = newId()
      await (await kind.create(id)).close()
      await refuses('SESSION_ALREADY_EXISTS', () => kind.create(id))
    },
  )

  chapter.needs(['takeOver'], 'a zombie stops, and nothing of it is recorded', async (kind) => {
    const id = newId()
    const zombie = await kind.create(id)
    zombie.append(inserted('A'), 1)
    await zombie.flush()
    const owner = await kind.takeOver(id)
    owner.append(inserted('B'), 1)
    await owner.flush()
    await stops(zombie)
    await owner.close()
    const again = await (kind.open === undefined ? kind.takeOver(id) : kind.open(id))
    assert.deepEqual(
      again.read().map((event) => event.type === 'inbox/inserted' && event.data.message.id),
      ['A', 'B'],
    )
    await again.close()
  })

  chapter.needs(
    ['open', 'damage'],
    'damage is refused with its position, wherever it is',
    async (kind) => {
      for (const how of ['text', 'missing'] as const) {
        for (const seq of [0, 3, 5]) {
          const id = newId()
          const log = await kind.create(id)
          for (let n = 0; n < 7; n++) log.append(note({ n }), 1)
          await log.close()
          await kind.damage(id, seq, how)
          const error = await refuses('LOG_CORRUPT', () => kind.open(id))
          assert.ok(error instanceof LogCorruptError)
          assert.equal(error.position, kind.positionOf?.(seq) ?? seq)
        }
      }
    },
  )

  chapter.needs(
    ['open', 'fileOf'],
    'a torn last record is cut, at whichever byte it was torn',
    async (kind) => {
      const id = newId()
      const log = await kind.create(id)
      log.append(note({ n: 0 }), 1)
      log.append(note({ text: 'é 漢 🏁' }), 1)
      await log.close()
      const file = kind.fileOf(id)
      const whole = readFileSync(file)
      const start = whole.lastIndexOf(0x0a, whole.length - 2) + 1
      assert.ok(whole.length - start > 20)
      for (let length = start + 1; length < whole.length; length++) {
        writeFileSync(file, whole.subarray(0, length))
        const again = await kind.open(id)
        assert.equal(again.length, 1)
        assert.equal(again.append(note({ text: 'again' }), 1).seq, 1)
        await again.close()
        const third = await kind.open(id)
        isContiguous(third.read(), 2)
        await third.close()
      }
    },
  )

  return [...chapter.cases, ...much(subject)]
}

function much(subject: LogSubject): LogCase[] {
  const chapter = new Chapter(subject)

  chapter.rule('1,000 sessions write at once, and each has its own events', async (kind) => {
    const ids = Array.from({ length: 1000 }, newId)
    const logs = await Promise.all(ids.map((id) => kind.create(id)))
    await Promise.all(
      logs.map(async (log, n) => {
        for (let at = 0; at < 3; at++) {
          log.append(note({ n, at }), 1)
          await log.durable(at)
        }
      }),
    )
    await Promise.all(logs.map((log) => log.close()))
    for (const [n, id] of ids.entries()) {
      if (n % 50 > 0 || kind.open === undefined) continue
      const again = await kind.open(id)
      isContiguous(again.read(), 3)
      assert.deepEqual(again.at(2)?.data, { n, at: 2 })
      await again.close()
    }
  })

  chapter.rule('100,000 events stand in one session, in order', async (kind) => {
    const id = newId()
    const log = await kind.create(id)
    for (let n = 0; n < 100_000; n++) {
      log.append(note({ n }), 1)
      if (n % 10_000 === 0) await log.durable(n)
    }
    await log.close()
    const again = kind.open === undefined ? log : await kind.open(id)
    isContiguous(again.read(), 100_000)
    assert.deepEqual(again.at(99_999)?.data, { n: 99_999 })
    await again.close()
  })

  return chapter.cases
}

const codeOf = (error: unknown): string => (error as { code: string }).code

/** It finds out at the latest when it wants to be durable, and takes nothing more. */
async function stops(zombie: EventLog): Promise<void> {
  const codes = new Set(['LOG_CONFLICT', 'LEASE_LOST'])
  let found = ''
  try {
    zombie.append(inserted('Z'), 1)
    await zombie.durable(zombie.length - 1)
  } catch (error) {
    found = codeOf(error)
  }
  assert.ok(codes.has(found), `expected LOG_CONFLICT or LEASE_LOST, found ${found || 'success'}`)
  assert.throws(
    () => zombie.append(inserted('Y'), 1),
    (error: unknown) => codes.has(codeOf(error)),
  )
  await zombie.close().catch(() => {})
}
