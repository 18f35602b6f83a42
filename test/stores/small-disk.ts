/**
 * A file system of a few megabytes for tests: it can be filled, and made read-only.
 *
 * @module
 */
import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SmallDisk } from '../../src/testing/log-contract.ts'

const SIZE = '4m'

/**
 * Runs `work` on one.
 *
 * @param logs - how logs are made in its folder.
 * @returns why it cannot, if it cannot.
 */
export async function onSmallDisk(
  logs: (dir: string) => Pick<SmallDisk, 'create' | 'open'> & { close?: () => Promise<void> },
  work: (disk: SmallDisk) => Promise<void>,
): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return 'mounting a small file system takes root'
  const dir = mkdtempSync(join(tmpdir(), 'turnwise-disk-'))
  try {
    mount('-t', 'tmpfs', '-o', `size=${SIZE}`, 'none', dir)
  } catch (error) {
    rmdirSync(dir)
    return `no file system can be mounted here: ${(error as Error).message}`
  }
  const sides = logs(dir)
  const ballast = join(dir, 'ballast')
  try {
    await work({
      create: sides.create,
      open: sides.open,
      fill: () => {
        fill(ballast)
      },
      free: () => {
        rmSync(ballast)
      },
      readOnly: (on) => {
        mount('-o', `remount,${on ? 'ro' : 'rw'}`, dir)
      },
    })
  } finally {
    await sides.close?.()
    execFileSync('umount', ['-l', dir])
    rmdirSync(dir)
  }
  return undefined
}

const mount = (...args: string[]): Buffer => execFileSync('mount', args, { stdio: 'pipe' })

/** Writes until there is no room for one byte. */
function fill(file: string): void {
  const fd = openSync(file, 'w')
  for (let size = 1 << 20; size >= 1;) {
    try {
      writeSync(fd, Buffer.alloc(size))
    } catch {
      size >>= 1
    }
  }
  closeSync(fd)
}
