import { setImmediate as nextMacrotask } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { CreateFileLogOptions } from '../../src/log/file-log.ts'
import { openFileLog } from '../../src/log/file-log.ts'
import { readLogFile } from '../../src/log/read-log.ts'
import { temporaryFolder } from './files.ts'
import { inFile, insert, openFaulty } from './open-faulty.ts'

const dir = temporaryFolder()
const open = (options: CreateFileLogOptions = {}) => openFaulty(dir, options)

const writeFailed = expect.objectContaining({ code: 'LOG_WRITE_FAILED' })

describe('a failing write', () => {
  it.each([0, 1, 40, 10_000])(
    'C2: after %d bytes is cut off again, kept in order, and tried at the next durable',
    async (bytes) => {
      const { log, disk, failures } = await open()
      insert(log, 'A')
      await log.durable(0)
      disk.writeFailsAfter = bytes
      insert(log, 'B', 'C')
      await expect(log.durable(2)).rejects.toThrow(writeFailed)
      expect([inFile(log), failures.length, log.length]).toEqual([[0], 1, 3])
      await expect(log.flush()).rejects.toThrow('ENOSPC')
      insert(log, 'D')
      disk.writeFailsAfter = undefined
      await log.durable(1)
      expect([inFile(log), log.flush()]).toEqual([[0, 1, 2, 3], undefined])
      await log.close()
    },
  )

  it('C2: blocks later events: nothing is written past it', async () => {
    const { log, disk } = await open({ durability: 'none' })
    disk.writeFailsAfter = 0
    insert(log, 'A')
    await expect(log.durable(0)).rejects.toThrow(writeFailed)
    insert(log, 'B')
    await expect(log.durable(1)).rejects.toThrow(writeFailed)
    disk.writeFailsAfter = undefined
    insert(log, 'C')
    expect(log.durable(0)).toBe(undefined)
    expect(inFile(log)).toEqual([0, 1, 2])
    await log.close()
  })

  it('C2: is tried again by the next append alone', async () => {
    const { log, disk, failures } = await open()
    disk.writeFailsAfter = 0
    insert(log, 'A')
    await nextMacrotask()
    expect([failures.length, inFile(log)]).toEqual([1, []])
    disk.writeFailsAfter = undefined
    await nextMacrotask()
    expect(inFile(log)).toEqual([])
    insert(log, 'B')
    await nextMacrotask()
    expect(inFile(log)).toEqual([0, 1])
    await log.close()
  })

  it('C2: that cannot even be cut is cut before the next one', async () => {
    const { log, disk } = await open()
    disk.writeFailsAfter = 9
    disk.truncateFails = true
    insert(log, 'A')
    await expect(log.durable(0)).rejects.toThrow('ENOSPC')
    disk.writeFailsAfter = undefined
    await expect(log.durable(0)).rejects.toThrow('EIO: truncate')
    disk.truncateFails = false
    await log.durable(0)
    expect(inFile(log)).toEqual([0])
    await log.close()
  })

  it('C4: of a sync takes back all that was written since the last good one', async () => {
    const { log, disk } = await open()
    insert(log, 'A')
    await log.durable(0)
    disk.syncFails = true
    insert(log, 'B')
    await expect(log.durable(1)).rejects.toThrow('EIO: fdatasync')
    expect(inFile(log)).toEqual([0])
    disk.syncFails = false
    insert(log, 'C')
    await log.durable(2)
    expect(inFile(log)).toEqual([0, 1, 2])
    await log.close()
  })

  it('rejects everybody who waits, once each', async () => {
    const { log, disk, failures } = await open()
    disk.held = true
    disk.syncFails = true
    insert(log, 'A', 'B')
    const waits = [0, 1, 0].map(async (seq) => log.durable(seq))
    disk.syncs[0]?.()
    expect(await Promise.allSettled(waits)).toMatchObject([
      { status: 'rejected' },
      { status: 'rejected' },
      { status: 'rejected' },
    ])
    expect(failures.length).toBe(1)
    disk.held = false
    disk.syncFails = false
    await log.close()
  })

  it('L4: at the end is reported by close, once; file and lock are given back all the same', async () => {
    const { log, disk } = await open()
    disk.writeFailsAfter = 0
    insert(log, 'A')
    const closing = log.close()
    await expect(closing).rejects.toThrow(writeFailed)
    expect(log.close()).toBe(closing)
    const writes = disk.writes
    await expect(log.durable(0)).rejects.toThrow('is closed')
    expect(disk.writes).toBe(writes)
    const again = await openFileLog(log.file)
    expect(again.length).toBe(0)
    await again.close()
  })

  it('leaves a log without gap or double at every point of failure', async () => {
    for (let bytes = 0; bytes < 400; bytes += 7) {
      const { log, disk } = await open({ durability: 'turn' })
      insert(log, 'A')
      disk.writeFailsAfter = bytes
      await expect(log.flush()).rejects.toThrow(writeFailed)
      expect((await readLogFile(log.file)).torn).toBe(undefined)
      disk.writeFailsAfter = undefined
      insert(log, 'B')
      await log.close()
      expect(inFile(log)).toEqual([0, 1])
    }
  })
})
