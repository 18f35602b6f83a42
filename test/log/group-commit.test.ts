import { appendFileSync, readFileSync, truncateSync } from 'node:fs'
import { setImmediate as nextMacrotask } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { CreateFileLogOptions } from '../../src/log/file-log.ts'
import { readLogFile } from '../../src/log/read-log.ts'
import { chunk, context, inserted, opening, turnEnd, turnStart } from '../events/sample.ts'
import { temporaryFolder } from './files.ts'
import { inFile, insert, openFaulty } from './open-faulty.ts'

const dir = temporaryFolder()
const open = (options: CreateFileLogOptions = {}) => openFaulty(dir, options)

describe('groups', () => {
  it('everything that queued while the last commit ran is one group, with one sync', async () => {
    const { log, disk } = await open()
    disk.held = true
    insert(log, 'A')
    const first = log.durable(0)
    insert(log, 'B', 'C', 'D')
    const rest = [1, 2, 3].map((seq) => log.durable(seq))
    expect([disk.writes, disk.syncs.length]).toEqual([1, 1])
    disk.held = false
    disk.syncs[0]?.()
    await Promise.all([first, ...rest])
    expect([disk.writes, disk.syncs.length, inFile(log)]).toEqual([2, 2, [0, 1, 2, 3]])
    await log.close()
  })

  it('are written by themselves soon, without anybody waiting and without a timer', async () => {
    const { log, disk } = await open()
    insert(log, 'A', 'B')
    expect(disk.writes).toBe(0)
    await nextMacrotask()
    expect([disk.writes, disk.syncs.length, inFile(log)]).toEqual([1, 1, [0, 1]])
    await log.close()
  })

  it('an event is durable only once its own sync is done', async () => {
    const { log, disk } = await open()
    disk.held = true
    insert(log, 'A')
    let durable = false
    const wait = log.durable(0)?.then(() => {
      durable = true
    })
    await nextMacrotask()
    expect(durable).toBe(false)
    disk.syncs[0]?.()
    await wait
    expect(durable).toBe(true)
    disk.held = false
    await log.close()
  })

  it('a hundred thousand events are written in pieces, in order', async () => {
    const { log, disk } = await open({ durability: 'none' })
    for (const event of opening()) log.append(event, 1)
    for (let i = 0; i < 100_000; i++) log.append(chunk('1.1', 'abcdefgh'), 1)
    await log.flush()
    expect(disk.writes).toBeGreaterThan(10)
    expect(disk.writes).toBeLessThan(200)
    await log.close()
    expect((await readLogFile(log.file)).events).toHaveLength(100_005)
  })
})

describe('durability', () => {
  it('turn: syncs a group that holds a turn end, and only writes the others', async () => {
    const { log, disk } = await open({ durability: 'turn' })
    log.append([turnStart(1), context(1, 'X')], 1)
    expect(log.durable(1)).toBe(undefined)
    expect([inFile(log), disk.syncs.length]).toEqual([[0, 1], 0])
    log.append(turnEnd(1), 1)
    insert(log, 'A')
    const end = log.durable(2)
    expect(end).toBeInstanceOf(Promise)
    await end
    expect([inFile(log), disk.syncs.length, log.durable(3)]).toEqual([[0, 1, 2, 3], 1, undefined])
    await log.close()
  })

  it('turn: closing syncs what was only written', async () => {
    const { log, disk } = await open({ durability: 'turn' })
    insert(log, 'A')
    await log.close()
    expect(disk.syncs.length).toBe(1)
  })

  it('none: writes when asked, and never syncs', async () => {
    const { log, disk } = await open({ durability: 'none' })
    insert(log, 'A')
    expect(log.durable(0)).toBe(undefined)
    expect(inFile(log)).toEqual([0])
    await log.close()
    expect(disk.syncs.length).toBe(0)
  })
})

describe('another writer', () => {
  it.each<[what: string, change: (file: string) => void]>([
    ['made the file longer', (file) => appendFileSync(file, '{"seq":1}\n')],
    ['made the file shorter', (file) => truncateSync(file, 10)],
  ])('C3: that %s stops the log for good', async (_what, change) => {
    const { log, failures } = await open()
    insert(log, 'A')
    await log.durable(0)
    change(log.file)
    const before = readFileSync(log.file, 'utf8')
    insert(log, 'B')
    const conflict = expect.objectContaining({ code: 'LOG_CONFLICT' })
    await expect(log.durable(1)).rejects.toThrow(conflict)
    expect(failures).toEqual([conflict])
    expect(log.lost.reason).toEqual(conflict)
    expect(() => log.append(inserted('C'), 1)).toThrow(conflict)
    await expect(log.durable(1)).rejects.toThrow('WrongVersion')
    await expect(log.close()).rejects.toThrow(conflict)
    expect(readFileSync(log.file, 'utf8')).toBe(before)
  })
})
