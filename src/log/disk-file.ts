/**
 * The few calls a log makes on its file. Replace them to put a log on another kind of store, or to let it fail in a test.
 *
 * Writing goes to the page cache and is synchronous: it costs microseconds, and a round trip through the thread pool
 * would cost more. Waiting for the disk is what takes long, and that is asynchronous.
 *
 * @module
 */
import {
  closeSync,
  constants,
  fdatasync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  openSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { randomUUID } from 'node:crypto'
import { dirname } from 'node:path'

/** An open log file. All calls but `sync` are synchronous; each throws what the system says. */
export interface LogFile {
  /** Length in bytes, as the system sees it. */
  size(): number
  /** Appends all of `bytes`, or throws with a part of them written. */
  write(bytes: Uint8Array): void
  truncate(length: number): void
  /** Resolves when everything written is on disk. */
  sync(): Promise<void>
  close(): void
}

/** Opens an existing file for appending. */
export function openDiskFile(file: string): LogFile {
  const fd = openSync(file, constants.O_RDWR | constants.O_APPEND)
  return {
    size: () => fstatSync(fd).size,
    write: (bytes) => {
      writeWhole(fd, bytes)
    },
    truncate: (length) => {
      ftruncateSync(fd, length)
    },
    sync: () =>
      new Promise((resolve, reject) => {
        fdatasync(fd, (error) => {
          if (error === null) resolve()
          else reject(error)
        })
      }),
    close: () => {
      closeSync(fd)
    },
  }
}

/** The system may take a part of what it is given. */
function writeWhole(fd: number, bytes: Uint8Array): void {
  for (let from = 0; from < bytes.length;) from += writeSync(fd, bytes, from)
}

const PRIVATE = 0o600
const PRIVATE_DIR = 0o700

/**
 * Creates a file with its content in one step: either it is there as a whole or not at all, with mode 0600.
 *
 * @param synced - the content and the name are on disk when this returns.
 * @throws the system's EEXIST when there is a file of this name; it is left alone.
 */
export function createWhole(file: string, content: Uint8Array, synced: boolean): void {
  const dir = dirname(file)
  mkdirSync(dir, { recursive: true, mode: PRIVATE_DIR })
  const draft = `${file}.${randomUUID()}.draft`
  const fd = openSync(draft, 'wx', PRIVATE)
  try {
    writeWhole(fd, content)
    if (synced) fsyncSync(fd)
    linkSync(draft, file)
  } finally {
    closeSync(fd)
    unlinkSync(draft)
  }
  if (synced) syncFolder(dir)
}

/** A new name is durable only once its folder is. */
function syncFolder(dir: string): void {
  const fd = openSync(dir, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
