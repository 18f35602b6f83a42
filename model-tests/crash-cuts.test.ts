/**
 * A crash at every append of many runs: paths of the explorer and of the lifecycle model, cut behind each event and inside
 * the next one.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StoredEvent } from '../src/events/event.ts'
import { openFileLog } from '../src/log/file-log.ts'
import { repairLog } from '../src/sessions/repair.ts'
import { covering, HEADER } from './crash-cuts.ts'
import { logsOf, logsOfModel, wrongAtCuts } from './crash-runs.ts'
import { type RoomName, ROOMS } from './explore-rooms.ts'

const chosen: StoredEvent[][] = []

describe('behind each event the session goes on', () => {
  it.each(Object.keys(ROOMS) as RoomName[])(
    'of the room %s',
    async (room) => {
      const logs = await logsOf(room)
      chosen.push(...logs)
      expect(await wrongAtCuts(logs)).toEqual([])
    },
    60_000,
  )

  it('of the lifecycle model', async () => {
    const logs = await logsOfModel()
    chosen.push(...logs)
    expect(await wrongAtCuts(logs)).toEqual([])
  }, 60_000)

  it('and the chosen runs are many', () => {
    expect(chosen.length).toBeGreaterThan(60)
    expect(chosen.reduce((sum, log) => sum + log.length, 0)).toBeGreaterThan(1000)
  })
})

describe('inside the last record', () => {
  let dir: string
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'turnwise-cuts-'))
  })
  afterAll(() => {
    rmSync(dir, { recursive: true, force: true })
  })

  it('it is cut off; what stood before is repaired once, and then never again', async () => {
    const logs = covering(chosen).slice(0, 12)
    expect(logs.length).toBeGreaterThan(5)
    for (const log of logs)
      for (let length = 0; length < log.length; length += 1) await tornAt(dir, log, length)
  }, 60_000)
})

async function tornAt(dir: string, log: readonly StoredEvent[], length: number): Promise<void> {
  const whole = [HEADER, ...log.slice(0, length)]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('')
  const next = JSON.stringify(log[length])
  const file = join(dir, `${HEADER.id}.jsonl`)
  writeFileSync(file, whole + next.slice(0, 1 + ((length * 7) % (next.length - 1))))
  const opened = await openFileLog(file)
  expect(opened.read()).toEqual(log.slice(0, length))
  const added = repairLog(opened)
  await opened.close()
  const again = await openFileLog(file)
  expect(again.length).toBe(length + added)
  expect(repairLog(again)).toBe(0)
  await again.close()
}
