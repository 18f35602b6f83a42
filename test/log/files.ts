/**
 * Folders and files for tests of logs on disk.
 *
 * @module
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { openDiskFile } from '../../src/log/disk-file.ts'
import type { LogFile } from '../../src/log/disk-file.ts'

/** A folder of its own, gone after the tests of the file. */
export function temporaryFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'turnwise-log-'))
  afterAll(() => {
    rmSync(dir, { recursive: true, force: true })
  })
  return dir
}

/** A real file that fails on demand and counts. */
export class FaultyDisk {
  /** Bytes of the next write that get through before it fails; undefined: all. */
  writeFailsAfter: number | undefined = undefined
  syncFails = false
  truncateFails = false
  /** Holds every sync until it is called. */
  readonly syncs: (() => void)[] = []
  held = false
  writes = 0

  readonly open = (file: string): LogFile => {
    const disk = openDiskFile(file)
    return {
      ...disk,
      write: (bytes) => {
        this.writes++
        this.write(disk, bytes)
      },
      truncate: (length) => {
        if (this.truncateFails) throw new Error('EIO: truncate')
        disk.truncate(length)
      },
      sync: async () => {
        await new Promise<void>((resolve) => {
          this.syncs.push(resolve)
          if (!this.held) resolve()
        })
        if (this.syncFails) throw new Error('EIO: fdatasync')
        await disk.sync()
      },
    }
  }

  private write(disk: LogFile, bytes: Uint8Array): void {
    if (this.writeFailsAfter === undefined) {
      disk.write(bytes)
      return
    }
    disk.write(bytes.subarray(0, this.writeFailsAfter))
    throw new Error('ENOSPC: no space left on device')
  }
}
